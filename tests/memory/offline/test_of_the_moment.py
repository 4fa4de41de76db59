"""A wish for now, about what is at hand, or only thought about; what reads as a fact and tells none."""

from __future__ import annotations

import pytest

from memory.offline.of_the_moment import no_fact, of_the_moment


@pytest.mark.parametrize(
    "text",
    [
        "眼下先用全名称呼我",
        "把下面的清单按价格排",
        "上一张弄错了，改放旅行",
        "画个流程图，用横排",
        "我在想，要不要把票据分开放",
        "票据怎么单独放",
        "temporarily use the 12 hour clock",
        "sort the list below by price",
        "I might want a Tickets folder at some point",
        "how do I keep tickets in Travel",
        "先别，我还在路上",
        "以后再说吧",
        "not now, I'm driving",
    ],
)
def test_of_the_moment(text: str) -> None:
    assert of_the_moment(text)


@pytest.mark.parametrize(
    "text",
    [
        "以后画流程图都用横排",
        "写周报用表格",
        "票据单独放票夹",
        "from now on sort the list below by price",
        "keep tickets in Travel",
        "no jokes please",
    ],
)
def test_to_stay(text: str) -> None:
    assert not of_the_moment(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm so hungry I could eat a horse",
        'my boss wrote "I only read lists"',
        "是猫还是狗",
        "发型换了，好看不",
        "我要饿死了",
        "我去门卫那儿问问",
        "那我先想想",
        "oh I'll check with the school, no rush",
    ],
)
def test_no_fact(text: str) -> None:
    assert no_fact(text)


@pytest.mark.parametrize(
    "text", ["I'm hungry before noon on most days", "我养猫", "我还是住老地方", "my boss only reads lists"]
)
def test_a_fact(text: str) -> None:
    assert not no_fact(text)
