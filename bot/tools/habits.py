"""The same correction for the third time: a rule is offered, so that there is no fourth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.desk import Desk
from bot.storage.edits import Edit
from bot.storage.records import FilingRow
from bot.types import Button
from bot.wording import say
from classifiers.categories import is_unfiled, named_kinds
from classifiers.kinds import load, ready
from memory import Source
from memory.changes import PROGRAM, Did, Instruct, Kind, Origin
from memory.page import Line

TIMES = 3  # that the same correction is made before a rule is offered
LIKE = 3  # titles by which pictures of no common kind are named
LONGEST = 20  # characters of such a title


async def offer_rule(desk: Desk, olds: Sequence[str], new: str) -> tuple[str, tuple[Button, ...]]:
    """(question, its buttons) when pictures were moved from one category to `new` often enough; ("", ()) otherwise.

    It is put once: what was put before, is a rule already, or was declined is not put again.
    """
    if is_unfiled(new):
        return "", ()
    moves = await desk.pictures.edit.moves()
    for old in dict.fromkeys(olds):
        same = [edit for edit in moves if _goes(edit, old, new)]
        if len(same) >= TIMES:
            rows = await desk.pictures.live([step.filing for edit in same for step in edit.steps])
            return await _offer(
                desk, await _rule(desk, [row for row in rows if row.category == new], new), old, new
            )
    return "", ()


def _goes(edit: Edit, old: str, new: str) -> bool:
    return any(
        step.before.get("category") == old and step.after.get("category") == new for step in edit.steps
    )


async def _rule(desk: Desk, rows: Sequence[FilingRow], new: str) -> str:
    """The rule that would have done it: for the kind most of the pictures are of, or for pictures like these."""
    await ready()
    kinds = Counter(kind for row in rows for kind in named_kinds(" ".join(row.tags))[:1])
    kind, often = kinds.most_common(1)[0] if kinds else ("", 0)
    if often * 3 >= len(rows) * 2 and often:
        name = load()[kind].name(desk.language)
    else:
        titles = list(dict.fromkeys(row.title[:LONGEST] for row in rows))[-LIKE:]
        name = say(desk.language, "habit.like", titles=say(desk.language, "habit.and").join(titles))
    return say(desk.language, "habit.rule", kind=name, new=new)


async def _offer(desk: Desk, rule: str, old: str, new: str) -> tuple[str, tuple[Button, ...]]:
    change = Instruct(rule, when=say(desk.language, "habit.when"))
    words = str(Line("", change.text, Kind.INSTRUCTION, Origin.EXPLICIT, change.when, None))
    place = desk.burst[-1].conversation if desk.burst else ""
    source = Source(place, "", desk.now(), words, words, f"{PROGRAM}Kairos", context=words)
    if await desk.proposals.was_put(desk.person, rule) or await desk.memory.unwanted(change, source):
        return "", ()
    if (await desk.memory.foresee(change, source)).did in (Did.KNOWN, Did.REFUSED):
        return "", ()
    question = say(desk.language, "habit.ask", count=TIMES, old=old, new=new, rule=rule)
    row = await desk.proposals.add(desk.person, change, source, question, desk.now())
    buttons = (
        Button(say(desk.language, "yes"), f"yes:{row}"),
        Button(say(desk.language, "no"), f"no:{row}"),
    )
    return question, buttons
