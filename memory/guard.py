"""What may never be written: secrets, words the person did not say, lines that cannot stand alone.

Each refusal is a sentence fit for the person. The guard reads only the change, its source and the lines that are
there; it calls no model, so nothing can talk it round.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.asserting import unasserted
from memory.changes import Change, Instruct, Learn, Origin, Restore, Retire, Revise, Source
from memory.clauses import clauses, sentences
from memory.coverage import leans, turned, unborne, uncovered_name, uncovered_number
from memory.grounding import only_asks
from memory.meant import supposed
from memory.never import forbidden
from memory.spelling import spelled
from memory.whose import somebody_else
from memory.wording import Language, say
from memory.words import content, covered, squeeze, visible

MOST = 500  # characters a line may have
_ITSELF = 0.6  # share of a line's matter that the quote must hold to be what says it


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
    return bool(words) and quote in words and len(quote) >= min(2, len(words))


def _about(change: Instruct | Learn | Revise, language: Language) -> str | None:
    text = change.text.strip()
    if not any(c.isalnum() for c in text):
        return say(language, "empty")
    if len(text) > MOST or len(change.when or "") > MOST:
        return say(language, "long", what=max(len(text), len(change.when or "")), most=MOST)
    for part in (text, change.when or "", change.topic if isinstance(change, Learn) else ""):
        if reason := forbidden(part, language):
            return reason
    if leaning := leans(text):
        return say(language, "alone", what=leaning)
    return None


def _uncovered(
    change: Instruct | Learn | Revise, source: Source, language: Language, also: Sequence[str]
) -> str | None:
    words, quote = (
        spelled(source.words).text,
        spelled(source.quote).text,
    )  # what they mean, however they are typed
    held = "\n".join((source.words, words, source.context, *also))
    text = f"{change.text} {change.when or ''}"
    if number := uncovered_number(text, held, source.at):
        return say(language, "number", what=number)
    if name := uncovered_name(change.text, held):
        return say(language, "name", what=name)
    said = visible(words)
    around = _around(visible(quote) or said, said)
    learned = isinstance(change, Learn) and change.origin is Origin.LEARNED
    fact = not isinstance(change, Instruct)
    # "yes, always like that" says nothing itself; words that repeat the line do, whatever was said beside them
    itself = not source.context or covered(content(change.text), content(around)) >= _ITSELF
    if turned(
        visible(change.text), f"{around}\n{visible(source.context)}", f"{said}\n{visible(source.context)}"
    ):
        wrong = "polarity"
    elif (
        unborne(change.text, f"{held}\n{source.quote}")
        or (learned and only_asks(around))
        or (isinstance(change, Learn) and unasserted(change.text, held))
    ):
        wrong = "unborne"
    elif itself and somebody_else(visible(change.text), around, fact=fact):
        wrong = "someone_else"
    elif itself and supposed(change.text, quote, said, fact=fact):
        wrong = "supposed"
    else:
        return None
    return say(language, wrong)


def _around(quote: str, words: str) -> str:
    """The clauses that the quote is part of: a quote that leaves out the "not" before it says something else."""
    short = squeeze(quote)
    parts = [part.text for part in clauses(words) if short in squeeze(part.text)]
    parts = parts or [part.text for part in sentences(words) if short in squeeze(part.text)]
    return parts[0] if parts else quote
