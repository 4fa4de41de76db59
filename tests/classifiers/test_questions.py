"""How people ask about their pictures, told by form alone; and what only sounds like it."""

from __future__ import annotations

import pytest

from classifiers.questions import (
    asks_for_like,
    asks_what_came,
    asks_where_it_lies,
    asks_why_of_a_kind,
    looks_for_one,
    names_one,
    points_at_one,
    seeks,
    sought,
)

WHERE = [
    "为什么放那里？",
    "为啥归到这个分类",
    "怎么把它放到那边去了",
    "你把它放哪了",
    "刚才那张存哪儿了？",
    "它在哪个分类",
    "Why is it in that category?",
    "why did it end up there?",
    "How come you filed this under Bills?",
    "Where did you put it?",
    "which folder is it in?",
]
CAME = [
    "最近存了什么图",
    "最近归档了哪些图片？",
    "我一共存了多少张图？",
    "刚刚收了哪些截图",
    "what did you file lately?",
    "show me the latest pictures",
    "How many screenshots did I send you?",
    "what pictures have I sent so far",
]
FIND = [
    "找一下地图",
    "帮我找找那张小票",
    "火车票呢？",
    "find the map",
    "look for my boarding pass",
    "pull up that receipt",
]
NONE = [
    "为什么天是蓝的",
    "我住在哪",
    "你多大了",
    "最近有点累",
    "最近怎么样",
    "找个时间聊聊",
    "Why do you think that?",
    "where do I live?",
    "How have you been lately?",
    "find me a good restaurant",
    "it was there yesterday",
]


@pytest.mark.parametrize("words", WHERE)
def test_where_it_lies_and_why(words: str) -> None:
    assert asks_where_it_lies(words)
    assert not asks_what_came(words)


@pytest.mark.parametrize("words", CAME)
def test_what_came_lately(words: str) -> None:
    assert asks_what_came(words)
    assert not asks_where_it_lies(words)


@pytest.mark.parametrize("words", FIND)
def test_one_is_looked_for(words: str) -> None:
    assert looks_for_one(words)
    assert not asks_what_came(words)


@pytest.mark.parametrize("words", NONE)
def test_none_of_these(words: str) -> None:
    assert not asks_where_it_lies(words)
    assert not asks_what_came(words)
    assert not looks_for_one(words)


def test_one_is_named_or_only_pointed_at() -> None:
    for words in (
        "这张是哪家店的",
        "刚发的那张图写了什么",
        "图里是谁",
        "what does this picture say",
        "the screenshot is blurry",
    ):
        assert names_one(words)
        assert points_at_one(words)
    for words in ("what does it say?", "这个多少钱", "这是什么"):
        assert not names_one(words)
        assert points_at_one(words)
    assert not points_at_one("我对什么过敏")
    assert not names_one("the picture of my cat")


def test_a_kind_is_asked_about() -> None:
    assert asks_why_of_a_kind("为什么小票都放票据？")
    assert asks_why_of_a_kind("why do receipts go to Bills?")
    assert not asks_why_of_a_kind("why is the sky blue")


def test_pictures_like_one_are_asked_for() -> None:
    for words in (
        "和 #3 相似的图",
        "有没有跟这张图类似的？",
        "找类似的截图",
        "find pictures similar to #3",
        "which screenshots look like this one?",
        "any pictures like this one?",
    ):
        assert asks_for_like(words), words
    for words in ("it looks like rain", "和上次一样放", "类似的事别再做", "file pictures of code under Dev"):
        assert not asks_for_like(words), words


def test_what_is_sought_is_what_is_left() -> None:
    assert sought("帮我找一下地图") == "地图"
    assert sought("where is the lasagna recipe screenshot I sent?") == "lasagna recipe"
    assert sought("最近存了什么图？") == ""
    assert sought("找一下收据") == "收据"
    assert sought("去年的存款截图发给我") == "去年 存款"
    assert sought("你收到的图片发给我") == ""
    assert sought("What did I send you?") == ""


def test_an_order_to_find_a_thing_by_its_name() -> None:
    for words in (
        "搜 retry",
        "找一下 grocery",
        "帮我找收据",
        "find grocery",
        "search for row unpacking",
        "look up zebra",
    ):
        assert seeks(words), words
    for words in (
        "帮我找个饭馆",
        "find out why it fails",
        "find me a restaurant",
        "search the web for jazz",
        "找到了",
        "find",
        "find the shortest way from the hotel to the old harbour",
    ):
        assert not seeks(words), words
