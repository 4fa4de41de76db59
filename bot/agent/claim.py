"""One claim, and how a sentence is searched for claims by the forms of its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.tools.deeds import Deed


@dataclass(frozen=True, slots=True)
class Claim:
    """A deed that an answer says it did."""

    deed: Deed  # what it looks like
    words: str  # the sentence that says so
    earlier: bool = False  # said of some time before this turn ("last week I saved …")
    kept_by: frozenset[Deed] = frozenset()  # other kinds of deeds that make it true as well


@dataclass(frozen=True, slots=True)
class Form:
    """A way to claim a deed: where `said` is found in a clause, it is claimed."""

    deed: Deed
    said: re.Pattern[str]
    kept_by: frozenset[Deed] = frozenset()
    standing: bool = False  # a promise for good: a condition in it is its scope, not a doubt
    unless: re.Pattern[str] | None = None  # of a clause with these words it is no such deed


@dataclass(frozen=True, slots=True)
class Language:
    """How a language claims, and what keeps words from being a claim."""

    forms: Sequence[Form]
    asks: re.Pattern[str]  # a whole sentence that asks or offers
    doubts: re.Pattern[str]  # a clause that makes itself, and what follows it in the sentence, conditional
    earlier: re.Pattern[str]
    clauses: re.Pattern[str]  # what parts the clauses of a sentence
    mine: Callable[[str, str], bool]  # (clause before the verb, from the verb on): the assistant's own deed
    may_claim: Callable[[str], bool] = bool  # a quick look at a sentence that spares most of them the forms


def found_in(sentence: str, language: Language) -> Iterator[Claim]:
    """The claims of one sentence, each deed once."""
    if not language.may_claim(sentence) or language.asks.search(sentence):
        return
    seen: set[Deed] = set()
    doubtful = False
    for clause in language.clauses.split(sentence):
        doubtful = doubtful or bool(language.doubts.search(clause))
        for form in language.forms:
            found = form.said.search(sentence if form.standing else clause)
            if found is None or form.deed in seen or (doubtful and not form.standing):
                continue
            if form.unless is not None and form.unless.search(found.string):
                continue
            within = found.string
            if language.mine(within[: found.start()], within[found.start() :]):
                seen.add(form.deed)
                yield Claim(form.deed, sentence, bool(language.earlier.search(sentence)), form.kept_by)
