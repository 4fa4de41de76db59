"""Correcting a filing in one move: the buttons under its receipt, and what is typed in reply to it. No model needed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.desk import Desk
from bot.errors import ToolError
from bot.storage.outbox import OutboxRows
from bot.storage.records import FilingRow
from bot.tools.rearranging import (
    delete_picture,
    move_picture,
    named,
    rename_picture,
    restore_picture,
    undo_edit,
)
from bot.tools.tool import Result, whole_number
from bot.types import Button, Message, Outgoing, Words
from bot.wording import say
from classifiers.asked import Asked, Deed, read_asked
from classifiers.categories import clean_name
from classifiers.titles import clean_title

_VERBS = ("place", "to", "title", "delete", "unfile", "move")
OFFERED = 6  # categories to choose among
SOON = timedelta(minutes=15)  # how long what is typed may be the name we asked for
LONGEST_NAME = 80  # characters of such a name; longer words are about something else


async def press_receipt(desk: Desk, verb: str, rest: str) -> Words | None:
    """Serve a button under a receipt; None when it is none of these."""
    which, _, more = rest.partition(":")
    number = whole_number(which.removeprefix("m"))
    if verb not in _VERBS or number is None or (more and verb != "to"):
        dropped = verb == "drop" and which in ("place", "title")
        return Words(say(desk.language, "button.dropped")) if dropped else None
    rows = await _rows(desk, which)
    if not rows:
        return Words(say(desk.language, "pictures.no_number", number=number))
    if verb in ("place", "to", "move"):
        return await _to(desk, rows, which, more or ("better" if verb == "move" else ""))
    if verb == "title":
        words = say(desk.language, "button.title.ask", number=rows[0].number, title=rows[0].title)
        return Words(words, buttons=(_drop(desk, "title", which),))
    return await (_undo(desk, rows) if verb == "unfile" else _do(desk, Asked("delete"), rows))


async def typed_at_receipt(desk: Desk, message: Message, outbox: OutboxRows) -> Words | None:
    """What is typed in reply to a receipt, or as the name we asked for; None when it is something else."""
    if not message.typed or message.attachments:
        return None
    if _may_name(message.typed) and (waiting := await outbox.waiting(message, desk.now() - SOON)):
        return await _named(desk, message.typed, waiting)
    asked = read_asked(message.typed, await desk.pictures.categories()) if message.reply_to else None
    if asked is None:
        return None
    rows = await _replied(desk, message, await outbox.replied(message))
    if rows and asked.numbers:
        rows = [row for number in asked.numbers if (row := await desk.pictures.numbered(number))]
    if not rows:
        return None
    return await _undo(desk, rows) if asked.deed == "undo" else await _do(desk, asked, rows)


def _may_name(typed: str) -> bool:
    return (
        len(typed) <= LONGEST_NAME and "\n" not in typed.strip() and not typed.rstrip().endswith(("?", "？"))
    )


async def _named(desk: Desk, typed: str, waiting: str) -> Words | None:
    """A name that a button asked for: of a category, or a title. None when there is nothing to name."""
    verb, _, which = waiting.partition(":")
    rows = await _rows(desk, which)
    deed: Deed = "move" if verb == "place" else "rename"
    asked = read_asked(typed, await desk.pictures.categories())
    if asked is None or asked.deed != deed:
        asked = Asked(deed, (clean_name if deed == "move" else clean_title)(typed))
    return await _do(desk, asked, rows) if rows and asked.to else None


async def _replied(desk: Desk, message: Message, replied: Outgoing | None) -> list[FilingRow]:
    """The pictures that the message replied to is about: those its buttons name, else those it brought."""
    if replied is None:
        theirs = desk.talk and await desk.talk.find(message.channel, message.chat, message.reply_to)
        return await _rows(desk, f"m{theirs.id}") if theirs and theirs.attachments else []
    for button in replied.buttons:
        verb, _, rest = button.data.partition(":")
        if verb in ("place", "move", "to", "title", "delete", "unfile"):
            return await _rows(desk, rest.partition(":")[0])
        if verb == "unmove" and (number := whole_number(rest)) is not None:
            edit = await desk.pictures.edit.standing(number)
            return await desk.pictures.live([step.filing for step in edit.steps]) if edit else []
    if replied.kind == "receipt" and replied.about is not None:
        return await _rows(desk, f"m{replied.about}")
    return []


async def _rows(desk: Desk, which: str) -> list[FilingRow]:
    """The pictures of `7`, or of a message and its album: `m12`."""
    number = whole_number(which.removeprefix("m"))
    if number is None:
        return []
    if not which.startswith("m"):
        row = await desk.pictures.numbered(number)
        return [row] if row else []
    if desk.talk is None:
        return []
    first = await desk.talk.get(number)
    album = await desk.talk.album(first) if first.person == desk.person else []
    return await desk.pictures.brought([each.id for each in album])


async def _offer(desk: Desk, rows: Sequence[FilingRow], which: str) -> Words:
    """The categories nearest to the picture, and a way to name another one."""
    near = await desk.pictures.near_categories(rows[0], OFFERED)
    buttons = [Button(each.name, f"to:{which}:{each.id}") for each in near]
    buttons.append(Button(say(desk.language, "button.other"), f"to:{which}:other"))
    words = say(desk.language, "button.place.ask", number=named(rows), category=rows[0].category)
    return Words(words, buttons=tuple(buttons))


async def _to(desk: Desk, rows: Sequence[FilingRow], which: str, chosen: str) -> Words:
    if chosen == "other":
        words = say(desk.language, "button.other.ask", number=named(rows))
        return Words(words, buttons=(_drop(desk, "place", which),))
    if chosen == "better":  # the one it nearly went to; its name may be too long for a button's data
        found = rows[0].runner_up
    else:
        found = next((each.name for each in await desk.pictures.categories() if each.id == chosen), None)
    if found is None:
        gone = Words(say(desk.language, "question.gone"))
        return gone if chosen == "better" else await _offer(desk, rows, which)
    return await _do(desk, Asked("move", found), rows)


def _drop(desk: Desk, verb: str, which: str) -> Button:
    return Button(say(desk.language, "button.drop"), f"drop:{verb}:{which}")


async def _undo(desk: Desk, rows: Sequence[FilingRow]) -> Words:
    """Take back what was done last to these pictures; where nothing was, their filing: they go to the bin."""
    edit = await desk.pictures.edit.last_of([row.id for row in rows])
    if edit is not None:
        result = await undo_edit(desk, edit.id)
        return Words(result.receipt, buttons=result.buttons)
    return await _do(desk, Asked("delete"), rows)


async def _do(desk: Desk, asked: Asked, rows: Sequence[FilingRow]) -> Words:
    numbers = [row.number for row in rows]
    which: dict[str, object] = {"number": numbers[0]} if len(numbers) == 1 else {"numbers": numbers}
    try:
        result = await _deed(desk, asked, which)
    except ToolError as error:
        return Words(str(error))
    return Words(result.receipt, buttons=result.buttons)


async def _deed(desk: Desk, asked: Asked, which: dict[str, object]) -> Result:
    match asked.deed:
        case "move":
            return await move_picture(desk, {**which, "category": asked.to})
        case "rename":
            return await rename_picture(desk, {**which, "title": asked.to})
        case "restore":
            return await restore_picture(desk, which)
        case _:
            return await delete_picture(desk, which)
