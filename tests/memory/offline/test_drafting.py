"""Natural talk, from the words to the line that is written: what the guard lets pass counts, not what was proposed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from memory.changes import Did
from memory.offline import Offline
from memory.offline.drafting import with_more
from tests.memory.conftest import NOW
from tests.memory.offline.test_offline import Talk, embed, needs_vectors


@pytest.fixture
def talk() -> Talk:
    return Talk(Offline(embed))


@needs_vectors
@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("My name is Rosa", ["The user's name is Rosa"]),
        ("my cousin Ida moved to Bergen in February", ["The user's cousin Ida moved to Bergen in 2026-02"]),
        (
            "my cat is called Waffle and she hates thunder",
            ["The user's cat is called Waffle and she hates thunder"],
        ),
        (
            "以后我说老窝就是河边那个旧仓库你别给我指到新仓库去",
            ["用户说“老窝”时，指河边那个旧仓库"],
        ),
        (
            "I work nights at the dock so dont suggest morning gyms",
            ["The user works nights at the dock", "Don't suggest morning gyms"],
        ),
        ("我换单位了，不在三中了，现在在教育局上班", ["用户现在在教育局上班"]),
        ("孩子他妈牛奶过敏，买蛋糕要注意啥", ["孩子他妈牛奶过敏"]),
        ("anything from the dentist goes into Health", ['File anything from the dentist under "Health"']),
        ("房租的截图往后都归「家」那栏", ["房租的截图归档到「家」"]),
        ("凡是菜谱都给我丢到厨房里头去，别放杂项", ["菜谱归档到「厨房」"]),
        ("我老伴儿高血压，咸菜能吃不", ["用户老伴儿高血压"]),
        ("我不在宁波了，上月搬嘉兴来了", ["用户2026年2月搬嘉兴来了"]),
        ("flyers and theatre programmes → Events, ta", ['File flyers and theatre programmes under "Events"']),
        ("we've got twins so two of everything pls", ["The user has got twins"]),
        (
            "Please could all prices you give me be in euros going forward.",
            ["All prices you give the user should be in euros"],
        ),
        ("虾就别放了 我家老大虾过敏", ["用户家老大虾过敏"]),
        (
            "ok so for my history project im building a wooden bridge",
            ["The user is building a wooden bridge for the user's history project"],
        ),
        (
            "Shop Floor folder. any shelf photo i send you goes there from now on, dont ask",
            ['File shelf photo under "Shop Floor"'],
        ),
        (
            "mate the boat shed on Quay Rd. whenever i say the hut thats what i mean",
            ["When the user says “the hut”, the user means the boat shed on Quay Rd."],
        ),
        (
            "One thing for this and all site reports going forward: close with the weather",
            ["For all site reports, close with the weather"],
        ),
        ("拜托你件事，往后我拍给你的车票，都请放到「旅途」里头，好找。", ["车票归档到「旅途」"]),
    ],
)
async def test_what_is_written(talk: Talk, said: str, lines: list[str]) -> None:
    outcomes = await talk.say(said)
    assert [outcome.after for outcome in outcomes] == lines
    assert [outcome.did for outcome in outcomes] == [Did.ADDED] * len(lines)


@needs_vectors
@pytest.mark.parametrize(
    "said",
    [
        "天热，牛奶搁阳台上放着了还能喝不",
        "别啊，以后都按两千字来，我最爱看长文了，呵呵",
        "先别 我要出门 回头再说",
        "那我去门卫那儿问问",
        "From now on use the side door, says the notice",
        "以后都写十页才好呢，我闲着没事干",
        "帮我改一句：我老伴儿高血压",
        "翻译一下：我对坚果过敏，请不要放花生",
        "Do you always put photos in order by date, or by place?",
        "你那儿是不是还记着我的鞋码？",
    ],
)
async def test_nothing_is_written(talk: Talk, said: str) -> None:
    found = await talk.extract(said)
    assert (found.changes, found.questions) == ((), ())


@needs_vectors
async def test_what_is_forgotten_is_not_told_anew(talk: Talk) -> None:
    await talk.say("I'm a vegetarian")
    outcomes = await talk.say("Forget that I'm a vegetarian")
    assert [outcome.did for outcome in outcomes] == [Did.REMOVED]
    assert not await talk.memory.lines()


@needs_vectors
async def test_a_rule_ends_on_the_day_that_was_said(talk: Talk) -> None:
    await talk.say("From today through December 14, please give me all times in Lisbon time.")
    [(_, line)] = await talk.memory.lines()
    assert line.until is not None
    assert (line.until.month, line.until.day) == (12, 14)


@needs_vectors
async def test_a_name_is_kept_when_more_is_told_of_somebody(talk: Talk) -> None:
    await talk.say("My aunt is called Rosa")
    await talk.say("My aunt works as a midwife up in Leeds")
    assert any("Rosa" in line.text for _, line in await talk.memory.lines())


@needs_vectors
async def test_put_with_its_like_is_asked_about(talk: Talk) -> None:
    found = await talk.extract("车票和别的差旅资料放一块")
    assert (len(found.changes), len(found.questions)) == (0, 1)


@pytest.mark.parametrize(
    ("held", "said", "one"),
    [
        ("The user has a bad knee", "It is the left one", "The user has a bad knee; it is the left one"),
        ("The user has a niece", "Ida is nine now", "The user has a niece; Ida is nine now"),
        ("用户养了一只猫。", "用户的猫叫年糕", "用户养了一只猫，用户的猫叫年糕"),
        ("The user drinks tea", "The user drinks green tea", "The user drinks green tea"),
    ],
)
def test_what_is_said_besides_joins_its_line(held: str, said: str, one: str) -> None:
    assert with_more(held, said) == one


@needs_vectors
@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("Dentist tomorrow at 8:15", NOW.date() + timedelta(days=2)),
        ("我明天下午三点去看牙", NOW.date() + timedelta(days=2)),
        ("I moved to Bath yesterday", None),
        ("I have lunch at noon every day", None),
    ],
)
async def test_an_appointment_is_known_until_the_day_after(talk: Talk, said: str, until: date | None) -> None:
    await talk.say(said)
    [(_, line)] = await talk.memory.lines()
    assert line.until == until
