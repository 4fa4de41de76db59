"""Names any disk can hold, sidecars any program can read, and no half file under either."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest

from bot.errors import HomeUnwritable
from bot.storage.archive import Archive, Item, safe_name
from bot.storage.sidecar import written

ITEM = Item(
    number=3,
    category="代码笔记",
    title="解包一行",
    summary="一段 Python。",
    tags=("python", "code"),
    text="def unpack(row):\n    return row",
    at=datetime(2026, 9, 1, 20, 5, tzinfo=ZoneInfo("Asia/Shanghai")),
    extension=".png",
    rule="代码截图归档到「代码笔记」",
)

HOSTILE = [
    "",
    " ",
    ".",
    "..",
    "../../etc/passwd",
    "a/b\\c",
    "C:\\Windows",
    "con",
    "NUL.txt",
    "...hidden",
    "trailing. . .",
    "tab\tnew\nline\0nul\x7f",
    "\u202egpj.exe",
    "zero\u200bwidth\ufeff",
    "half\ud83d",
    'what? "quoted" <tag> | pipe * star : colon',
    "👨‍👩‍👧‍👦" * 30,
    "很长的标题" * 100,
    "x" * 5000,
    "e\u0301" * 80,
    "-" * 80,
    "#1 ^block [[link]]",
    "%41%00",
]


@pytest.mark.parametrize(
    ("title", "category"),
    [*((words, "代码笔记") for words in HOSTILE), *(("title", words) for words in HOSTILE)],
)
def test_any_words_make_a_file_that_stays_in_the_archive(tmp_path: Path, title: str, category: str) -> None:
    item = replace(ITEM, title=title, category=category, number=123456)
    Archive(tmp_path).write(item, b"picture")
    archive, folder, name = item.file.split("/")
    assert archive == "archive"
    stem = name.removesuffix(".png")
    assert len(stem) <= 60
    assert len(name.encode()) <= 180
    assert re.fullmatch(r"2026-09-01 \S(.*\S)? #123456", stem)
    assert unicodedata.is_normalized("NFC", item.file)
    assert not folder.startswith(".")
    assert not re.search(r'[\\:*?"<>|\x00-\x1f\x7f\u202e\ud800-\udfff]|[. ]$', folder)
    found = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert found == sorted([tmp_path / item.file, (tmp_path / item.file).with_suffix(".md")])
    assert (tmp_path / item.file).read_bytes() == b"picture"


@pytest.mark.parametrize("device", ["con", "PRN", "aux", "NUL", "com1", "LPT9", "con.txt"])
def test_names_that_are_devices_elsewhere(device: str) -> None:
    assert safe_name(device) == f"_{device}"


@pytest.mark.parametrize("extension", ["", ".md", ".MD", "png", ".a/b", ".tar gz", ".x" * 20, "."])
def test_an_odd_extension_never_meets_the_sidecar(tmp_path: Path, extension: str) -> None:
    item = replace(ITEM, title="notes v1.2", extension=extension)
    Archive(tmp_path).write(item, b"bytes")
    assert sorted(path.name for path in (tmp_path / item.file).parent.iterdir()) == [
        "2026-09-01 notes v1.2 #3.bin",
        "2026-09-01 notes v1.2 #3.md",
    ]


def test_titles_with_dots_keep_them(tmp_path: Path) -> None:
    item = replace(ITEM, title="release 2.0.1 of app.py")
    Archive(tmp_path).write(item, b"bytes")
    assert (tmp_path / "archive/代码笔记/2026-09-01 release 2.0.1 of app.py #3.md").exists()
    Archive(tmp_path).remove(item.file)
    assert not (tmp_path / "archive/代码笔记").exists(), "an empty folder goes too"


@pytest.mark.parametrize(
    "words", ["plain", 'a "quote": and\nline', "---", "\x7f\x85\u2028\ufeff", "half\ud83d", "{}: #"]
)
def test_front_matter_is_one_json_value_a_line(words: str) -> None:
    """JSON in double quotes is YAML too, as long as it holds only what YAML calls printable."""
    text = written(replace(ITEM, title=words, category=words, rule=words, tags=(words, "b"), why=words))
    opening, head, body = text.split("---\n", 2)
    assert opening == ""
    values = {}
    for line in head.splitlines():
        key, _, value = line.partition(": ")
        values[key] = json.loads(value)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\ud800-\udfff\ufeff]", value)
    assert values["number"] == 3
    assert values["date"] == "2026-09-01T20:05:00+08:00"
    assert list(values) == ["number", "title", "category", "tags", "date", "sha256", "rule", "why"]
    assert "一段 Python。" in body


def test_the_link_leads_to_the_picture() -> None:
    """A bare # would be read as the name of a heading."""
    [link] = re.findall(r"!\[\]\(([^)]*)\)", written(ITEM))
    assert "#" not in link
    assert " " not in link
    assert unquote(link) == Path(ITEM.file).name


@pytest.mark.parametrize("text", ["```", "a\n````\nb", "~~~", "---\ntitle: x\n---"])
def test_text_never_leaves_its_fence(text: str) -> None:
    body = written(replace(ITEM, text=text)).split("---\n", 2)[2]
    fence = re.search(r"^(`{3,})text$", body, re.MULTILINE)
    assert fence is not None
    assert body.rstrip().endswith(f"{text}\n{fence[1]}")
    assert fence[1] not in text


def test_writing_twice_leaves_one(tmp_path: Path) -> None:
    for _ in range(2):
        Archive(tmp_path).write(ITEM, b"picture")
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 2


def test_moving_takes_the_sidecar_along_and_can_be_repeated(tmp_path: Path) -> None:
    archive, item = Archive(tmp_path), replace(ITEM, category="开发备忘")
    archive.write(ITEM, b"picture")
    for _ in range(2):
        archive.move([ITEM.file], item)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")) == [
        "archive/开发备忘/2026-09-01 解包一行 #3.md",
        "archive/开发备忘/2026-09-01 解包一行 #3.png",
    ]
    assert "开发备忘" in (tmp_path / item.file).with_suffix(".md").read_text(encoding="utf-8")
    assert not (tmp_path / "archive/代码笔记").exists()


def test_a_folder_with_other_things_in_it_stays(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.write(ITEM, b"picture")
    (tmp_path / "archive/代码笔记/mine.txt").write_text("by hand", encoding="utf-8")
    archive.move([ITEM.file], replace(ITEM, category="开发备忘"))
    assert (tmp_path / "archive/代码笔记/mine.txt").exists()


def test_what_was_taken_away_by_hand_stays_away(tmp_path: Path) -> None:
    archive, item = Archive(tmp_path), replace(ITEM, category="开发备忘")
    archive.move([ITEM.file], item)
    assert not list(tmp_path.rglob("*.md"))
    assert archive.read([ITEM.file, item.file]) is None


def test_read_finds_it_where_it_is(tmp_path: Path) -> None:
    Archive(tmp_path).write(ITEM, b"picture")
    assert Archive(tmp_path).read(["archive/gone/x.png", ITEM.file]) == b"picture"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "archive").write_bytes(b"a file where a folder should be")
    with pytest.raises(HomeUnwritable):
        Archive(tmp_path).write(ITEM, b"picture")
    with pytest.raises(HomeUnwritable):
        Archive(tmp_path / "archive").write(ITEM, b"picture")
