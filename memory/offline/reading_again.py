"""A message that looks like nothing, read again: it puts a stored line right, or hides one plain clause amid talk.

"ending it more like, I'm a night nurse so …" is talk around a fact; "he's in Cork!!" is clear only beside the line that
says Galway.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from memory.changes import Instruct, Learn
from memory.clauses import clauses
from memory.language import language_of
from memory.offline.cues import corrects, for_good, states
from memory.offline.drafting import drafted
from memory.offline.earnest import Earnest
from memory.offline.lasting import lasts
from memory.offline.parting import Understand, essence, gone_on
from memory.offline.understanding import LONG, Understanding
from memory.own_words import own_words
from memory.page import Line
from memory.phrasing import supposes
from memory.utterance import Utterance
from memory.wording import Language

# Chance from which a line is the one that changes, or that more is said about.
A_CHANGE, MORE_OF_IT = 0.5, 0.8
_MAY_HIDE = frozenset(
    (
        "chat",
        "irony",
        "quoted",
        "task",
        "ask_why",
        "fact_self",
        "fact_other",
        "change",
        "live",
        "once",
        "ask_fact",
    )
)
_CLAUSES = 6  # clauses of a message that are looked through
_PLAIN_CLAUSE = 0.55  # chance from which a clause amid talk is kept

Lines = Sequence[tuple[str, Line]]
Aimed = Callable[[Instruct | Learn, Utterance, Lines, float], Awaitable[Instruct | Learn]]


@dataclass(frozen=True, slots=True)
class Again:
    """What reading again takes."""

    clause: Understand  # what a piece of a message is by itself
    aimed: Aimed  # a change with the line it is about
    earnest: Earnest | None  # who doubts the message as a whole


async def read_again(
    found: Understanding, utterance: Utterance, earlier: Sequence[Utterance], lines: Lines, again: Again
) -> Understanding:
    """What the one clause says that tells something; the message as it was found where none does."""
    if len(utterance.text) > LONG or found.label not in _MAY_HIDE or for_good(utterance.text):
        return found
    if lines and corrects(utterance.text):
        right = await _put_right(found, utterance, earlier, lines, again.aimed)
        if right is not None:
            return right
    language: Language = language_of(utterance.text) or "zh"
    own = own_words(utterance.text)  # what stands under "translate this:" is nobody's
    told = clauses(utterance.text[: len(own)] if utterance.text.startswith(own) else own)[:_CLAUSES]
    lasting = [part for part in told if lasts(part.text, language)]
    hidden = [part for part in told if states(part.text, language) or part in lasting]
    hidden = lasting if len(lasting) == 1 else hidden
    if len(hidden) != 1 or len(clauses(utterance.text)) < 2 or supposes(utterance.text, language):
        return found
    alone = await again.clause(essence(hidden[0].text.strip("，,。.;； ")))
    meant = again.earnest is None or again.earnest.allowed("save", found.odds, plain=False) == "save"
    if (
        meant
        and alone.level == "save"
        and alone.label in ("fact_self", "fact_other")
        and (alone.chance >= _PLAIN_CLAUSE or (lasting and found.label != "quoted"))
    ):
        said = gone_on(utterance.text, hidden[0], told)
        return replace(alone, said=said, keep=said if said != hidden[0].text else alone.keep, parts=())
    return found


async def _put_right(
    found: Understanding, utterance: Utterance, earlier: Sequence[Utterance], lines: Lines, aimed: Aimed
) -> Understanding | None:
    """The clause that puts a stored line right."""
    language: Language = language_of(utterance.text) or "zh"
    told = [part for part in clauses(utterance.text)[:_CLAUSES] if states(part.text, language)]
    for each in sorted(told, key=lambda part: not corrects(part.text)):
        fact = replace(
            found, label="change", of="fact", keep=each.text, said=each.text, level="save", parts=()
        )
        change = drafted(fact, replace(utterance, text=each.text), earlier, language, lines)
        if change is None or isinstance(change, Instruct):
            continue
        if (await aimed(change, utterance, lines, MORE_OF_IT)).target is not None:
            return fact
    return None
