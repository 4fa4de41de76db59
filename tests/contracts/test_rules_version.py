"""Memory and the classifiers name the rules they saw; a picture is judged again only where the names differ."""

from __future__ import annotations

from datetime import UTC, datetime

from classifiers.image import version_of
from memory import Memory, Source
from memory.changes import Instruct
from memory.store import DictStore

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


async def test_both_name_the_same_rules_alike() -> None:
    memory = Memory(DictStore(), person="me", now=lambda: NOW)
    assert await memory.version() == version_of(await memory.core()) == version_of("")
    words = "发票截图放到报销"
    await memory.apply([Instruct(words)], Source("terminal:me", "1", NOW, words, words))
    assert await memory.version() == version_of(await memory.core()) != version_of("")
