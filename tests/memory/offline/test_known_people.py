"""Who is meant by a name, or by "he", where the pages tell whose name it is."""

from __future__ import annotations

from memory.offline.known_people import Known, known_people, last_named, named_in_full, named_too
from memory.page import CORE, Line

LINES = [
    ("topics/family.md", Line("t1", "The user's cousin Ida works as a welder.")),
    ("topics/family.md", Line("t2", "The user has a parrot called Fritz.")),
    ("topics/family.md", Line("t3", "用户的女儿糖糖上小学一年级。")),
    ("topics/family.md", Line("t4", "用户有个弟弟，叫阿力。")),
    (CORE, Line("c1", "Call the user's cousin Bo Mister.")),
]


def test_only_those_whose_name_was_spoken_are_known() -> None:
    assert known_people(LINES, "a present for ida, and fritz") == [
        Known("Ida", "The user's cousin Ida"),
        Known("Fritz", "The user's parrot Fritz"),
    ]
    assert known_people(LINES, "糖糖的书包") == [Known("糖糖", "用户的女儿糖糖")]
    assert known_people(LINES, "阿力来了") == [Known("阿力", "用户的弟弟阿力")]
    assert known_people(LINES, "Bo called") == []


def test_he_is_the_one_who_was_named_last() -> None:
    people = known_people(LINES, "ida and fritz")
    assert last_named(people, "fritz likes ida") == Known("Ida", "The user's cousin Ida")
    assert last_named([], "fritz") is None


def test_a_bare_name_is_told_named_in_full() -> None:
    people = known_people(LINES, "ida 糖糖")
    assert named_in_full("Ida is a baker", people, "en") == "The user's cousin Ida is a baker"
    assert named_in_full("ida's a baker now", people, "en") == "The user's cousin Ida is a baker now"
    assert named_in_full("糖糖升二年级了", people, "zh") == "用户的女儿糖糖升二年级了"
    assert named_in_full("Idaho is far", people, "en") == "Idaho is far"


def test_a_name_is_not_lost_when_more_is_told() -> None:
    assert (
        named_too("The user's aunt bakes", "The user's aunt is called Rosa.") == "The user's aunt Rosa bakes"
    )
    assert named_too("用户的姑姑在邮局上班", "用户的姑姑叫玉兰") == "用户的姑姑玉兰在邮局上班"
    assert (
        named_too("The user's aunt is called Ros", "The user's aunt is called Rosa")
        == "The user's aunt is called Ros"
    )
    assert named_too("The user's aunt bakes", "The user's aunt lives in Bari") == "The user's aunt bakes"
