"""How the assistant is to talk, said casually, is a rule; how this one answer is to be is none."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("回我话短点行不。。三句以内就够了 以后都这样", "回用户话短点，三句以内就够了"),
        ("跟我聊天别老用表情了哈", "跟用户聊天别老用表情了"),
        ("跟我说话用大白话哈 别整专业词", "跟用户说话用大白话，别整专业词"),
        ("说话别那么客气 像朋友一样就行", "说话别那么客气，像朋友一样"),
        ("别给我列一二三了 直接说人话", "别给用户列一二三了，直接说人话"),
        ("dont do bullet pts w me anymore ok. just talk normal",
         "Don't do bullet points with the user anymore ok. just talk normal"),
        ("ur answers r way too long. 3 sentences max from here on", "Keep answers to 3 sentences max"),
        ("解释东西的时候多打比方 我看不懂术语", "解释东西的时候多打比方，用户看不懂术语"),
        ("可以不用那么客气 叫我阿杰就行", "可以不用那么客气，叫用户阿杰"),
        ("dont ever say 'utilize' to me", "Don't ever say 'utilize' to the user"),
        ("stop w the long intros pls just get to the point",
         "Stop with the long intros please just get to the point"),
        ("always answer in french please", "Always answer in french"),
        ("keep it short w me, like 2 sentences tops, always",
         "Keep it short with the user, like 2 sentences tops"),
        ("talk to me like a friend not a robot from now on", "Talk to the user like a friend not a robot"),
    ],
)  # fmt: skip
async def test_how_to_talk_is_a_rule(said: str, rule: str) -> None:
    talk = Talk(Offline(embed))
    await talk.say(said)
    assert [(page, line.text) for page, line in await talk.memory.lines()] == [("CORE.md", rule)]


@pytest.mark.parametrize(
    "said",
    ["这次短点", "这段写短点行不", "short version of this pls", "make it shorter", "no bullet points in this one",
     "can u talk normal for a sec lol", "别列了 烦死了", "回我短信啊"],
)  # fmt: skip
async def test_how_one_answer_is_to_be_is_none(said: str) -> None:
    assert await Talk(Offline(embed)).say(said) == []
