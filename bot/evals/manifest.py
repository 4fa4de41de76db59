"""Manifests of pictures: which files there are, what should come of each, which categories are there at first."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.evals.report import CaseFileError
from bot.types import Language


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the manifest."""

    file: str
    labels: frozenset[str]  # categories that count as right; empty = not judged
    outcomes: frozenset[str]  # how it may end; empty = it should be filed
    must_find: tuple[str, ...]
    odd: bool


def read_manifest(
    manifest: Any, folder: Path, language: Language
) -> tuple[list[tuple[str, str]], list[Entry]]:
    """Categories (name, description) to start with, and the files: what should go well first, then the odd ones."""
    if not isinstance(manifest, dict):
        manifest = {"real": manifest}
    found: dict[str, Entry] = {}
    for group, rows in manifest.items():
        if not isinstance(rows, list) or group == "labels":
            continue
        for row in rows:
            if isinstance(row, dict) and isinstance(row.get("file"), str):
                found.setdefault(row["file"], _entry(row, odd=group == "odd" or "label" not in row))
    if not found:
        path = folder / "manifest.json"
        raise CaseFileError(f"{path} 里没有文件。" if language == "zh" else f"{path} lists no files.")
    entries = sorted(found.values(), key=lambda entry: entry.odd)
    return _categories(manifest.get("labels")), entries


def _entry(row: dict[str, Any], *, odd: bool) -> Entry:
    labels = [row.get("label"), *(row.get("also_ok") or [])] if row.get("label") else []
    return Entry(
        file=row["file"],
        labels=frozenset(str(each) for each in labels),
        outcomes=frozenset(str(each) for each in row.get("outcomes") or []),
        must_find=tuple(str(each) for each in row.get("must_find") or []),
        odd=odd,
    )


def _categories(labels: Any) -> list[tuple[str, str]]:
    """`{name: count or description}`, `[name, …]` or `[{name, description}, …]`."""
    if isinstance(labels, dict):
        return [(str(name), each if isinstance(each, str) else "") for name, each in labels.items()]
    found = []
    for each in labels or []:
        if isinstance(each, dict):
            name = each.get("name") or each.get("label")
            found.append((str(name), str(each.get("description") or "")))
        else:
            found.append((str(each), ""))
    return found


def searchable(text: str) -> str:
    """As texts are compared: NFKC, lower case, without spaces and punctuation."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).lower())


def bytes_of(folder: Path, file: str) -> bytes | None:
    """The bytes of a file, however its name is composed on this disk; None when there is none."""
    for name in dict.fromkeys((file, *(unicodedata.normalize(form, file) for form in ("NFC", "NFD")))):
        try:
            return (folder / name).read_bytes()
        except OSError:
            continue
    return None
