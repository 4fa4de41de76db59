"""What is never written, in both languages; and what must not be mistaken for it."""

from __future__ import annotations

import pytest

from memory.changes import Change, Instruct, Learn, Retire, Revise
from memory.coverage import negations
from memory.guard import MOST, refusal
from memory.secret_shapes import secret_in
from memory.wording import Language
from tests.memory.conftest import Say

SECRETS = [
    "sk-proj-abcDEF1234567890ghij",
    "the key is AIzaSyA1234567890abcdefghijklmnopqrs",
    "AKIAIOSFODNN7EXAMPLE",
    "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "ghp_abcdefghijklmnopqrstuvwxyz0123",
    "密码 Qw3#rty!",
    "家里wifi密码是sunflower",
    "password: hunter2",
    "my pw is Letmein1",
    "我的pin是4471",
    "门锁密码 220193",
    "the alarm code for the shed is 7731#",
    "验证码 480216",
    "身份证 11010519491231002X",
    "卡号 4242 4242 4242 4242",
    "postgres://app:s3cretpw@db/main",
    "后台 root / Kestrel@4471x 存一下",
]
HARMLESS = [
    "no API key in the build",
    "提醒用户三个月改一次密码",
    "密码学笔记归档到「密码学」",
    "password reset mails go to Admin",
    "the password is never stored here",
    "订单号 202603120000123456",
    "电话 13800138000",
    "change the pin every 90 days",
    "token economy lecture notes",
    "验证码截图归档到「杂项」",
    "用户的门牌号是 12-3",
    "mail me at jo23@example.org",
    "the handle is @jo2345678",
    "issue repo#1234 is fixed",
    "R&D budget 2026",
]


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_known_by_their_shape(text: str, say: Say) -> None:
    assert secret_in(text)
    reason = refusal(Learn(text), say(text), "zh")
    assert reason is not None
    assert "不会存" in reason


@pytest.mark.parametrize("text", HARMLESS)
def test_words_alone_are_no_secret(text: str) -> None:
    assert secret_in(text) is None


def _refused(
    change: Change, say: Say, words: str, quote: str = "", language: Language = "en", context: str = ""
) -> bool:
    return refusal(change, say(words, quote, context=context), language) is not None


def test_the_quote_must_be_the_persons_own_words(say: Say) -> None:
    assert _refused(Instruct("Use tables"), say, "thanks", "always use tables")
    assert _refused(Retire("r1"), say, "thanks", "forget it")
    assert not _refused(Instruct("Use tables"), say, "Please ALWAYS\n use  tables", "always use tables")
    assert not _refused(Instruct("用 Vue 写前端"), say, "以后用Ｖｕｅ写前端", "用Vue写前端")
    assert _refused(Instruct("Use tables"), say, "", "")


def test_numbers_must_have_been_said(say: Say) -> None:
    assert _refused(Instruct("Wake the user at 6:30"), say, "wake me early")
    assert not _refused(Instruct("Wake the user at 6:30"), say, "wake me at half past six, 6:30")
    assert not _refused(Instruct("22:00 后不要提醒"), say, "晚上十点后不要提醒")
    assert not _refused(Instruct("22:00 后不要提醒"), say, "晚上10点后不要提醒")
    assert not _refused(Learn("2026-03-12 用户去体检"), say, "明天去体检")
    assert not _refused(Learn("The user flies on 2026-03-18"), say, "I fly next Wednesday")
    assert _refused(Learn("The user flies on 2026-03-19"), say, "I fly next Wednesday")
    assert not _refused(Learn("用户有三个孩子"), say, "我有3个孩子")
    assert not _refused(Learn("The user has 3 children"), say, "I have three kids, children I mean")


def test_names_must_have_been_said(say: Say) -> None:
    assert _refused(Learn("The user works with Priya"), say, "I work with someone new")
    assert not _refused(Learn("The user works with Priya"), say, "i work with priya now")
    assert _refused(Instruct("收据归档到「报销」"), say, "收据以后放家用")
    assert not _refused(Instruct("收据归档到「报销」"), say, "收据以后放报销")
    assert not _refused(Learn("The user works on Monday"), say, "I work mondays")


def test_nothing_is_turned_round(say: Say) -> None:
    assert _refused(Learn("用户喜欢吃羊肉"), say, "我不喜欢吃羊肉", language="zh")
    assert _refused(Learn("The user does not eat lamb"), say, "I eat lamb")
    assert _refused(Learn("用户不吃辣"), say, "不是不吃辣，我是不吃甜", language="zh")
    assert not _refused(Learn("用户不吃甜"), say, "不是不吃辣，我是不吃甜", language="zh")
    assert not _refused(Instruct("回答最多三句话"), say, "回答不要超过三句话", language="zh")
    assert not _refused(Instruct("收据归档到「家用」"), say, "收据别放报销了，改放家用", language="zh")
    assert not _refused(Learn("用户忌口羊肉，也不喝酒"), say, "我忌口羊肉，也不喝酒", language="zh")


def test_words_that_only_end_like_a_negation_turn_nothing() -> None:
    assert negations("I want a point about the important restaurant, student!") == 0
    assert negations("I don't, you didn’t, he cant") == 3


def test_a_line_must_stand_alone(say: Say) -> None:
    assert _refused(Instruct("就照这样来"), say, "就照这样来", language="zh")
    assert _refused(Instruct("Always do it like that"), say, "always do it like that")
    assert not _refused(
        Instruct("Put action items into a table"),
        say,
        "always do it like that",
        context="I put action items into a table.",
    )


def test_size(say: Say) -> None:
    assert _refused(Instruct("  …  "), say, "…")
    assert _refused(Instruct("long " * MOST), say, "long " * MOST)


def test_a_line_that_gives_way_covers_its_own_numbers(say: Say) -> None:
    change = Revise("r1", "Wake the user at 7:15, not on Sundays")
    source = say("not on sundays please")
    assert refusal(change, source, "en") is not None
    assert refusal(change, source, "en", ["Wake the user at 7:15"]) is None


def test_reasons_speak_the_persons_language(say: Say) -> None:
    zh, en = (refusal(Instruct("x y"), say("other words", "x y"), language) for language in ("zh", "en"))
    assert zh != en
    assert zh is not None
    assert "你" in zh
