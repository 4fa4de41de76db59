"""Rules that take too much room: said once, with an offer of a shorter set; nothing is changed before a yes."""

from __future__ import annotations

import structlog

from bot.commands.command import Context
from bot.desk import Desk
from bot.errors import ModelError
from bot.tools.listing import rules, shown
from bot.tools.notes import source_for
from bot.types import Button, Words
from bot.wording import say
from memory import Line, Source
from memory.changes import Retire, Revise
from memory.page import CORE

log = structlog.get_logger(__name__)

OFFERS = 3  # proposals at once


async def tidy(context: Context, desk: Desk, rest: str = "") -> Words:
    """Propose merges, each with its exact before and after; with no model, name what could go."""
    full = await desk.memory.fullness()
    size = {"tokens": f"{full.tokens:,}", "budget": f"{full.budget:,}"}
    in_force = [line for _, line in await desk.memory.lines(CORE)]
    try:
        merges = await context.merge(in_force, desk.now())
    except ModelError as error:
        log.warning("no merge proposed", action="merge_failed", error=type(error).__name__)
        merges = ()
    offers = [await _merge(desk, merge) for merge in merges[:OFFERS]]
    if not offers:
        pairs = await desk.memory.alike()
        offers = [await _drop(desk, older, newer) for older, newer in pairs[:OFFERS]]
    today = desk.now().date()
    for line in [line for line in await rules(desk) if line.expired(today)][: OFFERS - len(offers)]:
        offers.append(await _drop(desk, line, None))
    if not offers:
        return Words(say(desk.language, "tidy.nothing", **size))
    head = say(desk.language, "tidy.head", **size)
    buttons = tuple(button for each in offers for button in each.buttons)
    return Words("\n\n".join([head, *(each.text for each in offers)]), buttons=buttons)


async def _merge(desk: Desk, merge: Revise) -> Words:
    lines = {line.id: line for _, line in await desk.memory.everything()}
    gone = [lines[id] for id in (merge.target, *merge.also)]
    before = "\n".join(f"- {shown(desk, line)}" for line in gone)
    after = shown(desk, Line("", merge.text, when=merge.when, until=merge.until))
    approved = say(desk.language, "tidy.approved", lines="; ".join(str(line) for line in gone))
    said = source_for(desk, "")
    source = Source(said.conversation, said.message, said.at, approved, approved, context=str(after))
    return await _offer(desk, merge, source, say(desk.language, "tidy.merge", before=before, after=after))


async def _drop(desk: Desk, line: Line, instead: Line | None) -> Words:
    if instead is None:
        question = say(desk.language, "tidy.expired", text=shown(desk, line))
    else:
        question = say(desk.language, "tidy.drop", older=shown(desk, line), newer=shown(desk, instead))
    return await _offer(desk, Retire(line.id), source_for(desk, ""), question)


async def _offer(desk: Desk, change: Revise | Retire, source: Source, question: str) -> Words:
    row = next(
        (each.id for each in await desk.proposals.open(desk.person) if each.question == question), None
    )  # asked already, and still open
    if row is None:
        row = await desk.proposals.add(desk.person, change, source, question, desk.now())
    buttons = (
        Button(say(desk.language, "yes.number", n=row), f"yes:{row}"),
        Button(say(desk.language, "no.number", n=row), f"no:{row}"),
    )
    return Words(f"#{row} {question}", buttons=buttons)
