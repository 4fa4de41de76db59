"""What was deleted comes back when the person asks for it, named or said once more; other things put back do not."""

from __future__ import annotations

import pytest

from memory import Source
from memory.asked_back import asks_back
from memory.changes import Instruct, Learn, Origin, Retire, Speaker
from memory.intake import take_in
from memory.offline import Offline
from tests.memory.conftest import NOW
from tests.memory.offline.test_offline import Talk, embed, needs_vectors, utterances

pytestmark = needs_vectors


async def lines(held: list[Instruct | Learn], gone: str, *said: str) -> list[str]:
    """The lines after one of them was deleted, and this was said."""
    talk = Talk(Offline(embed))
    for each in held:
        [outcome] = await talk.memory.apply([each], Source("t", "0", NOW, each.text, each.text))
        if gone and gone in each.text:
            await talk.memory.apply(
                [Retire(outcome.line or "")], Source("t", "0", NOW, "forget it", "forget it")
            )
    await take_in(talk.memory, talk.offline.extract, utterances(*said), NOW)
    return [line.text for _, line in await talk.memory.lines()]


def fact(text: str) -> Learn:
    return Learn(text, origin=Origin.EXPLICIT)


@pytest.mark.parametrize(
    ("held", "gone", "said", "then"),
    [
        ([fact("用户喝茶只喝龙井")], "龙井", "那条我之前让你删了 给我记回来吧 我喝茶只喝龙井", ["用户喝茶只喝龙井"]),
        ([fact("用户喝茶只喝龙井"), fact("用户养了一只猫")], "龙井", "之前删掉的龙井那条 帮我加回来",
         ["用户养了一只猫", "用户喝茶只喝龙井"]),
        ([fact("用户不吃香菜")], "香菜", "刚那条删错了 恢复一下", ["用户不吃香菜"]),
        ([Instruct("回答用要点")], "要点", "以前让你删的要点那条还是加回来吧", ["回答用要点"]),
        ([Instruct("Answer in bullet points")], "bullet", "actually put the bullet points rule back pls",
         ["Answer in bullet points"]),
        ([fact("The user takes oat milk")], "oat", "i deleted the oat milk thing by mistake, put it back",
         ["The user takes oat milk"]),
        ([fact("The user takes oat milk")], "oat", "remember that again pls, i take oat milk",
         ["The user takes oat milk"]),
        ([fact("The user takes oat milk")], "oat", "put the chair back where it was", []),
        ([fact("用户不吃香菜")], "香菜", "把照片恢复一下吧", []),
    ],
)  # fmt: skip
async def test_what_is_asked_back_comes_back(
    held: list[Instruct | Learn], gone: str, said: str, then: list[str]
) -> None:
    assert sorted(await lines(held, gone, said)) == sorted(then)


async def test_nothing_comes_back_where_nothing_was_deleted() -> None:
    assert await lines([], "", "put it back") == []


@pytest.mark.parametrize(
    "said", ["did you put it back?", "我昨天回来了", "记一下我回来的时间", "I'll be back"]
)
def test_what_only_sounds_like_it_asks_for_nothing(said: str) -> None:
    assert not asks_back(said)


async def test_the_assistants_own_words_bring_nothing_back() -> None:
    talk = Talk(Offline(embed))
    said = [each for each in utterances("hm", "Shall I put it back?") if each.role is Speaker.ASSISTANT]
    assert await take_in(talk.memory, talk.offline.extract, said, NOW)
    assert await talk.memory.lines() == []
