"""What form says against a line: another's, supposed, of the day, or a permission."""

from __future__ import annotations

import pytest

from memory.meant import unmeant


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("我老婆希望晚上十点后别给她发消息", "用户希望晚上十点后别发消息"),
        ("我朋友小李不吃香菜", "用户不吃香菜"),
        ("小李不喜欢足球", "用户不喜欢足球"),
        ("Jack doesn't like football", "The user doesn't like football"),
        ("My wife hates coriander", "The user hates coriander"),
        ("老板说以后都要写日报", "用户以后都要写日报"),
        ("华西仓现在库存 300 件", "华西仓库存 300 件"),
        ("茅台今天 1500 一瓶", "茅台 1500 一瓶"),
        ("这个合同审批通过了", "合同审批通过了"),
        ("the blue ones are out of stock", "The blue ones are out of stock"),
        ("要是我在北京上班就好了", "用户在北京上班"),
        ("suppose I live in Rome", "The user lives in Rome"),
        ("如果我是医生，我会去乡下", "用户是医生"),
        ("你有权限直接删文件", "用户允许直接删除文件"),
        ("you have my permission to delete files", "The assistant may delete files"),
    ],
)
def test_unmeant(sentence: str, text: str) -> None:
    assert unmeant(text, sentence) != ""


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("诺亚对花生过敏，买零食要看配料", "诺亚对花生过敏"),
        ("我老婆不吃香菜", "用户的老婆不吃香菜"),
        ("我老婆不吃香菜", "老婆不吃香菜"),
        ("小李不喜欢足球", "小李不喜欢足球"),
        ("我和小李下周去爬山", "用户和小李下周去爬山"),
        ("我住在苏州", "用户住在苏州"),
        ("不吃羊肉，过敏", "用户不吃羊肉，过敏"),
        ("灯塔项目九月上线", "灯塔项目 2026-09 上线"),
        ("Noah plays the piano", "Noah plays the piano"),
        ("I moved to Lyon in May", "The user moved to Lyon in May"),
        ("My daughter starts school in September", "The user's daughter starts school in September"),
        ("如果下雨就改到周日", "如果下雨就改到周日"),
    ],
)
def test_meant(sentence: str, text: str) -> None:
    assert unmeant(text, sentence) == ""


def test_a_rule_that_somebody_else_wants_is_none_of_the_persons() -> None:
    assert unmeant("周报用表格写", "老板说以后周报都用表格写", rule=True) != ""
    assert unmeant("周报用表格写", "以后周报都用表格写", rule=True) == ""
