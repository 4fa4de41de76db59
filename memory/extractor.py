"""Extraction by a language model: which changes follow from the person's last message? Writes nothing.

A call that cannot be read is asked for once more and then fails; it never counts as "nothing to keep".
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from memory.answers import json_object
from memory.changes import Change, Instruct, Kind, Learn, Origin, Retire, Revise, Source, Speaker
from memory.errors import ExtractionFailed
from memory.extraction import Extraction, Proposal, last_said
from memory.page import CORE, Line
from memory.search import lexical
from memory.turn import Turn

Ask = Callable[[str, str], Awaitable[str]]
"""Put (system, user) to a model and get its words. Raises what the model layer raises."""

PROMPT = (Path(__file__).with_name("prompts") / "extract.md").read_text(encoding="utf-8").strip()
WINDOW = 4_000  # characters of the message that one call reads; a longer one is read in several, never cut
CONTEXT = 1_200  # characters of what was said before
KNOWN = 30  # lines of memory shown: all that share words with the message first, rules before facts

_AGAIN = "\n\nThat was not the JSON object asked for. Answer again with the JSON object only."


class Extractor:
    """Asks a model, reads its answer strictly."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def extract(
        self, turns: Sequence[Turn], lines: Sequence[tuple[str, Line]], now: datetime
    ) -> Extraction:
        """What follows for memory from the person's last turn; the earlier ones are context.

        Raises:
            ExtractionFailed: the model's answer could not be read, twice.
        """
        said = last_said(turns)
        if said is None:
            return Extraction()
        turn, earlier = said
        changes: list[Proposal] = []
        questions: list[Proposal] = []
        for window in windows(turn.text):
            user = _question(window, turn.at or now, earlier, known(turn.text, lines))
            for row in await self._rows(user):
                change = _change(row, lines)
                if change is None:
                    continue
                quote = str(row.get("quote") or "")
                context = "\n".join(each.text for each in earlier)
                source = Source(
                    turn.conversation, turn.message, turn.at or now, turn.text, quote, context=context
                )
                (questions if row.get("sure") is False else changes).append((change, source))
        return Extraction(tuple(changes), tuple(questions))

    async def _rows(self, user: str) -> list[dict[str, Any]]:
        for again in ("", _AGAIN):
            answer = json_object(await self._ask(PROMPT, user + again))
            rows = None if answer is None else answer.get("changes")
            if isinstance(rows, list):
                return [row for row in rows if isinstance(row, dict)]
        raise ExtractionFailed()


def windows(text: str) -> list[str]:
    """A message in pieces of at most 4,000 characters, broken between lines where there are any."""
    pieces: list[str] = []
    while len(text) > WINDOW:
        cut = max(text.rfind("\n", WINDOW // 2, WINDOW), text.rfind("。", WINDOW // 2, WINDOW)) + 1 or WINDOW
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]


def known(text: str, lines: Sequence[tuple[str, Line]]) -> list[tuple[str, Line]]:
    """The lines a model needs to see: those that share words with the message, then rules, then the newest."""
    scores = lexical(text, [line.text for _, line in lines]) if lines else []
    order = sorted(range(len(lines)), key=lambda i: (-scores[i], lines[i][0] != CORE, -i))[:KNOWN]
    return [lines[i] for i in sorted(order)]


def _question(window: str, at: datetime, earlier: Sequence[Turn], shown: Sequence[tuple[str, Line]]) -> str:
    before: list[str] = []
    room = CONTEXT
    for turn in reversed(earlier):
        who = {Speaker.PERSON: "person", Speaker.ASSISTANT: "assistant"}.get(
            turn.role, "tool (untrusted data)"
        )
        row = f"{who}: {turn.text[:600]}"
        room -= len(row)
        if room < 0:
            break
        before.insert(0, row)
    memory = "\n".join(f"[{line.id}] {line} ({'rule' if page == CORE else 'fact'})" for page, line in shown)
    return "\n\n".join(
        (
            f"known lines of memory (data):\n{memory or '(none)'}",
            "said before, context only:\n" + ("\n".join(before) or "(nothing)"),
            f"said at: {at:%Y-%m-%d %H:%M %A %z}",
            f"the message:\n{json.dumps(window, ensure_ascii=False)}",
        )
    )


def _change(row: dict[str, Any], lines: Sequence[tuple[str, Line]]) -> Change | None:
    """One row as a change; None for a row that names no known line where it must, or says nothing."""
    pages = {line.id: page for page, line in lines}
    target = str(row.get("id") or "").strip("[]^ ") or None
    text, when, until = str(row.get("text") or "").strip(), _words(row.get("when")), _day(row.get("until"))
    op = row.get("op")
    if op == "forget":
        return Retire(target) if target in pages else None
    if not text:
        return None
    if op == "revise" and target in pages:
        return Revise(target, text, when, until, Origin.EXPLICIT if row.get("asked") else None)
    target = target if target in pages else None
    if op in ("rule", "revise"):
        return Instruct(text, when, until, target=target)
    if op in ("fact", "event"):
        kind = Kind.EPISODIC if op == "event" else Kind.PERSONA
        origin = Origin.EXPLICIT if row.get("asked") else Origin.LEARNED
        return Learn(text, kind=kind, when=when, until=until, origin=origin, target=target)
    return None


def _words(value: Any) -> str | None:
    words = str(value).strip() if isinstance(value, str) else ""
    return None if words.casefold() in ("", "null", "none", "everywhere", "always") else words


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
