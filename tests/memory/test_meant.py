"""What is supposed, somebody else's, of the day or a permission is refused at every write; harmless things are not."""

from __future__ import annotations

import pytest

from memory.changes import Change, Instruct, Learn, Origin, Source
from memory.guard import refusal
from memory.language import language_of
from memory.phrasing import fact, standing, trimmed
from memory.wording import say as worded
from tests.memory import harmless
from tests.memory.conftest import NOW, Say


def _reason(change: Change, source: Source) -> str:
    """The key of the sentence with which it is refused; "" where it may be written."""
    refused = refusal(change, source, "en")
    keys = ("supposed", "someone_else", "live", "permission")
    return next((key for key in keys if refused == worded("en", key)), refused or "")


@pytest.mark.parametrize(
    ("words", "text", "why"),
    [
        ("要是我在北京上班就好了", "用户在北京上班", "supposed"),
        ("如果我是医生，我会去乡下", "用户是医生", "supposed"),
        ("如果我是医生，我会去乡下", "用户去乡下", "supposed"),
        ("假设我住在罗马，每天要花多少", "用户住在罗马", "supposed"),
        ("万一我失业了，就回老家", "用户失业了", "supposed"),
        ("suppose I live in Rome", "The user lives in Rome", "supposed"),
        ("If I were a doctor I'd move to the country", "The user is a doctor", "supposed"),
        ("I wish I had a dog", "The user has a dog", "supposed"),
        ("if I move to Oslo, I will need a coat", "The user moves to Oslo", "supposed"),
        ("我朋友小李不吃香菜", "用户不吃香菜", "someone_else"),
        ("小李不喜欢足球", "用户不喜欢足球", "someone_else"),
        ("王伟喜欢爵士乐", "用户喜欢爵士乐", "someone_else"),
        ("今天陪我爸去医院，高血压犯了", "用户高血压犯了", "someone_else"),
        ("Jack doesn't like football", "The user doesn't like football", "someone_else"),
        ("My friend Jack doesn't like football", "The user doesn't like football", "someone_else"),
        ("My wife hates coriander", "The user hates coriander", "someone_else"),
        ("华西仓现在库存 300 件", "华西仓库存 300 件", "live"),
        ("茅台今天 1500 一瓶", "茅台 1500 一瓶", "live"),
        ("这种螺丝 3 元/个", "这种螺丝 3 元/个", "live"),
        ("这个合同审批通过了", "合同审批通过", "live"),
        ("红色款又缺货了", "红色款又缺货了", "live"),
        ("the blue ones are out of stock", "The blue ones are out of stock", "live"),
        ("你有权限直接删文件", "助手有权限直接删文件", "permission"),
        (
            "you have my permission to delete files",
            "The assistant has permission to delete files",
            "permission",
        ),
        ("you're allowed to send mail for me", "The assistant is allowed to send mail", "permission"),
    ],
)
@pytest.mark.parametrize("origin", [Origin.LEARNED, Origin.EXPLICIT])
def test_facts_that_are_never_kept(say: Say, words: str, text: str, why: str, origin: Origin) -> None:
    assert _reason(Learn(text, origin=origin), say(words)) == why


@pytest.mark.parametrize(
    ("words", "text", "why"),
    [
        ("老板说以后周报都用表格写", "周报用表格写", "someone_else"),
        ("我们组长说以后都要写日报", "以后都要写日报", "someone_else"),
        ("my colleague says you should always answer in French", "Always answer in French", "someone_else"),
        ("假设你是我的管家，回答都要叫我主人", "回答都叫用户主人", "supposed"),
        ("let's pretend you are a pirate and always answer in rhyme", "Always answer in rhyme", "supposed"),
        ("你有权限直接删文件", "直接删文件，不用问用户", "permission"),
    ],
)
def test_rules_that_are_never_kept(say: Say, words: str, text: str, why: str) -> None:
    assert _reason(Instruct(text), say(words)) == why


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("诺亚对花生过敏，买零食要看配料", "诺亚对花生过敏"),
        ("我老婆不吃香菜", "用户的老婆不吃香菜"),
        ("小李不喜欢足球", "小李不喜欢足球"),
        ("香菜不喜欢", "用户不喜欢香菜"),
        ("周末喜欢睡懒觉", "用户周末喜欢睡懒觉"),
        ("我和小李下周去爬山", "用户和小李下周去爬山"),
        ("不吃羊肉，过敏", "用户不吃羊肉，过敏"),
        ("Noah plays the piano", "Noah plays the piano"),
        ("I moved to Lyon in May", "The user moved to Lyon in May"),
        ("My daughter starts school in September", "The user's daughter starts school in September"),
        ("如果我吃花生就会起疹子", "用户吃花生会起疹子"),
        ("If I eat peanuts I get hives", "The user gets hives if they eat peanuts"),
    ],
)
def test_what_only_looks_like_it_is_kept(say: Say, words: str, text: str) -> None:
    assert _reason(Learn(text), say(words)) == ""


def _lines() -> list[tuple[str, Change]]:
    made: list[tuple[str, Change]] = []
    for text in (*harmless.FACTS_ZH.splitlines(), *harmless.FACTS_EN.splitlines()):
        language = language_of(text) or "zh"
        line = fact(trimmed(text, language), NOW, language, about_self=True)
        made += [(text, Learn(line, origin=Origin.EXPLICIT))] if text else []
    for text in (*harmless.RULES_ZH.splitlines(), *harmless.RULES_EN.splitlines()):
        language = language_of(text) or "zh"
        made += [(text, Instruct(standing(trimmed(text, language), NOW, language)))] if text else []
    return made


def test_a_plain_request_to_remember_something_harmless_is_not_refused(say: Say) -> None:
    lines = _lines()
    refused = {said: reason for said, change in lines if (reason := _reason(change, say(said)))}
    assert len(lines) >= 180
    assert refused == {}
