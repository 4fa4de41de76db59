"""Chat spelling is read like its long form, names stay as they are, and a quote is found as it was typed."""

from __future__ import annotations

import pytest

from memory.spelling import spelled


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("pls dont use tables w me", "please don't use tables with me"),
        ("til may 3 answer me in french thru email", "until may 3 answer me in french through email"),
        ("ur too chatty, keep ur answers short", "you're too chatty, keep your answers short"),
        (
            "im a baker, 12 yrs, so no early mtgs b4 noon",
            "I'm a baker, 12 years, so no early mtgs before noon",
        ),
        ("PLS DONT shout", "Please Don't shout"),
        ("put em in Trips w/o asking", "put them in Trips without asking"),
        ("no bullet pts, smth shorter", "no bullet points, something shorter"),
        ("no em dashes", "no em dashes"),
        ("never write 'u' or \"pls\" for me", "never write 'u' or \"pls\" for me"),
        ("no MSG, and the till receipts of HR", "no MSG, and the till receipts of HR"),
        ("mail w@til.im about u.s. law", "mail w@til.im about u.s. law"),
        ("这个咋弄啊 有啥好办法", "这个怎么弄啊，有什么好办法"),
        ("以后短点行不。都这样哈", "以后短点行吗。都这样啊"),
        ("哈哈哈 去哈尔滨呗", "哈哈哈，去哈尔滨吧"),
        ("放「旅行 咋办」里哈 谢谢", "放「旅行 咋办」里啊，谢谢"),
        ("存到 U盘 w 里", "存到 U盘 w 里"),
    ],
)
def test_it_is_read_in_full(typed: str, read: str) -> None:
    assert spelled(typed).text == read
    assert spelled(read).text == read  # and read once more it says the same


@pytest.mark.parametrize(
    ("typed", "part", "quote"),
    [
        ("ok til may 3 dont call", "until may 3 don't call", "til may 3 dont call"),
        ("pls dont use tables w me", "don't use tables", "dont use tables"),
        ("短点行不 手机上累哈 以后都这样", "手机上累啊，以后都这样", "手机上累哈 以后都这样"),
        ("im a baker", "I'm a baker", "im a baker"),
        ("im a baker", "The user is a baker", "im a baker"),
        ("put em in Trips", "in Trips", "in Trips"),
    ],
)
def test_a_part_of_it_is_quoted_as_it_was_typed(typed: str, part: str, quote: str) -> None:
    assert spelled(typed).as_typed(part) == quote


@pytest.mark.parametrize("typed", ["x" * 50_000, "a@" * 20_000, "dont " * 10_000, "「" * 9_000])
def test_of_a_long_message_only_the_beginning_is_read_and_nothing_is_lost(typed: str) -> None:
    read = spelled(typed)
    assert read.as_typed(read.text) == typed
    assert read.text[-100:] == typed[-100:]
