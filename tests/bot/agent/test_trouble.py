"""Whatever goes wrong with memory is said in the person's language, never in the words it was raised with."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bot.agent.trouble import explain
from memory.errors import MemoryProblem, StoreUnreadable


def kinds(of: type[MemoryProblem] = MemoryProblem) -> Iterator[type[MemoryProblem]]:
    yield of
    for each in of.__subclasses__():
        yield from kinds(each)


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.__name__)
def test_each_kind_has_a_sentence_in_both(kind: type[MemoryProblem]) -> None:
    error = kind()
    zh, en = explain(error, "zh"), explain(error, "en")
    assert str(error), "it has words of its own, which are English"
    assert re.search(r"[\u4e00-\u9fff]{4}", zh)
    assert not re.search(r"[A-Za-z]{3}", zh)
    assert not re.search(r"[\u4e00-\u9fff]", en)


def test_the_file_is_named() -> None:
    error = StoreUnreadable("topics/饮食.md", "Permission denied")
    assert str(error) == "topics/饮食.md cannot be read (Permission denied)."
    assert explain(error, "zh") == "记忆文件 topics/饮食.md 现在读不了，请看看它的权限和所在的磁盘。"
