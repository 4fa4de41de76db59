"""Words about a filed picture that ask for one thing, and words that do not."""

from __future__ import annotations

import pytest

from classifiers import kinds
from classifiers.asked import Asked, read_asked, read_merge
from classifiers.types import Category

CATEGORIES = (Category("1", "代码笔记"), Category("2", "Receipts", aliases=("票据",)), Category("3", "Trips"))


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("放到代码笔记", "代码笔记"),
        ("→ Receipts", "Receipts"),
        ("-> receipts", "Receipts"),
        ("移到代码笔记", "代码笔记"),
        ("把它移动到「代码笔记」", "代码笔记"),
        ("这张放进旅行", "旅行"),
        ("应该是代码笔记", "代码笔记"),
        ("不对，这是代码笔记", "代码笔记"),
        ("代码笔记", "代码笔记"),
        ("代码笔记吧", "代码笔记"),
        ("改成代码笔记", "代码笔记"),
        ("receipts", "Receipts"),
        ("move it to Trips", "Trips"),
        ("Put this in trips please", "Trips"),
        ("file it under Trips", "Trips"),
        ("No, should be in Receipts", "Receipts"),
        ("it belongs in Trips", "Trips"),
        ("move it to Holiday plans", "Holiday plans"),
        ("票据", "Receipts"),
    ],
)
async def test_where_it_is_to_go(words: str, where: str) -> None:
    await kinds.ready()
    assert read_asked(words, CATEGORIES) == Asked("move", where)


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("move #2 #3 #4 to Trips", (2, 3, 4)),
        ("move #2, #3, and #4 to Trips", (2, 3, 4)),
        ("把 #2、#3 和 7 放到旅行", (2, 3, 7)),
        ("#2-#5 放到旅行", (2, 3, 4, 5)),
        ("move #2–4 and #9 to Trips", (2, 3, 4, 9)),
        ("move #9 to Trips 2026", (9,)),
        ("move photos 3 and 4 to Trips", (3, 4)),
        ("把第3、4张图移到旅行", (3, 4)),
        ("move #9 to Photos 2026", (9,)),
        ("move #3 to Trips", (3,)),
    ],
)
async def test_all_that_are_named_are_meant(words: str, numbers: tuple[int, ...]) -> None:
    """Of several, one was moved and the others were not, without a word."""
    await kinds.ready()
    asked = read_asked(words, CATEGORIES)
    assert asked is not None
    assert (asked.deed, asked.numbers) == ("move", numbers)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("改名为爸妈的机票", "爸妈的机票"),
        ("改名字叫「爸妈的机票」", "爸妈的机票"),
        ("重命名为 retry 的写法", "retry 的写法"),
        ("标题改成：春节车票", "春节车票"),
        ("把它的标题改为春节车票", "春节车票"),
        ("叫「春节车票」", "春节车票"),
        ("标题：春节车票", "春节车票"),
        ("rename it to Train tickets", "Train tickets"),
        ("rename to “All my tickets”", "All my tickets"),
        ("Call it Train tickets.", "Train tickets"),
        ("title: Train tickets", "Train tickets"),
        ("change its title to Train tickets", "Train tickets"),
    ],
)
def test_what_it_is_to_be_called(words: str, title: str) -> None:
    assert read_asked(words, CATEGORIES) == Asked("rename", title)


@pytest.mark.parametrize(
    "words",
    [
        "删掉",
        "删除",
        "删了吧",
        "删掉这张图",
        "把这张删了",
        "不要了",
        "delete it",
        "Delete",
        "please remove this one",
        "throw it away",
        "I don't need it anymore",
    ],
)
def test_it_is_to_go(words: str) -> None:
    assert read_asked(words, CATEGORIES) == Asked("delete")


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("#3 → Receipts", Asked("move", "Receipts", (3,))),
        ("把 #3 放到代码笔记", Asked("move", "代码笔记", (3,))),
        ("把 #3、#5 和 7 放到代码笔记", Asked("move", "代码笔记", (3, 5, 7))),
        ("move #3 and #4 to Trips", Asked("move", "Trips", (3, 4))),
        ("删掉 #12", Asked("delete", "", (12,))),
        ("delete picture 4", Asked("delete", "", (4,))),
        ("rename #4 to Train tickets", Asked("rename", "Train tickets", (4,))),
        ("把第3张改名为 车票", Asked("rename", "车票", (3,))),
        ("恢复 #4", Asked("restore", "", (4,))),
        ("restore #4 please", Asked("restore", "", (4,))),
        ("撤销", Asked("undo")),
        ("undo that", Asked("undo")),
    ],
)
async def test_the_pictures_they_name(words: str, asked: Asked) -> None:
    await kinds.ready()
    assert read_asked(words, CATEGORIES) == asked


@pytest.mark.parametrize(
    "words",
    [
        "",
        "谢谢",
        "nice",
        "为什么放到代码笔记？",
        "以后这种都放到代码笔记",
        "From now on put these in Receipts",
        "always file it under Receipts",
        "这张图里的总价是多少？",
        "what does it say?",
        "不要忘了明天的会",
        "删除那个分支的命令是什么",
        "I deleted the branch yesterday",
        "call me later",
        "delete all my notes about the landlord and tell him",
        "你放在哪里了",
        "x" * 500,
    ],
)
async def test_talk_asks_nothing(words: str) -> None:
    await kinds.ready()
    assert read_asked(words, CATEGORIES) is None


@pytest.mark.parametrize(
    ("words", "merged"),
    [
        ("把【票据】合并到【Receipts】", ("票据", "Receipts")),
        ("票据合并到发票里", ("票据", "发票")),
        ("merge Bills into Receipts", ("Bills", "Receipts")),
        ("Please merge the category “Bills” into “Receipts”.", ("Bills", "Receipts")),
        ("merge the branch?", None),
        ("合并了吗", None),
        ("merge sort is fast", None),
    ],
)
def test_two_categories_are_to_be_one(words: str, merged: tuple[str, str] | None) -> None:
    assert read_merge(words) == merged
