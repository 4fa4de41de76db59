"""What may never be written: secrets, words the person did not say, lines that cannot stand alone.

Each refusal is a sentence fit for the person. The guard reads only the change, its source and the lines that are
there; it calls no model, so nothing can talk it round.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.changes import Change, Instruct, Learn, Restore, Retire, Revise, Source
from memory.coverage import leans, turned, uncovered_name, uncovered_number
from memory.secret_shapes import secret_in
from memory.wording import Language, say
from memory.words import squeeze

MOST = 500  # characters a line may have


def refusal(change: Change, source: Source, language: Language, also: Sequence[str] = ()) -> str | None:
    """Why this change must not be written, or None when it may.

    Args:
        also: texts whose names and numbers count as covered: the line that gives way.
    """
    if isinstance(change, Restore):
        return None
    if not _said(source):
        return say(language, "not_said")
    if isinstance(change, Retire):
        return None
    return _about(change, language) or _uncovered(change, source, language, also)


def _said(source: Source) -> bool:
    """Whether the quote stands in what the person typed; compared without width, case and white space."""
    words, quote = squeeze(source.words), squeeze(source.quote)
    return bool(words) and quote in words


def _about(change: Instruct | Learn | Revise, language: Language) -> str | None:
    text = change.text.strip()
    if not any(c.isalnum() for c in text):
        return say(language, "empty")
    if len(text) > MOST or len(change.when or "") > MOST:
        return say(language, "long", what=max(len(text), len(change.when or "")), most=MOST)
    for part in (text, change.when or "", change.topic if isinstance(change, Learn) else ""):
        if kind := secret_in(part):
            return say(language, "secret", what=say(language, kind))
    if leaning := leans(text):
        return say(language, "alone", what=leaning)
    return None


def _uncovered(
    change: Instruct | Learn | Revise, source: Source, language: Language, also: Sequence[str]
) -> str | None:
    held = "\n".join((source.words, source.context, *also))
    text = f"{change.text} {change.when or ''}"
    if number := uncovered_number(text, held, source.at):
        return say(language, "number", what=number)
    if name := uncovered_name(change.text, held):
        return say(language, "name", what=name)
    if turned(change.text, f"{source.quote or source.words}\n{source.context}"):
        return say(language, "polarity")
    return None
