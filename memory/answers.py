"""What a model answered → changes. Strict: what cannot be read raises, it is never "nothing to store"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from memory.changes import Change, Instruct, Kind, Learn, Origin, Retire, Revise, Source
from memory.dates import iso_day
from memory.dating import end_of
from memory.errors import ExtractionFailed
from memory.extraction import Extraction, Proposal
from memory.grounding import (
    akin,
    circumstance,
    ending,
    only_asks,
    quoted,
    replaces_any,
    same_matter,
    scoped,
    too_wide,
)
from memory.page import CORE, Line, split_scope
from memory.speech_acts import forgets
from memory.words import squeeze

_THINK = re.compile(r"<(think|thinking|reasoning)\b[^>]*>.*?</\1\s*>", re.S | re.I)
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\r?\n(.*?)```", re.S)
_OPS = ("instruct", "learn", "revise", "retire")


def read_answer(answer: str) -> list[dict[str, Any]]:
    """The list of changes in an answer: fenced, or the last balanced JSON that has one.

    Raises:
        ExtractionFailed: there is none, or it is not of the form that was asked for.
    """
    problem = "it holds no JSON object"
    for found in values_in(answer):
        changes = found.get("changes") if isinstance(found, dict) else found
        if isinstance(changes, list):
            if all(isinstance(change, dict) and change.get("op") in _OPS for change in changes):
                return changes
            problem = f"every change needs an op out of {', '.join(_OPS)}"
        elif isinstance(found, dict) and found.get("op") in _OPS:
            return [found]
    raise ExtractionFailed(f"The model's answer could not be read: {problem}.")


def values_in(answer: str) -> list[Any]:
    """JSON objects and arrays of an answer, the likeliest first: fenced ones, then the last; no thinking aloud."""
    bare = _THINK.sub("", answer)
    # opened in the template, not in the answer
    bare = re.sub(r"^.*</think(?:ing)?\s*>", "", bare, flags=re.S | re.I)
    return [*(v for block in reversed(_FENCE.findall(bare)) for v in _values(block)), *_values(bare)]


def rows_in(answer: str, key: str) -> list[dict[str, Any]]:
    """The list of objects under a key, or the bare list.

    Raises:
        ExtractionFailed: there is none, or the last one was cut: then an empty one before it says nothing.
    """
    opened = [found.start() for found in re.finditer(rf'\{{\s*"{key}"\s*:', answer)]
    if opened and not _closed(answer[opened[-1] :]):
        raise ExtractionFailed("The model's answer was cut before its end.")
    for found in values_in(answer):
        rows = found.get(key) if isinstance(found, dict) else found or None
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return rows
    raise ExtractionFailed(f"The model's answer could not be read: it holds no JSON list of {key}.")


def _closed(text: str) -> bool:
    """Whether a JSON value starts here and ends."""
    try:
        json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return True


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
    rows: Sequence[dict[str, Any]], source: Source, lines: Sequence[tuple[str, Line]], shown: str = ""
) -> Extraction:
    """Changes with their sources; unsure ones as questions. What aims at no line, or quotes nobody, is left out.

    Args:
        shown: the instructions that were answered.
    """
    known = {line.id: (page, line) for page, line in lines}
    changes: list[Proposal] = []
    questions: list[Proposal] = []
    for row in rows:
        said = replace(source, quote=_quote(row, source.words, known))
        change, sure = _change(row, known, said, shown)
        if isinstance(change, Retire) and squeeze(said.quote) not in squeeze(said.words):
            said, sure = (
                replace(said, quote=source.words),
                False,
            )  # the line was quoted, not who wants it gone
        if change is not None and said.quote:
            (changes if sure and row.get("sure") is not False else questions).append((change, said))
    return Extraction(tuple(changes), tuple(questions))


_KINDS = {kind.value: kind for kind in Kind}  # a rule for one project may stand on its page


def _change(
    row: dict[str, Any], known: dict[str, tuple[str, Line]], said: Source, shown: str
) -> tuple[Change | None, bool]:
    """(what is asked for, whether it needs no question), as far as it fits the lines and the words."""
    page, line = known.get(_target(row), ("", None))
    text, scope, end, _ = split_scope(_text(row))
    text, when = scoped(text, _words(row.get("when")) or scope, said, shown)
    until = ending(iso_day(row.get("until")) or end, said)
    sure = row["op"] != "revise" or line is None  # aimed at a line it has nothing to do with
    match row["op"]:
        case "retire" if line is not None:
            plain = forgets(said.quote) or forgets(said.words)
            return Retire(line.id), plain or akin(said.quote, line.text) or akin(said.words, line.text)
        case "revise" if line is not None and text and same_matter(text, when, line):
            # What was learned and is told anew in passing stays learned; a rule, or what was asked for, is theirs.
            told = page != CORE and line.origin is Origin.LEARNED and row.get("asked") is not True
            origin = Origin.LEARNED if told else Origin.EXPLICIT
            return Revise(line.id, text, when, until, origin, "said otherwise"), True
        case "instruct" | "revise" if text and not _is_fact(row):
            aimed = line.id if line is not None and page == CORE and row["op"] == "instruct" else None
            sure = sure or replaces_any(text, when, [other for _, other in known.values()])
            sure = sure and not too_wide(text, when, said.words)
            return Instruct(text, when, until or end_of(said.quote, said.at), target=aimed), sure
        case "learn" | "revise" if text and not only_asks(said.quote):
            kind = _KINDS.get(str(row.get("kind")), Kind.PERSONA)
            origin = Origin.EXPLICIT if row.get("asked") is True else Origin.LEARNED
            aimed = line.id if line is not None and page != CORE and row["op"] == "learn" else None
            when = circumstance(when, said)
            return Learn(text, _words(row.get("topic")) or "", kind, when, until, origin, aimed), sure
    return None, False


def misquoted(rows: Sequence[dict[str, Any]], words: str, lines: Sequence[tuple[str, Line]]) -> str | None:
    """The first quote that does not stand in the words, even nearly; None when all do."""
    known = {line.id: (page, line) for page, line in lines}
    quotes = (_quote(row, words, known) for row in rows)
    return next((quote for quote in quotes if squeeze(quote) not in squeeze(words)), None)


def _quote(row: dict[str, Any], words: str, known: dict[str, tuple[str, Line]]) -> str:
    text, *_ = split_scope(_text(row))
    held = known[_target(row)][1].text if _target(row) in known else ""
    return quoted(str(row.get("quote") or ""), words, text, held)


def _text(row: dict[str, Any]) -> str:
    return " ".join(str(row.get("text") or "").split())


def _target(row: dict[str, Any]) -> str:
    return str(row.get("target") or "").strip("[]^ ")


def _is_fact(row: dict[str, Any]) -> bool:
    """Whether a revision of nothing that is known states a fact; else it is a rule."""
    return row["op"] == "revise" and (
        row.get("kind") in ("persona", "episodic") or _words(row.get("topic")) is not None
    )


def _words(value: Any) -> str | None:
    text = " ".join(str(value).split()) if isinstance(value, str) else ""
    return text if text and text.lower() not in ("null", "none", "global", "everywhere") else None
