"""Talk of which nothing stays: nods, moments, thoughts in theory, how things once were, what others' things do."""

from __future__ import annotations

import pytest

from memory.handed import of_others_words
from memory.offline.told_in_passing import (
    as_it_was,
    files_by_itself,
    in_theory,
    nods,
    of_strangers,
    of_this_moment,
)
from memory.speech_acts import hands_down, points_at


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("ok, thanks", "It opens at nine."),
        ("gotcha, purely hypothetical", "You would have to say so."),
        ("right, nine, cheers", "It opens at nine."),
        ("depends on the day", "How long do you like them?"),
        ("懂了，就随便问问", "可以的。"),
        ("看情况吧", "写多长合适？"),
        ("周五，好的", "是周五。"),
        ("不用麻烦了", "需要我记住吗？"),
    ],
)
def test_a_nod(text: str, heard: str) -> None:
    assert nods(text, heard)
    assert not nods(text, "")  # alone it may mean anything


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("ok, from now on nine", "It opens at nine."),
        ("good. I'm a nurse", "It opens at nine."),
        ("nine", "When do you get up?"),  # an answer
        ("好的，以后都写短点", "可以的。"),
        ("不吃，我吃素", "吃肉吗？"),
    ],
)
def test_more_than_a_nod(text: str, heard: str) -> None:
    assert not nods(text, heard)


@pytest.mark.parametrize(
    "text",
    [
        "I've got five minutes before the call",
        "I'm still on hold with the bank",
        "I'm at the vet with Milo",
        "我在排队呢",
        "就剩两块电池了",
        "I'm allergic to mondays",
        "我对开会过敏",
    ],
)
def test_of_this_moment(text: str) -> None:
    assert of_this_moment(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have an hour's commute each way",
        "I'm at the bakery from four every day",
        "I've two kids",
        "我在车站对面上班",
        "I'm allergic to wasps",
        "我对桃子过敏",
    ],
)
def test_of_more_than_this_moment(text: str) -> None:
    assert not of_this_moment(text)


def test_in_theory() -> None:
    assert in_theory("in theory all scans could go to one place")
    assert in_theory("纯属假设，都放一起行不行")
    assert in_theory("我要是有条船就叫它慢点")
    assert not in_theory("in theory I'm retired, but I still teach")
    assert not in_theory("我有条船叫慢点")


def test_as_it_was() -> None:
    assert as_it_was("back then we filed slides by year")
    assert as_it_was("上家公司的报告都是绿的")
    assert not as_it_was("I used to be a beekeeper, now I run a shop")
    assert not as_it_was("前面说的那条改成每周")


def test_what_files_by_itself_is_no_wish() -> None:
    assert files_by_itself("my phone puts screenshots in Downloads")
    assert files_by_itself("邮箱把通知归到垃圾箱去了")
    assert not files_by_itself("screenshots go in Downloads")
    assert not files_by_itself("以后把通知放到公告")


def test_the_ways_of_strangers() -> None:
    assert of_strangers("the woman upstairs never shuts the door")
    assert of_strangers("楼上又在装修")
    assert not of_strangers("my neighbour Ines has our spare key")
    assert not of_strangers("楼上租客养了只鹦鹉")


def test_what_somebody_ordered_others() -> None:
    assert hands_down("my coach wants everything in writing")
    assert hands_down("组长要求大家以后都站着开会")
    assert not hands_down("I want everything in writing")
    assert not hands_down("以后都写成一段")


def test_what_a_text_is_made_of_is_handed_over() -> None:
    assert of_others_words("as a checklist: gas off, receipts in the van", "receipts in the van")
    assert of_others_words("帮阿吉写个简介：住在绵阳，爱钓鱼", "住在绵阳")
    assert not of_others_words("write this down: no calls before ten", "no calls before ten")
    assert not of_others_words("写邮件的规矩：先说结论", "先说结论")


def test_a_numbered_picture_is_one_that_is_there() -> None:
    assert points_at("number 8")
    assert points_at("八号那张")
    assert not points_at("号码牌")
