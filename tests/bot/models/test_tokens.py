"""Budgets: token counts that are right for Chinese."""

from __future__ import annotations

from bot.models.model import Call, Prompt, Said, ToolSpec
from bot.models.tokens import PER_PICTURE, prompt_tokens, said_tokens, tokens


def test_nothing_is_nothing_and_anything_is_something() -> None:
    assert tokens("") == 0
    assert tokens("a") == tokens("。") == tokens("🙂") == 1


def test_chinese_is_not_a_quarter_token_a_character() -> None:  # A68
    assert 30_000 <= tokens("今天天气不错" * 10_000) <= 66_000


def test_english_prose_is_about_four_characters_a_token() -> None:
    text = "The quick brown fox jumps over the lazy dog. " * 100
    assert 0.2 * len(text) <= tokens(text) <= 0.35 * len(text)


def test_mixed_text_is_the_sum_of_its_parts() -> None:
    chinese, english = "把这张图归到代码笔记" * 20, "refactor the parser " * 20
    assert abs(tokens(chinese + english) - tokens(chinese) - tokens(english)) <= 2


def test_code_counts_its_marks() -> None:
    assert tokens("{[()]};" * 100) > 200


def test_pictures_calls_and_tools_count() -> None:
    assert said_tokens(Said("user", "x", images=(b"",))) > PER_PICTURE
    assert said_tokens(Said("assistant", calls=(Call("1", "note", {"text": "x" * 400}),))) > 100
    tool = ToolSpec("note", "Keeps a note.", {"type": "object"})
    assert prompt_tokens(Prompt("system", (tool,), [Said("user", "hi")])) > prompt_tokens(Prompt("system"))
