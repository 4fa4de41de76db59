"""Buttons under what we said, and bare words ("yes", 「不用」) that count as pressing one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.commands.command import Context
from bot.commands.people import DECIDED, decided
from bot.commands.queue import retry
from bot.commands.receipts import press_receipt
from bot.commands.settings import change
from bot.commands.tidying import tidy
from bot.desk import Desk
from bot.storage.proposals import REFILE, change_from_json, source_from_json
from bot.storage.records import Proposal
from bot.tools.notes import receipt
from bot.tools.rearranging import refile, undo_edit
from bot.tools.tool import whole_number
from bot.tools.undoing import undo_entry
from bot.types import Message, Words
from bot.wording import say
from memory.changes import Learn, Origin, Retire, Source


async def press(desk: Desk, data: str, context: Context | None = None) -> Words:
    """A button was pressed: `undo:12`, `yes:3`, `no:3`, `accept:3` (what a program proposes), `tidy:1` (propose shorter
    rules), `retry:0` (all work that failed), `set:learning:off`, `allow:99`, `decline:99`, `revoke:99` (who may talk),
    or one under the receipt of a picture."""
    verb, _, rest = data.partition(":")
    served = await press_receipt(desk, verb, rest)
    if served is None and context is not None:
        served = await _press_command(context, desk, verb, rest)
    if served is not None:
        return served
    number = whole_number(rest)
    if number is not None:
        match verb:
            case "undo":
                return Words((await undo_entry(desk, number)).receipt)
            case "unmove":
                return Words((await undo_edit(desk, number)).receipt)
            case "yes" | "no" | "accept":
                return await decide(desk, number, yes=verb != "no")
    return Words(say(desk.language, "question.gone"))


async def _press_command(context: Context, desk: Desk, verb: str, rest: str) -> Words | None:
    """Serve a button that stands for a command; None when it is none of these."""
    if verb in DECIDED:
        return await decided(context, desk, verb, rest)
    match verb:
        case "tidy":
            return await tidy(context, desk)
        case "retry":
            return await retry(context, desk, "all")
        case "set":
            name, _, value = rest.partition(":")
            return await change(context, desk, name, value)
    return None


async def decide(desk: Desk, row_id: int, *, yes: bool) -> Words:
    """Accept or decline an open question."""
    proposal = next((each for each in await desk.proposals.open(desk.person) if each.id == row_id), None)
    if proposal is None:
        return Words(say(desk.language, "question.gone"))
    if proposal.change.get("op") == REFILE:
        return await _refile(desk, proposal, yes=yes)
    change = change_from_json(proposal.change)
    if not yes:
        await desk.memory.decline(change, source_from_json(proposal.source))
        await desk.proposals.settle(row_id, desk.person, "declined")
        key = "declined.forget" if isinstance(change, Retire) else "declined"
        return Words(say(desk.language, key))
    if isinstance(change, Learn):  # a yes to the very line is asking for it
        change = replace(change, origin=Origin.EXPLICIT)
    [outcome] = await desk.memory.apply([change], _approved(desk, source_from_json(proposal.source)))
    # after it is written: a crash asks for it again
    await desk.proposals.settle(row_id, desk.person, "accepted")
    told = receipt(desk, outcome)
    return Words(told.receipt, buttons=told.buttons)


async def _refile(desk: Desk, proposal: Proposal, *, yes: bool) -> Words:
    """The moves that a new filing rule would make: all of them as one edit, or none."""
    if not yes:
        await desk.proposals.settle(proposal.id, desk.person, "declined")
        return Words(say(desk.language, "refile.declined"))
    moves = proposal.change["moves"]
    assert isinstance(moves, list)
    moved = await refile(desk, [(int(row), str(to)) for row, to in moves], str(proposal.change["rule"]))
    await desk.proposals.settle(proposal.id, desk.person, "accepted")
    return Words(moved.receipt, buttons=moved.buttons)


def _approved(desk: Desk, source: Source) -> Source:
    """A program's word is nobody's: the person's yes to the line they were shown is where it comes from."""
    if not source.program or not desk.burst:
        return source
    said = desk.burst[-1]
    return replace(source, conversation=said.conversation, message=str(said.id), at=desk.now())


_YES = re.compile(
    r"^(是|是的|好|好的|嗯|嗯嗯|对|可以|行|要|记吧|记住|yes|yep|yeah|y|ok|okay|sure|please do)[。.!！~～]*$",
    re.I,
)
_NO = re.compile(r"^(不|不用|不要|不必|别记|算了|no|nope|n|no thanks|don't)[。.!！~～]*$", re.I)


SOON = timedelta(minutes=15)  # how long a bare "yes" may come after its question


def decision(message: Message) -> bool | None:
    """Whether a message is a bare yes (True) or a bare no (False), typed by the person and with nothing beside it."""
    words = message.typed.strip()
    if message.attachments:
        return None
    return True if _YES.match(words) else False if _NO.match(words) else None


async def typed_decision(desk: Desk, asked: Sequence[int], *, yes: bool) -> Words | None:
    """A bare yes or no counts as the button of what was asked last in this conversation, when it comes soon.

    Args:
        asked: ids of the questions in what we said last there; after anything else we said there are none, since
            the yes may be meant for that.
    """
    waiting = reversed(await desk.proposals.open(desk.person))
    meant = [each.id for each in waiting if each.id in asked and desk.now() - each.at <= SOON]
    words = [await decide(desk, each, yes=yes) for each in meant]
    if not words:
        return None
    buttons = tuple(button for each in words for button in each.buttons)
    return Words("\n".join(dict.fromkeys(each.text for each in words)), buttons=buttons)
