"""Paths as terminals and people write them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.terminal.dropped import dropped

NAMES = [
    "a.png",
    "b.JPG",
    "My Pictures/截图 1.png",
    "it's.png",
    "100% (1) #2?.png",
    "-v.png",
    "notes.txt",
    "无后缀",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


CASES = [
    # typed ({0} = the folder), words, files
    ("{0}/a.png", "", ["a.png"]),
    ("  {0}/a.png \n", "", ["a.png"]),
    ("'{0}/My Pictures/截图 1.png'", "", ["My Pictures/截图 1.png"]),
    ('"{0}/My Pictures/截图 1.png"', "", ["My Pictures/截图 1.png"]),
    (r"{0}/My\ Pictures/截图\ 1.png", "", ["My Pictures/截图 1.png"]),
    ("{0}/My Pictures/截图 1.png", "", ["My Pictures/截图 1.png"]),
    ("file://{0}/My%20Pictures/%E6%88%AA%E5%9B%BE%201.png", "", ["My Pictures/截图 1.png"]),
    ("file://localhost{0}/a.png", "", ["a.png"]),
    ("~/a.png", "", ["a.png"]),
    ("~/My\\ Pictures/截图\\ 1.png", "", ["My Pictures/截图 1.png"]),
    ("./a.png", "", ["a.png"]),
    ("a.png", "", ["a.png"]),
    (r"'{0}/it'\''s.png'", "", ["it's.png"]),
    (r"{0}/it\'s.png", "", ["it's.png"]),
    ("{0}/100% (1) #2?.png", "", ["100% (1) #2?.png"]),
    ("file://{0}/100%25%20(1)%20%232%3F.png", "", ["100% (1) #2?.png"]),
    ("{0}/a.png {0}/b.JPG", "", ["a.png", "b.JPG"]),
    ("'{0}/a.png''{0}/b.JPG'", "", ["a.png", "b.JPG"]),
    ("{0}/a.png\n{0}/b.JPG", "", ["a.png", "b.JPG"]),
    ("{0}/a.png {0}/a.png", "", ["a.png"]),
    (
        "这两张归到旅行 {0}/a.png '{0}/My Pictures/截图 1.png'",
        "这两张归到旅行",
        ["a.png", "My Pictures/截图 1.png"],
    ),
    ("{0}/a.png 归到「旅行」", "归到「旅行」", ["a.png"]),
    ("看看{0}/a.png这张是什么", "看看这张是什么", ["a.png"]),
    ("put {0}/a.png and {0}/b.JPG under travel", "put  and  under travel", ["a.png", "b.JPG"]),
    ("{0}/notes.txt", "", ["notes.txt"]),  # the bot refuses it by name
    ("{0}/无后缀", "", ["无后缀"]),
    ("读一下 {0}/notes.txt", "读一下 {0}/notes.txt", []),
    ("我把 c.png 删了", "我把 c.png 删了", []),
    ("https://example.com/a.png 好看吗", "https://example.com/a.png 好看吗", []),
    ("and/or, 1/2.png? /help", "and/or, 1/2.png? /help", []),
    ("/help", "/help", []),
    ("~", "~", []),
    ("'", "'", []),
    ("line one\n\n  line two", "line one\n\n  line two", []),
]


@pytest.mark.parametrize(("typed", "words", "files"), CASES)
def test_what_is_found(folder: Path, typed: str, words: str, files: list[str]) -> None:
    found = dropped(typed.replace("{0}", str(folder)), folder)
    assert (found.words, [str(each.relative_to(folder)) for each in found.files]) == (
        words.replace("{0}", str(folder)),
        files,
    )


def test_a_path_without_a_file_is_named(folder: Path) -> None:
    found = dropped(f"{folder}/gone.png", folder)
    assert (found.words, found.files, found.missing) == ("", (), (f"{folder}/gone.png",))


def test_a_folder_alone_is_taken_to_be_refused_by_name(folder: Path) -> None:
    pictures = folder / "My Pictures"
    for typed in (f"{pictures}", f"'{pictures}/'", "./My Pictures/../My Pictures"):
        [found] = dropped(typed, folder).files
        assert found.samefile(pictures)
    assert dropped("/tmp", folder).files == (), "a slash and a word is a command"


def test_a_missing_path_in_words_stays_words(folder: Path) -> None:
    typed = "日志里写着 /var/www/logo.png 404"
    found = dropped(typed, folder)
    assert (found.words, found.missing) == (typed, ("/var/www/logo.png",))


def test_a_pasted_page_is_read_at_once(folder: Path) -> None:
    page = ("GET /static/logo.png and ./x.png 'a' ~/y.png\n" * 300) + "/" + "a" * 900 + ".png" * 900
    began = time.perf_counter()
    assert not dropped(page, folder).files
    assert time.perf_counter() - began < 2
