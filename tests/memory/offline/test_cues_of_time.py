"""A wish for a while is a standing one with an end; a thing to be made this week is none."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "til april 20 only give me meat free meals pls",
            "Until 2026-04-20 only give the user meat free meals (until: 2026-04-20)",
        ),
        (
            "for the next two weeks answer me in italian, im practicing",
            "Until 2026-03-25 answer the user in italian, the user is practicing (until: 2026-03-25)",
        ),
        (
            "pls dont remind me abt the gym through the end of may",
            "Don't remind the user about the gym through 2026-05-31 (until: 2026-05-31)",
        ),
        (
            "while im in lisbon use euros and celsius for everything",
            "While the user is in lisbon use euros and celsius for everything",
        ),
        (
            "从现在到4月30号 给我推荐的都要素的哈",
            "从现在到2026-04-30，给用户推荐的都要素的 (until: 2026-04-30)",
        ),
        ("这两周回我都用粤语呗", "到2026-03-25为止，回用户都用粤语 (until: 2026-03-25)"),
        ("到国庆之前别给我推荐奶茶", "到国庆之前别给用户推荐奶茶 (until: 2026-10-01)"),
        ("期末考完之前别给我推剧", "期末考完之前别给用户推剧"),
        ("我在成都出差这段时间 推荐吃的都按成都来", "用户在成都出差这段时间，推荐吃的都按成都来"),
    ],
)
async def test_a_wish_for_a_while_has_its_end(said: str, rule: str) -> None:
    talk = Talk(Offline(embed))
    await talk.say(said)
    [(page, line)] = await talk.memory.lines()
    assert page == "CORE.md"
    assert str(line).removeprefix("- ").rsplit(" ^", 1)[0] == rule


@pytest.mark.parametrize(
    "said",
    [
        "this week write me a cover letter",
        "这两天帮我查下机票",
        "这个月我都在出差，好累",
        "use the other door til monday its locked",
        "这周五之前把报告给我发过来",
    ],
)
async def test_a_thing_to_be_done_in_a_while_is_none(said: str) -> None:
    assert await Talk(Offline(embed)).say(said) == []
