"""The log of memory: what changed, from what to what, by whom; and any of it brought back."""

from __future__ import annotations

from bot.commands.command import Context
from bot.desk import Desk
from bot.tools.explaining import place, reason_of
from bot.tools.listing import shown
from bot.tools.notes import receipt
from bot.tools.tool import whole_number
from bot.types import Button, Words
from bot.wording import say
from memory import Line
from memory.changes import Did
from memory.journal import Entry

SHOWN, MOST = 10, 50  # changes listed, and at most
LONGEST = 80  # characters of a line in the log


async def log(context: Context, desk: Desk, rest: str) -> Words:
    """The last changes, newest first; `log 30` for more."""
    wanted = whole_number(rest) or SHOWN
    entries = await desk.memory.log(min(wanted, MOST))
    if not entries:
        return Words(say(desk.language, "log.none"))
    rows = [row(desk, entry) for entry in entries]
    how = say(desk.language, "log.how", n=entries[0].n)
    return Words("\n".join([say(desk.language, "log.head"), *rows, "", how]))


def row(desk: Desk, entry: Entry) -> str:
    """One change: number, date, what, before → after, by whom, and why where that is known."""
    at = f"{entry.at.astimezone(desk.now().tzinfo):%m-%d %H:%M}"
    did, before, after = _did(entry), entry.before, entry.after
    if before and after and (before.when, before.until) == (after.when, after.until):
        before, after = Line(before.id, before.text), Line(after.id, after.text)  # all else is as it was
    told = say(desk.language, f"log.{did}", before=_cut(desk, before), after=_cut(desk, after))
    reason = f" · {reason_of(entry)}" if reason_of(entry) and did not in _PLAIN else ""
    return f"**#{entry.n}** {at} {told} · {_by(desk, entry)}{reason}"


_PLAIN = ("paused", "resumed", "restored")  # what was done says why


def _did(entry: Entry) -> str:
    before, after = entry.before, entry.after
    if entry.op == "decline":
        return "decline"
    if entry.op == "undo":
        back = "restored" if entry.undoes is None else "back"
        return back if after is not None else "gone"
    if before is None or after is None:
        return "add" if before is None else "remove"
    if before.text == after.text and before.paused != after.paused:
        return "paused" if after.paused else "resumed"
    return "replace"


def _cut(desk: Desk, line: Line | None) -> str:
    if line is None:
        return ""
    text = shown(desk, line)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _by(desk: Desk, entry: Entry) -> str:
    if entry.op == "edit":
        return say(desk.language, "by.file")
    if entry.source.program:
        return say(desk.language, "by.program", program=entry.source.program)
    if entry.source.by != "person":
        return entry.source.by
    return say(desk.language, "by.person", where=place(desk, entry))


async def restore(context: Context, desk: Desk, rest: str) -> Words:
    """Bring back what a change of the log tells of."""
    number = whole_number(rest)
    if number is None:
        return Words(say(desk.language, "restore.how"))
    outcome = await desk.memory.restore(number)
    if outcome.did is Did.KNOWN:
        undo = (Button(say(desk.language, "undo"), f"undo:{number}"),)
        return Words(say(desk.language, "restore.same", text=outcome.after), buttons=undo)
    told = receipt(desk, outcome)
    return Words(told.receipt, buttons=told.buttons)
