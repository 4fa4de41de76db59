"""What is forgotten, and what stays though it sounds like it."""

from __future__ import annotations

import pytest

from memory.changes import Learn, Origin, Source
from memory.offline import Offline
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
    ],
)
async def test_a_line_that_nobody_gave_up_stays(held: str, said: str) -> None:
    talk = Talk(Offline(embed))
    source = Source("t", "0", NOW, held, held)
    await talk.memory.apply([Learn(held, origin=Origin.EXPLICIT)], source)
    await talk.say(said)
    assert held in [line.text for _, line in await talk.memory.lines()]
