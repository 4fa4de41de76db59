"""A folder that is only looked at: read as it stands, hand edits too, and not one byte of it changed."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory import FolderStore, Memory
from memory.changes import Did, Instruct, Source
from memory.errors import StoreUnwritable
from memory.read_only import ReadOnly

NOW = datetime(2026, 3, 11, 21, 0, tzinfo=timezone(timedelta(hours=8)))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


async def test_everything_is_read_and_nothing_is_written(tmp_path: Path) -> None:
    source = Source("terminal:me", "1", NOW, "回答都要简短", "回答都要简短")
    await Memory(FolderStore(tmp_path), person="me", now=lambda: NOW).apply(
        [Instruct("回答都要简短")], source
    )
    core = tmp_path / "CORE.md"
    core.write_text(core.read_text(encoding="utf-8") + "- 不要用表情\n", encoding="utf-8")
    before = bytes_of(tmp_path)
    memory = Memory(ReadOnly(FolderStore(tmp_path)), person="me", now=lambda: NOW)
    assert await memory.core() == "[r1] 回答都要简短\n[] 不要用表情"
    assert [each.line.text for each in await memory.search("表情")][:1] == ["不要用表情"]
    words = "周报写三段"
    foreseen = await memory.foresee(Instruct(words), Source("x:me", "", NOW, words, words))
    assert foreseen.did is Did.ADDED
    assert bytes_of(tmp_path) == before


def test_a_write_is_refused(tmp_path: Path) -> None:
    store = ReadOnly(FolderStore(tmp_path))
    with pytest.raises(StoreUnwritable):
        store.write("CORE.md", "x", was=None)
    with pytest.raises(StoreUnwritable):
        store.append("journal.jsonl", "x")
    with pytest.raises(StoreUnwritable):
        store.remove("CORE.md", was="x")
    assert list(tmp_path.iterdir()) == []
