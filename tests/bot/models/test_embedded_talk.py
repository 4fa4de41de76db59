"""With no model: a question for what was said is looked up in the conversations, and nothing else is."""

from __future__ import annotations

import pytest

from bot.models.embedded import _SPOKEN, HERE, NOWHERE, _in_words, _plan, _speak
from bot.types import Language
from memory.offline.understanding import Understanding


@pytest.mark.parametrize(
    ("typed", "label", "tool"),
    [
        ("我上周说过什么关于房租的话？", "task", "search_chats"),
        ("我提过搬家吗", "fact_self", "search_chats"),
        ("What did I say about the lease last week?", "fact_self", "search_chats"),
        ("did I mention the heron", "chat", "search_chats"),
        ("以后我说过什么都记下来", "ask_memory", "read_memory"),
        ("我女儿叫什么", "ask_fact", "search_memory"),
        ("I said I like tea", "fact_self", "take_note"),
        ("找 grocery", "task", "search_pictures"),
        ("search retry", "chat", "search_pictures"),
        ("找一下收据", "filing", "search_pictures"),
        ("帮我找个饭馆", "task", "take_note"),
    ],
)
def test_where_a_question_is_looked_up(typed: str, label: str, tool: str) -> None:
    name, _ = _plan(typed, Understanding(label, 0.9), NOWHERE)
    assert name.replace("show_memory", "read_memory") == tool


@pytest.mark.parametrize(
    ("typed", "language", "said"),
    [
        ("这一次先用粤语回答我", "zh", "没法照做"),
        ("Could you keep it to one line, just for this answer?", "en", "I cannot do it this once"),
        ("For today only, talk to me in Dutch", "en", "I cannot do it this once"),
        ("下一张图就这一次放「杂项」", "zh", "只这一次照办"),
        ("Just this once, put the next screenshot in Misc", "en", "just this once; it does not"),
    ],
)
def test_only_what_can_be_obeyed_once_is_promised(typed: str, language: Language, said: str) -> None:
    assert said in _speak(typed, Understanding("once", 0.9), language, NOWHERE)


@pytest.mark.parametrize(
    "typed", ["move photo 3 to Trips", "Put screenshot #3 in Trips", "把第 3 张移到 Trips"]
)
def test_the_picture_that_is_named_is_moved_and_not_the_newest(typed: str) -> None:
    name, arguments = _plan(typed, Understanding("move", 0.9, where="Trips"), NOWHERE)
    assert (name, arguments["number"], arguments["category"]) == ("move_picture", "3", "Trips")


def test_a_wish_in_a_caption_is_obeyed_by_the_filing_and_needs_no_model() -> None:
    assert _speak("放到旅行", Understanding("task", 0.9), "zh", HERE) == ""
    assert "setup" in _speak("写一首诗", Understanding("task", 0.9), "zh", HERE)


def test_the_marks_of_a_line_are_in_the_persons_language() -> None:
    line = "周报用表格 (when: 写周报) (until: 2027-01-31)"
    assert _in_words(line, "zh") == "周报用表格（仅限：写周报）（到 2027-01-31 为止）"
    assert _in_words("Use tables (when: reports)", "en") == "Use tables (when: reports)"


@pytest.mark.parametrize("label", [*_SPOKEN, "live", "task", "irony", "same", "quoted"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_whatever_it_is_taken_for_there_is_a_sentence(label: str, language: Language) -> None:
    assert _speak("记住 remember pears", Understanding(label, 0.9), language, NOWHERE)


def test_leave_to_act_is_answered_with_what_holds() -> None:
    assert "ask you each time" in _speak("buy what you like", Understanding("permit", 0.9), "en", NOWHERE)
    assert "每次都会先问你" in _speak("你看着买", Understanding("permit", 0.9), "zh", NOWHERE)
