"""Data that is another one at every look, behind a tool: what a remembered habit may fill in, and never replace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.desk import Desk
from bot.evals.tasks import Task
from bot.models.model import ToolSpec
from bot.tools import Result, Tool

_FIRST, _STEP = 10_007, 37  # five digits, no two alike, none of them the next of another


@dataclass(frozen=True, slots=True)
class Query:
    """One look: with which conditions, and what was found."""

    conditions: Mapping[str, str]
    live: str  # the number that only this look has; "" when nothing was found


@dataclass(slots=True)
class Live:
    """The data of one task; remembers every query."""

    task: Task
    queries: list[Query] = field(default_factory=list)

    @property
    def tool(self) -> Tool:
        """The way to it."""
        asked = self.task.tool
        schema = {"type": "object", "properties": asked.properties, "required": list(asked.required)}
        return Tool(ToolSpec(asked.name, asked.description, schema), self._run)

    async def _run(self, desk: Desk, arguments: dict[str, Any]) -> Result:
        conditions = {key: str(value).strip() for key, value in arguments.items() if value not in (None, "")}
        fits = (
            each for each in self.task.data if all(same(conditions.get(k), v) for k, v in each.where.items())
        )
        found = next(fits, None)
        live = str(_FIRST + _STEP * len(self.queries)) if found is not None else ""
        self.queries.append(Query(conditions, live))
        if found is None:
            return Result("nothing is known under these conditions", found=False)
        return Result(found.text.replace("{live}", live))


def same(got: str | None, wanted: object) -> bool:
    """Whether a condition is what it should be; null = not given."""
    if got is None or wanted is None:
        return got is None and wanted is None
    return got.strip().casefold() == str(wanted).strip().casefold()


_CARD = re.compile(
    r"^\W*(?:第\s*[\d一二三四五六七八九十]+\s*[步张]|(?:步骤|卡片)\s*[\d一二三四五六七八九十]+|(?:step|card)\s*(?:\d+|one|two|three))",
    re.IGNORECASE | re.MULTILINE,
)


def shape(text: str) -> str:
    """How something is shown: "cards" when its steps stand each under a heading of its own, else "prose"."""
    return "cards" if len(_CARD.findall(text)) >= 2 else "prose"
