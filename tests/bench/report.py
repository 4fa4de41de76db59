"""Figures, their targets, and how they are printed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured. `kairos` and `bare` are in `unit`."""

    name: str
    unit: str
    kairos: float
    bare: float | None = None
    # target, for the ratio where there is a bare figure to compare with, else for `kairos`
    most: float | None = None
    least: float | None = None
    of: str = "ratio"  # what the target is about: "ratio" or "kairos"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Times the bare bot."""
        return self.kairos / self.bare if self.bare else None

    @property
    def met(self) -> bool | None:
        """None when there is no target."""
        value = self.ratio if self.of == "ratio" else self.kairos
        if value is None or (self.most is None and self.least is None):
            return None
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    @property
    def target(self) -> str:
        """In words."""
        unit = "x" if self.of == "ratio" else f" {self.unit}"
        if self.most is not None:
            return f"<= {self.most:g}{unit}"
        return f">= {self.least:g}{unit}" if self.least is not None else ""


def as_json(figures: Sequence[Figure], seconds: float, problems: Sequence[str]) -> str:
    """One object."""
    told = [asdict(each) | {"ratio": each.ratio, "met": each.met} for each in figures]
    missed = [each.name for each in figures if each.met is False]
    return json.dumps(
        {"figures": told, "missed": missed, "problems": list(problems), "seconds": seconds},
        ensure_ascii=False,
        indent=1,
    )


def as_table(figures: Sequence[Figure], seconds: float, problems: Sequence[str]) -> str:
    """For reading."""
    rows = [("", "Kairos", "bare", "ratio", "target", "", "")]
    for each in figures:
        met = {True: "met", False: "MISSED", None: ""}[each.met]
        bare = "" if each.bare is None else _number(each.bare)
        ratio = "" if each.ratio is None else f"{each.ratio:.2f}x"
        name = f"{each.name}, {each.unit}" if each.unit else each.name
        rows.append((name, _number(each.kairos), bare, ratio, each.target, met, each.note))
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = []
    for row in rows:
        cells = [row[i].ljust(widths[i]) if i in (0, 4, 5) else row[i].rjust(widths[i]) for i in range(6)]
        lines.append("  ".join([*cells, row[6]]).rstrip())
    asked = [each for each in figures if each.met is not None]
    missed = [each.name for each in asked if each.met is False]
    lines.append("")
    lines.append(f"{len(asked) - len(missed)} of {len(asked)} targets met, in {seconds:.0f} s.")
    if missed:
        lines.append("Missed: " + "; ".join(missed) + ".")
    lines += [f"Not measured: {problem}" for problem in problems]
    return "\n".join(lines)


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
