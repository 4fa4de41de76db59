"""What a model answered → changes. Strict: what cannot be read raises, it is never "nothing to store"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from memory.changes import Change, Instruct, Kind, Learn, Origin, Retire, Revise, Source
from memory.errors import ExtractionFailed
from memory.extraction import Extraction, Proposal
from memory.page import CORE, Line

_THINK = re.compile(r"<(think|thinking|reasoning)\b[^>]*>.*?</\1\s*>", re.S | re.I)
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\r?\n(.*?)```", re.S)
_OPS = ("instruct", "learn", "revise", "retire")


def read_answer(answer: str) -> list[dict[str, Any]]:
    """The list of changes in an answer: fenced, or the last balanced JSON that has one.

    Raises:
        ExtractionFailed: there is none, or it is not of the form that was asked for.
    """
    bare = _THINK.sub("", answer)
    bare = re.sub(
        r"^.*</think(?:ing)?\s*>", "", bare, flags=re.S | re.I
    )  # opened in the template, not in the answer
    problem = "it holds no JSON object"
    for found in [*(v for block in reversed(_FENCE.findall(bare)) for v in _values(block)), *_values(bare)]:
        changes = found.get("changes") if isinstance(found, dict) else found
        if isinstance(changes, list):
            if all(isinstance(change, dict) and change.get("op") in _OPS for change in changes):
                return changes
            problem = f"every change needs an op out of {', '.join(_OPS)}"
        elif isinstance(found, dict) and found.get("op") in _OPS:
            return [found]
    raise ExtractionFailed(f"The model's answer could not be read: {problem}.")


def _values(text: str) -> Iterator[Any]:
    """Balanced JSON objects and arrays in the text, the last one first, outermost only."""
    decoder, found, at = json.JSONDecoder(), list[Any](), 0
    while (start := min((i for i in (text.find("{", at), text.find("[", at)) if i >= 0), default=-1)) >= 0:
        try:
            value, at = decoder.raw_decode(text, start)
            found.append(value)
        except ValueError:
            at = start + 1
        except RecursionError:
            return
    yield from reversed(found)


def proposals(
    rows: Sequence[dict[str, Any]], source: Source, lines: Sequence[tuple[str, Line]]
) -> Extraction:
    """Changes with their sources; unsure ones as questions. What aims at no line, or quotes nobody, is left out."""
    known = {line.id: page for page, line in lines}
    changes: list[Proposal] = []
    questions: list[Proposal] = []
    for row in rows:
        change = _change(row, known)
        if change is not None:
            said = replace(source, quote=str(row.get("quote") or ""))
            if said.quote:
                (questions if row.get("sure") is False else changes).append((change, said))
    return Extraction(tuple(changes), tuple(questions))


def _change(row: dict[str, Any], known: dict[str, str]) -> Change | None:
    text = " ".join(str(row.get("text") or "").split())
    target = str(row.get("target") or "").strip("[]^ ") or None
    if target is not None and target not in known:
        target = None
        if row["op"] in ("revise", "retire"):
            return None
    when, until = _words(row.get("when")), _day(row.get("until"))
    match row["op"]:
        case "retire":
            return Retire(target) if target else None
        case "revise" if target and text:
            # A revision that the person stated is theirs, whatever the line was before.
            return Revise(target, text, when, until, Origin.EXPLICIT, "said otherwise")
        case "instruct" if text:
            aimed = target if target and known[target] == CORE else None
            return Instruct(text, when, until, target=aimed)
        case "learn" if text:
            kind = Kind.EPISODIC if row.get("kind") == "episodic" else Kind.PERSONA
            origin = Origin.EXPLICIT if row.get("asked") is True else Origin.LEARNED
            aimed = target if target and known[target] != CORE else None
            return Learn(text, _words(row.get("topic")) or "", kind, when, until, origin, aimed)
    return None


def _words(value: Any) -> str | None:
    text = " ".join(str(value).split()) if isinstance(value, str) else ""
    return text if text and text.lower() not in ("null", "none", "global", "everywhere") else None


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10]) if value else None
    except ValueError:
        return None
