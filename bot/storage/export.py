"""All of one person's pictures as a plain zip: the files as they were sent, their sidecars, and a table of contents."""

from __future__ import annotations

import csv
import io
import os
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.storage.records import FilingRow

COLUMNS = ("number", "category", "title", "date", "tags", "summary", "rule", "file", "sha256", "text")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a table program would run a cell that begins so


@dataclass(frozen=True, slots=True)
class Exported:
    """What it came to."""

    count: int
    missing: tuple[FilingRow, ...]  # without a file: taken away by hand


def export(folder: Path, rows: Sequence[FilingRow], target: Path) -> Exported:
    """Write the zip at `target`, whole or not at all. Blocking.

    Raises:
        FileExistsError: something is there; it is never written over.
        OSError: it cannot be written.
    """
    if target.exists():
        raise FileExistsError(target)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    there = [row for row in rows if row.file and (folder / row.file).is_file()]
    try:
        with zipfile.ZipFile(part, "x", zipfile.ZIP_STORED, strict_timestamps=False) as archive:
            for row in there:
                picture = folder / row.file
                _add(archive, picture, row.file)
                if (beside := picture.with_suffix(".md")).is_file():
                    _add(archive, beside, beside.relative_to(folder).as_posix())
            info = zipfile.ZipInfo("archive/index.csv", time.localtime()[:6])
            archive.writestr(info, _index(there), zipfile.ZIP_DEFLATED)
        _named(part, target)
    finally:
        part.unlink(missing_ok=True)
    return Exported(len(there), tuple(row for row in rows if row not in there))


def _named(part: Path, target: Path) -> None:
    """Give it its name; a link fails where a rename would write over what came there meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        part.rename(target)


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    info = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
    with path.open("rb") as source, archive.open(info, "w") as into:
        while block := source.read(1 << 20):
            into.write(block)


def _index(rows: Sequence[FilingRow]) -> bytes:
    """The table, with the mark by which table programs know UTF-8."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for row in rows:
        values = (
            row.number,
            row.category,
            row.title,
            row.at.isoformat(timespec="seconds"),
            ", ".join(row.tags),
            row.summary,
            row.rule or "",
            row.file,
            row.sha256,
            row.text,
        )
        table.writerow([_cell(value) for value in values])
    return out.getvalue().encode("utf-8-sig", "replace")


def _cell(value: object) -> str:
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
