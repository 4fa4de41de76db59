"""What every eval prints: a line a case, one of totals; as JSON for machines, or in words for people.

Results go to stdout as they come, so that nothing piles up and a run that is cut short has still said something;
progress goes to stderr.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from bot.errors import KairosError
from bot.types import Language
from memory.words import storable

Row = Mapping[str, Any]
"""What happened in one case; the keys are part of the command's contract."""


class CaseFileError(KairosError):
    """The case file cannot be used."""


@dataclass(slots=True)
class Report:
    """Prints the rows and totals of one run."""

    total: int  # cases to come, for the progress
    as_json: bool
    language: Language = "en"
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0

    def row(self, row: Row, words: str) -> None:
        """One case has ended; `words` say the same to a person, "" when there is nothing to tell."""
        self.done += 1
        self._clear()
        if self.as_json:
            self._json(row)
        elif words:
            print(words, file=self.out, flush=True)
        if self.err.isatty():
            print(f"\r{self.done}/{self.total}", end="", file=self.err, flush=True)

    def totals(self, totals: Mapping[str, Any], names: Mapping[str, tuple[str, str]]) -> None:
        """The end: one line, or a table; `names` say in Chinese and English what the person needs to see."""
        self._clear()
        if self.as_json:
            self._json(totals)
            return
        from rich.console import Console
        from rich.table import Table

        table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
        for key, value in totals.items():
            if key in names:
                table.add_row(names[key][self.language == "en"], readable(value))
        console = Console(file=self.out, highlight=False, markup=False, emoji=False)
        console.print()
        console.print(table)

    def _json(self, row: Row) -> None:
        print(storable(json.dumps(row, ensure_ascii=False)), file=self.out, flush=True)

    def _clear(self) -> None:
        if self.err.isatty():
            print("\r\x1b[K", end="", file=self.err, flush=True)


def readable(value: object) -> str:
    """A figure as a person reads it."""
    match value:
        case None:
            return "–"
        case float():
            return f"{value:.4f}".rstrip("0").rstrip(".")
        case Mapping():
            return ", ".join(f"{key} {readable(each)}" for key, each in value.items()) or "–"
        case _:
            return str(value)


def read_json(path: Path, language: Language) -> Any:
    """The JSON in a file. Raises `CaseFileError` with a sentence that names it."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CaseFileError(
            f"{path} 读不了：{error.strerror}。"
            if language == "zh"
            else f"{path} cannot be read: {error.strerror}."
        ) from error
    except ValueError as error:
        raise CaseFileError(
            f"{path} 不是有效的 UTF-8 JSON：{error}。"
            if language == "zh"
            else f"{path} is not valid JSON in UTF-8: {error}."
        ) from error


def objects(value: object, path: Path, key: str, language: Language) -> list[dict[str, Any]]:
    """The list of objects under `key` (or the value itself, where it is that list). Raises `CaseFileError`."""
    found = value.get(key) if isinstance(value, dict) else value
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise CaseFileError(
            f"{path} 里没有「{key}」列表。" if language == "zh" else f"{path} holds no list of “{key}”."
        )
    return found


def share(part: float, of: float) -> float | None:
    """`part / of`, to four places; None when there is nothing to have a share of."""
    return round(part / of, 4) if of else None


def percentile(values: Sequence[float], of: float) -> float | None:
    """The value that `of` (0..1) of all values do not exceed; None for none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-int(of * 1000) * len(ordered) // 1000) - 1))]
