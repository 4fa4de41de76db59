"""Pictures by their paths: what is pasted or dragged into a terminal, taken out of the words around it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

PICTURES = ("png", "jpg", "jpeg", "webp", "gif", "heic", "heif", "bmp", "tif", "tiff", "avif")
SUFFIXES = (*PICTURES, "pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp")

_END = re.compile(rf"\.(?:{'|'.join(SUFFIXES)})(?![A-Za-z0-9_])", re.IGNORECASE)
_START = re.compile(
    r"""
    (?:(?<![\w./:\\~-]) | (?<=[\u3000-\u9fff\uff00-\uffef]))  # at a word's start, or glued to Chinese
    ['"]? (?: file:// | ~?/ | \.{1,2}/ | ~\w+/ )
""",
    re.VERBOSE,
)
_BARE = re.compile(r"\S+")
_LONG = 20_000  # characters; a pasted page is words
_ENDS = 12  # how many possible ends of one path are tried


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line a person typed, with the files in it found."""

    words: str  # what is left: the caption
    files: tuple[Path, ...] = ()
    missing: tuple[str, ...] = ()  # looks like the path of a picture, but there is no such file


def dropped(typed: str, folder: Path) -> Dropped:
    """Find files in what was typed; relative names are looked up in `folder`.

    Terminals write a dragged path in quotes, with backslashes before spaces, as a `file://` address, or bare
    with its spaces. A path inside words counts when it ends like a picture; a message that is nothing but a
    path counts whatever its ending is, so that a wrong file is refused by name rather than talked about.
    """
    if len(typed) > _LONG:
        return Dropped(typed)
    if (alone := _alone(typed, folder)) is not None:
        return alone
    files: list[Path] = []
    missing: list[str] = []
    words: list[str] = []
    for line in typed.split("\n"):
        left = _take_paths(line, folder, files, missing)
        words.append(_take_names(left, folder, files))
    caption = "\n".join(words).strip() if files else typed
    if missing and not files and _only(typed, missing):
        caption = ""
    return Dropped(caption, tuple(dict.fromkeys(files)), tuple(missing))


def _alone(typed: str, folder: Path) -> Dropped | None:
    """The whole message is one path."""
    text = typed.strip()
    if "\n" in text or not text.lstrip("'\"").startswith(("/", "~", "./", "../", "file://")):
        return None
    found = _exists(text, folder) or _folder(text, folder)
    return Dropped("", (found,)) if found is not None else None


def _folder(written: str, folder: Path) -> Path | None:
    """A folder, which is refused by name; "/memory" is a command whatever the machine's root holds."""
    for name in _readings(written):
        path = folder / Path(os.path.expanduser(name.rstrip("/")))
        try:
            if name.rstrip("/").count("/") > 1 and "\0" not in name and path.is_dir():
                return path
        except OSError:
            continue
    return None


def _take_paths(line: str, folder: Path, files: list[Path], missing: list[str]) -> str:
    left, at = "", 0
    while match := _START.search(line, at):
        start = match.start()
        left += line[at:start]
        ends = list(_ends(line, start))
        for end in reversed(ends):
            if (found := _exists(line[start:end], folder)) is not None:
                files.append(found)
                at = end
                break
        else:
            if ends:  # the shortest is the likeliest to be one path
                missing.append(line[start : ends[0]].strip("'\""))
            at = ends[0] if ends else match.end()
            left += line[start:at]
    return left + line[at:]


def _ends(line: str, start: int) -> Iterator[int]:
    """Where a path that begins at `start` may end, nearest first; a closing quote belongs to it."""
    quote = line[start] if line[start] in "'\"" else ""
    for count, match in enumerate(_END.finditer(line, start)):
        if count == _ENDS:
            return
        end = match.end()
        yield end + 1 if quote and line[end : end + 1] == quote else end


def _take_names(line: str, folder: Path, files: list[Path]) -> str:
    """Bare names of pictures in the folder where the command was started."""
    left, at = "", 0
    for match in _BARE.finditer(line):
        if _END.search(match[0]) and (found := _exists(match[0], folder)) is not None:
            files.append(found)
            left += line[at : match.start()]
            at = match.end()
    return left + line[at:]


def _exists(written: str, folder: Path) -> Path | None:
    for name in dict.fromkeys(_readings(written)):
        if not name or "\0" in name:
            continue
        path = folder / Path(os.path.expanduser(name))
        try:
            if path.is_file():
                return path
        except OSError:  # too long to be a name
            continue
    return None


def _readings(written: str) -> Iterator[str]:
    """What the writing of a path may stand for, the literal one first."""
    yield written
    bare = written.strip("'\"")
    yield bare
    try:
        parts = shlex.split(written) if re.search(r"[\\'\"]", written) else []
    except ValueError:  # a quote that is not closed
        parts = []
    if len(parts) == 1:
        yield parts[0]
    for each in (bare, *parts[:1]):
        if each.startswith("file://"):
            yield unquote(urlsplit(each).path or "")
            yield unquote(each.removeprefix("file://"))  # a name with "#" or "?" in it
    yield re.sub(r"\\(.)", r"\1", bare)


def _only(typed: str, missing: list[str]) -> bool:
    rest = typed
    for each in missing:
        rest = rest.replace(each, "", 1)
    return not rest.strip(" '\"\n\t")
