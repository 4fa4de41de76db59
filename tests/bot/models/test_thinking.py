"""Thinking in tags: whole answers, and answers that are still coming."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.models.thinking import said_so_far, without_thinking


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>hm</think>\n\nHello", "Hello"),
        ("<think>a</think><think>b</think>Hello", "Hello"),
        ("<think>never closed", ""),
        ("hm, so\n</think>\nHello", "Hello"),
        ("Hello\n<think>hm</think>\nthere", "Hello\nthere"),
        ("<THINK>hm</THINK>Hello", "Hello"),
        ("I think so", "I think so"),
        ("Use `<think>` to open it", "Use `<think>` to open it"),
        ("So:\n```html\n<think>x</think>\n```", "So:\n```html\n<think>x</think>\n```"),
    ],
)
def test_thinking_in_tags_is_not_the_answer(text: str, left: str) -> None:
    assert without_thinking(text) == left


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<", ""),
        ("<thi", ""),
        ("<think>hm", ""),
        ("<think>hm</thi", ""),
        ("<think>hm</think>\n\nHel", "Hel"),
        ("Hello <", "Hello"),
        ("Hello\n<think>hm", "Hello"),
        ("Hello\n<think>hm</think>\nthere", "Hello\nthere"),
        ("1 < 2", "1 < 2"),
        ("```html\n<think>", "```html\n<think>"),
    ],
)
def test_a_thought_that_has_not_ended_is_not_shown(text: str, shown: str) -> None:
    assert said_so_far(text) == shown


@pytest.mark.parametrize(
    "whole", ["<think>so, 1 < 2</think>\nHello <b>there</b>", "Hi\n<think>x</think>\nyou < me"]
)
def test_what_is_shown_only_grows(whole: str) -> None:
    shown = [said_so_far(whole[:end]) for end in range(len(whole) + 1)]
    assert all(after.startswith(before) for before, after in pairwise(shown))
    assert shown[-1] == without_thinking(whole)
