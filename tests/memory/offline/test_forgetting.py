"""What is forgotten, and what stays though it sounds like it."""

from __future__ import annotations

import pytest

from memory.changes import Kind, Learn, Origin, Source
from memory.offline import Offline
from memory.offline.forgetting import how_sure
from memory.offline.understanding import Understanding
from memory.page import Line
from tests.memory.conftest import NOW
from tests.memory.offline.test_offline import Talk, embed, needs_vectors


@needs_vectors
@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("用户对花生过敏", "别忘了我对花生过敏"),
        ("用户对花生过敏", "过敏那条别删"),
        ("The user is allergic to nuts", "please don't ever forget my nut allergy"),
        ("用户的鞋码是42", "忘掉除了鞋码以外的一切"),
        ("The user wears size 42 shoes", "forget everything except my shoe size"),
        ("The user lives in York", "remove York from this list"),
        ("The user likes jazz", "remove jazz from the playlist"),
        ("The user is allergic to nuts", "I'm allergic to shrimp too"),
        ("The user speaks French", "I also speak German"),
        ("The user's dentist is Dr Pell", "drop the reminder about the dentist, they rang me"),
        ("The user's uncle lives in Porto", "cancel the trip to Porto"),
        ("用户每周三开例会", "把周三那个会议取消吧"),
        ("用户每天早上跑步", "把跑步的闹钟关了"),
    ],
)
async def test_a_line_that_nobody_gave_up_stays(held: str, said: str) -> None:
    talk = Talk(Offline(embed))
    source = Source("t", "0", NOW, held, held)
    await talk.memory.apply([Learn(held, origin=Origin.EXPLICIT)], source)
    await talk.say(said)
    assert held in [line.text for _, line in await talk.memory.lines()]


def _part(said: str, forget: float) -> Understanding:
    return Understanding("forget", forget, {"forget": forget}, said=said)


@pytest.mark.parametrize(
    ("said", "chance", "held", "sure"),
    [
        ("lose what you have on my dentist", 0.9, "The user's dentist is Dr Pell", "do"),
        ("lose what you have on my dentist", 0.4, "The user's dentist is Dr Pell", "ask"),
        ("my dentist again", 0.1, "The user's dentist is Dr Pell", ""),
        ("forget what my dentist is called", 0.1, "The user's dentist is Dr Pell", "ask"),  # its form says so
        ("drop the reminder about the dentist", 0.9, "The user's dentist is Dr Pell", ""),
        ("drop the reminder rule", 0.9, "Remind the user to drink", "do"),
        ("no more reminders to drink", 0.9, "Send the user reminders to drink", "do"),
        ("日记那个别写了", 0.9, "用户写日记", "do"),
        ("出差推迟一天", 0.9, "用户12月3号出差", ""),  # it takes place
    ],
)
def test_how_sure_it_must_be(said: str, chance: float, held: str, sure: str) -> None:
    line = Line("t1", held, Kind.PERSONA, Origin.EXPLICIT)
    assert how_sure(_part(said, chance), line) == sure
