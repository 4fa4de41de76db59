"""Signs of how a sentence is meant."""

from __future__ import annotations

import pytest

from memory.offline.said import said
from memory.offline.signs import signs


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("sure, always send it twice lol", "laughs"),
        ("行啊，以后发两遍呗", "gives in"),
        ("if I moved away, then what", "supposes"),
        ("先别动，就好奇问问", "only asks"),
        ("back then we wrote it all by hand", "once was"),
        ("proofread: I like tea", "works on a text"),
        ("from now on you bring me coffee", "for good, you"),
        ('"never say never" is the title', "quotes"),
        ("你当掌柜，我来住店", "opens a scene"),
    ],
)
def test_a_sign_is_seen(text: str, sign: str) -> None:
    found = signs(said(text)[0])
    assert sign in found
    assert [name for name in found if name.startswith(f"{sign} ")]  # in its language too


def test_plain_words_bear_no_sign_of_a_joke() -> None:
    found = set(signs(said("以后回答最多三句话")[0]))
    assert found.isdisjoint({"laughs", "smirks", "supposes", "only asks", "gives in", "mocks", "quotes"})


def test_what_was_said_before_makes_a_nod_of_it() -> None:
    assert "nods at the answer" in signs(said("ok, clear", "Yes, always.", "do you sort by date?")[0])
    assert "nods at the answer" not in signs(said("ok, clear", "Shall I?", "sort them by date")[0])
    assert "a scene before" in signs(said("I'm Bruno", "Halt!", "you be the guard, I'm a spy")[0])
    assert not [sign for sign in signs(said("ok, clear")[0]) if "before" in sign or "heard" in sign]
