"""What a message denies names the stored line it is about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.changes import Kind, Origin, Revise, Speaker
from memory.language import language_of
from memory.offline.denied import denied_line
from memory.offline.put_right import put_right
from memory.page import Line
from memory.utterance import Utterance

HELD = [
    Line("a", "用户的姐姐在无锡上班", Kind.PERSONA, Origin.LEARNED),
    Line("b", "The user works as a nurse", Kind.PERSONA, Origin.LEARNED),
    Line("c", "The user's cousin is called Inez", Kind.PERSONA, Origin.LEARNED),
    Line("d", "用户养了两只猫", Kind.PERSONA, Origin.LEARNED),
]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("我姐在苏州上班，不是无锡", "a"),
        ("她早就不在无锡了，去苏州了", "a"),
        ("not a nurse any more, I teach now", "b"),
        ("I'm no longer a nurse", "b"),
        ("it's Ines, not Inez", "c"),
        ("I'm not sure about that", ""),
        ("今天不是很忙", ""),
        ("不是我说的", ""),
        ("我姐不是在无锡嘛，帮我查查那边天气", ""),
        ("我姐是不是在无锡", ""),
    ],
)
def test_the_line_that_says_what_is_denied(text: str, id: str) -> None:
    line = denied_line(text, HELD)
    assert (line.id if line else "") == id


def test_a_word_that_two_lines_hold_names_neither() -> None:
    both = [*HELD, Line("e", "The user's aunt is a nurse", Kind.PERSONA, Origin.LEARNED)]
    assert denied_line("not a nurse any more", both) is None


@pytest.mark.parametrize(
    ("text", "id", "now"),
    [
        ("哎不对，我姐在苏州上班，不是无锡", "a", "用户的姐姐在苏州上班"),
        ("nah it's Ines, not Inez, got the spelling wrong there", "c", "The user's cousin is called Ines"),
        ("not a nurse any more tbh. I'm a teacher now. any tips?", "b", "The user is a teacher now"),
    ],
)
def test_the_line_says_from_then_on_what_holds(text: str, id: str, now: str) -> None:
    said = Utterance(Speaker.PERSON, text, datetime(2026, 5, 4, tzinfo=UTC), "1", "talk")
    language = language_of(text) or "en"
    change = put_right(said, [("topics/people.md", line) for line in HELD], language)
    assert isinstance(change, Revise)
    assert (change.target, change.text) == (id, now)
