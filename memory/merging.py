"""Which rules could become one, by a model. It only proposes: the person sees before and after, and says yes or no.

What it answers is held against the lines themselves: every name, number and "not" must come from them, their scopes
must be the same, and the result must be shorter. What is not is dropped, and so is an answer that cannot be read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memory.changes import Revise
from memory.coverage import leans, negations, turned, uncovered_name, uncovered_number
from memory.extractor import Ask, prompt
from memory.fence import sealed
from memory.guard import MOST
from memory.page import Line
from memory.secret_shapes import secret_in
from memory.snapshot import rule_row, tokens_of


async def merges(rules: Sequence[Line], ask: Ask, now: datetime) -> list[Revise]:
    """Revisions that let one rule say what several say now, those that save most first.

    Raises what the model layer raises.
    """
    if len(rules) < 2:
        return []
    system = await asyncio.to_thread(prompt, "merge")
    rows = sealed("\n".join(rule_row(line) for line in rules))
    answer = await ask(system, f"<rules>\n{rows}\n</rules>")
    by_id = {line.id: line for line in rules}
    found: list[tuple[int, Revise]] = []
    used: set[str] = set()
    for row in _rows(answer):
        ids = row.get("ids")
        named = [str(id).strip("[]^ ") for id in ids] if isinstance(ids, list) else []
        lines = [by_id[id] for id in dict.fromkeys(named) if id in by_id]
        text = " ".join(str(row.get("text") or "").split())
        saved = sum(tokens_of(rule_row(line)) for line in lines) - tokens_of(text)
        if len(lines) == len(named) and used.isdisjoint(named) and saved > 0 and bears_out(text, lines, now):
            used |= set(named)
            first = lines[0]
            change = Revise(
                first.id, text, first.when, first.until, also=tuple(each.id for each in lines[1:])
            )
            found.append((saved, change))
    return [change for _, change in sorted(found, key=lambda each: -each[0])]


def bears_out(text: str, lines: Sequence[Line], now: datetime) -> bool:
    """Whether a text can take the place of these lines: nothing new in it, nothing turned around, one scope."""
    if len(lines) < 2 or not text or len(text) > MOST or len({(line.when, line.until) for line in lines}) > 1:
        return False
    held = "\n".join(line.text for line in lines)
    if uncovered_number(text, held, now) or uncovered_name(text, held) or leans(text) or secret_in(text):
        return False
    lost = uncovered_number(held, text, now) or uncovered_name(held, text)
    return not lost and not turned(text, held) and not (negations(held) and not negations(text))


def _rows(answer: str) -> list[dict[str, Any]]:
    """The merges of an answer; none when it cannot be read."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        found = json.loads(answer[start : end + 1])
    except ValueError:
        return []
    rows = found.get("merges") if isinstance(found, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
