"""One contract, every store through it; then what only a folder can get wrong."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.errors import BadName, StaleError, StoreUnwritable
from memory.rehearsal import Rehearsal
from memory.store import DictStore, FolderStore, Store, slug

MAKERS: dict[str, Callable[[Path], Store]] = {
    "folder": FolderStore,
    "dict": lambda path: DictStore(),
    "rehearsal": lambda path: Rehearsal(FolderStore(path)),
}


@pytest.fixture(params=MAKERS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MAKERS[str(request.param)](tmp_path / "me")


def test_what_is_written_is_read(store: Store) -> None:
    assert store.read("CORE.md") is None
    store.write("CORE.md", "- 一 ^r1\r\n- two\n", was=None)
    assert store.read("CORE.md") == "- 一 ^r1\r\n- two\n"


def test_a_page_that_changed_meanwhile_is_not_overwritten(store: Store) -> None:
    store.write("CORE.md", "a", was=None)
    with pytest.raises(StaleError):
        store.write("CORE.md", "b", was=None)
    with pytest.raises(StaleError):
        store.write("CORE.md", "b", was="x")
    assert store.read("CORE.md") == "a"


def test_append_makes_and_grows(store: Store) -> None:
    store.append("journal.jsonl", "1\n")
    store.append("journal.jsonl", "2\n")
    assert store.read("journal.jsonl") == "1\n2\n"


def test_names(store: Store) -> None:
    for name in ("CORE.md", "topics/b.md", "topics/people/noah.md", "topics/关于我.md", "journal.jsonl"):
        store.append(name, "x")
    assert store.names("topics/") == ["topics/b.md", "topics/people/noah.md", "topics/关于我.md"]
    assert "CORE.md" in store.names()


@pytest.mark.parametrize(
    "name", ["../x.md", "/etc/x.md", "topics/../../x.md", "topics//x.md", ".x.md", "x.exe", "a\\b.md"]
)
def test_no_name_leaves_the_folder(store: Store, name: str) -> None:
    with pytest.raises(BadName):
        store.read(name)
    with pytest.raises(BadName):
        store.write(name, "x", was=None)


def test_one_name_however_it_is_composed(store: Store) -> None:
    store.write("topics/cafe\u0301.md", "x", was=None)
    assert store.read("topics/caf\u00e9.md") == "x"


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    (tmp_path / "CORE.md").write_bytes(b"- ok ^r1\n- \xff\xfe\n")
    store = FolderStore(tmp_path)
    text = store.read("CORE.md")
    assert text is not None
    store.write("CORE.md", text + "- more\n", was=text)
    assert (tmp_path / "CORE.md").read_bytes() == b"- ok ^r1\n- \xff\xfe\n- more\n"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    store.write("CORE.md", "a", was=None)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(StoreUnwritable, match="CORE"):
            store.write("CORE.md", "b", was="a")
    finally:
        tmp_path.chmod(stat.S_IRWXU)
    assert store.read("CORE.md") == "a"


def test_a_write_that_cannot_be_put_in_place_leaves_the_old_page_and_no_rubbish(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    (tmp_path / "CORE.md").mkdir()  # a folder of that name: replace fails after the bytes were written
    with pytest.raises(Exception, match="CORE"):
        store.write("CORE.md", "b", was=None)
    assert [path.name for path in tmp_path.iterdir()] == ["CORE.md"]


def test_slugs_keep_chinese_and_never_come_out_empty() -> None:
    assert slug("大语言模型概述") == "大语言模型概述"
    assert slug("About me") == "about-me"
    assert slug("../../etc/passwd") == "etc-passwd"
    assert len({slug("🚀"), slug("🎯"), slug("  ")}) == 3
    assert len(slug("长" * 400).encode()) <= 120
