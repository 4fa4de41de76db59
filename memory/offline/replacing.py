"""What is told in the place of a stored line: what becomes of that line, and whether both stand after all."""

from __future__ import annotations

from dataclasses import replace

from memory.changes import Instruct, Learn, Origin
from memory.filing_rules import phrase, read_rule, same_place
from memory.offline.amending import is_exception
from memory.offline.drafting import of_the_same, with_more
from memory.offline.targets import of_other_kinds
from memory.page import Line
from memory.wording import Language
from memory.words import has_han


def in_place_of(change: Instruct | Learn, line: Line, *, more: bool = False) -> Instruct | Learn:
    """A change in the place of a line, or, where both hold, on a line of its own.

    Args:
        more: what the line says stays true, and the change adds to it.
    """
    return _fact(change, line, more=more) if isinstance(change, Learn) else _rule(change, line, more=more)


def _fact(change: Learn, line: Line, *, more: bool) -> Learn:
    """A fact is as explicit as the line it changes: learned stays learned."""
    learned = change.origin is Origin.LEARNED and line.origin is Origin.LEARNED
    if more and change.until != line.until:
        return change  # it ends on another day
    text = of_the_same(change.text, line.text)
    text = with_more(line.text, text) if more else text
    origin = Origin.LEARNED if learned else Origin.EXPLICIT
    return replace(change, text=text, kind=line.kind, target=line.id, origin=origin)


def _rule(change: Instruct, line: Line, *, more: bool) -> Instruct:
    new, old = read_rule(change.text, change.when), read_rule(line.text, line.when)
    if more and (change.when, change.until) not in ((None, None), (line.when, line.until)):
        return change  # it holds elsewhere, or not as long
    if more and new is None and old is None:
        return replace(change, text=with_more(line.text, change.text), when=line.when, target=line.id)
    if new and old and same_place(new.what, old.where):  # "the Bills one goes to Money"
        language: Language = "zh" if has_han(change.text) else "en"
        change = replace(change, text=phrase(old.what, new.where, language))
    elif (
        of_other_kinds(new.what, old.what)
        if new and old
        else not (new or old) and is_exception(change.text, line)
    ):
        return change  # both hold
    return replace(change, when=change.when or (line.when if old is None else None), target=line.id)
