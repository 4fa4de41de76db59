"""Tools that change what lies in the archive: move, rename, delete, restore, merge. Each is one undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.desk import Desk
from bot.errors import ToolError
from bot.storage.editing import FileGone
from bot.storage.edits import Edit, Kind
from bot.storage.records import FilingRow
from bot.tools.habits import offer_rule
from bot.tools.pictures import NUMBER, numbers_of, wanted
from bot.tools.tool import Result, Tool, needed, tool, words_of
from bot.types import Button
from bot.wording import say
from classifiers.categories import clean_name, find, find_by_meaning
from classifiers.titles import clean_title

TOLD = 12  # numbers that a receipt names


async def move_picture(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Put pictures into another category; the newest one when no number is given."""
    category = await _category(desk, needed(arguments, "category"))
    rows = await _rows(desk, arguments, due=True)
    if len(rows) == 1 and rows[0].state == "due":
        rows = [await desk.pictures.wish(rows[0], category)]
        if rows[0].state == "due":
            words = say(desk.language, "moved.soon", new=category)
            return Result(text=f"done: {words}", receipt=words, deed=True)
    moving = [row for row in rows if row.category != category]
    if not moving:
        words = say(desk.language, "moved.same", number=named(rows), new=category)
        return Result(text=words, receipt=words, already=True)
    olds = list(dict.fromkeys(row.category for row in moving))
    edit = await desk.pictures.edit.move(moving, category)
    key = "moved" if len(moving) == 1 else "moved.many"
    done = _done(desk, edit, key, number=named(moving), count=len(moving), old=_listed(olds), new=category)
    question, buttons = await offer_rule(desk, olds, category)
    if not question:
        return done
    receipt, text = f"{done.receipt}\n\n{question}", f"{done.text}; asked the person: {question}"
    return replace(done, text=text, receipt=receipt, buttons=(*done.buttons, *buttons))


async def rename_picture(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Give one picture another title."""
    title = clean_title(needed(arguments, "title"))
    if not title:
        raise ToolError("`title` has no letters")
    row = await wanted(desk, arguments)
    if row.title == title:
        words = say(desk.language, "renamed.same", number=row.number, new=title)
        return Result(text=words, receipt=words, already=True)
    edit = await desk.pictures.edit.rename(row, title)
    return _done(desk, edit, "renamed", number=row.number, old=row.title, new=title)


async def delete_picture(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Put pictures into the bin, from which they can be restored. Never without a number."""
    if not (words_of(arguments, "number") or arguments.get("numbers")):
        raise ToolError("`number` is missing: say which picture is to go")
    newest = words_of(arguments, "number") == "newest"  # in so many words, not for want of a number
    rows = await _rows(desk, {} if newest else arguments)
    edit = await desk.pictures.edit.delete(rows)
    key = "deleted" if len(rows) == 1 else "deleted.many"
    return _done(desk, edit, key, number=named(rows), count=len(rows), title=rows[0].title)


async def restore_picture(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Take pictures out of the bin; the one put there last when no number is given."""
    binned = await desk.pictures.binned()
    numbers = numbers_of(arguments)
    rows = [row for row in binned if row.number in numbers] if numbers else binned[:1]
    if not rows:
        lying = [await desk.pictures.numbered(number) for number in numbers]
        if lying and all(lying):
            words = say(desk.language, "bin.restored.same", number=named([row for row in lying if row]))
            return Result(text=words, receipt=words, already=True)
        key = "bin.no_number" if numbers else "bin.empty"
        raise ToolError(say(desk.language, key, number=", ".join(map(str, numbers[:TOLD]))))
    try:
        edit = await desk.pictures.edit.restore(rows)
    except FileGone as error:
        raise ToolError(say(desk.language, "pictures.file_gone", number=named(rows))) from error
    return _done(
        desk,
        edit,
        "bin.restored",
        number=named(rows),
        category=_listed([row.category for row in rows]),
        title=rows[0].title,
    )


async def merge_categories(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Make two categories one."""
    categories = await desk.pictures.categories()
    said = needed(arguments, "old", most=80)
    old = find(said, categories) or await find_by_meaning(said, categories)
    if old is None:
        raise ToolError(say(desk.language, "merged.unknown", name=clean_name(said)))
    new = await _category(desk, needed(arguments, "new"))
    if new == old.name:
        words = say(desk.language, "merged.same", new=new)
        return Result(text=words, receipt=words, already=True)
    edit, count = await desk.pictures.edit.merge(old.name, new)
    return _done(desk, edit, "merged", old=old.name, new=new, count=count)


async def refile(desk: Desk, moves: Sequence[tuple[int, str]], rule: str) -> Result:
    """The moves that a new rule would make and the person said yes to; what was changed since stays where it is."""
    rows = {row.id: row for row in await desk.pictures.live([filing for filing, _ in moves])}
    going = [
        (rows[filing], category)
        for filing, category in moves
        if filing in rows and not rows[filing].corrected and rows[filing].category != category
    ]
    if not going:
        words = say(desk.language, "refile.nothing")
        return Result(text=words, receipt=words, already=True)
    edit = await desk.pictures.edit.refile(going, rule)
    moving = [row for row, _ in going]
    olds, news = [row.category for row in moving], [category for _, category in going]
    key = "moved" if len(moving) == 1 else "moved.many"
    counts = {"number": named(moving), "count": len(moving)}
    return _done(desk, edit, key, **counts, old=_listed(olds), new=_listed(news))


async def undo_edit(desk: Desk, number: int) -> Result:
    """Take one edit back as a whole; pictures changed again since stay."""
    undone = await desk.pictures.edit.undo(number)
    if undone is None:
        words = say(desk.language, "undo.nothing")
        return Result(text=words, receipt=words)
    words = _taken_back(desk, undone.edit, undone.rows)
    left = len(undone.edit.steps) - len(undone.rows)
    if left:
        words += say(desk.language, "edit.left", count=left)
    return Result(text=f"done: {words}", receipt=words, deed=True)


def _taken_back(desk: Desk, edit: Edit, rows: Sequence[FilingRow]) -> str:
    """What an undo did, in words."""
    numbers, first = named(rows), rows[0] if rows else None
    title = first.title if first else ""
    category = _listed([row.category for row in rows])
    match edit.kind:
        case Kind.RENAME:
            return say(desk.language, "renamed.back", number=numbers, new=title)
        case Kind.DELETE:
            return say(desk.language, "bin.restored", number=numbers, category=category, title=title)
        case Kind.RESTORE:
            return say(desk.language, "deleted.back", number=numbers)
        case Kind.HAND:
            return say(desk.language, "folder.undone", number=numbers)
        case Kind.MERGE if edit.merged is not None:
            return say(desk.language, "merged.back", old=edit.merged.gone, count=len(rows))
        case _:
            old = next((str(step.after.get("category", "")) for step in edit.steps), "")
            return say(desk.language, "moved.back", number=numbers, old=old, new=category)


def named(rows: Sequence[FilingRow]) -> str:
    """Their numbers, as a receipt names them: "3", "3, #5, #9 …"."""
    numbers = sorted(row.number or 0 for row in rows)
    return ", #".join(map(str, numbers[:TOLD])) + (" …" if len(numbers) > TOLD else "")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _done(desk: Desk, edit: int, key: str, **values: object) -> Result:
    words = say(desk.language, key, **values)
    undo = Button(say(desk.language, "undo"), f"unmove:{edit}")
    return Result(text=f"done: {words}", receipt=words, buttons=(undo,), deed=True)


async def _category(desk: Desk, said: str) -> str:
    """The category that a name is: one that is there, whatever its case, or else a new one of a clean name."""
    name = clean_name(said)
    if not any(c.isalnum() for c in name):
        raise ToolError("`category` has no letters")
    known = find(said, await desk.pictures.categories()) or find(name, await desk.pictures.categories())
    return known.name if known else name


async def _rows(desk: Desk, arguments: dict[str, Any], *, due: bool = False) -> list[FilingRow]:
    """The pictures that are meant. Raises `ToolError` when one of them is not there."""
    several = arguments.get("numbers")
    numbers = numbers_of(arguments) if several else []
    if len(numbers) <= 1 and not several:
        return [await wanted(desk, arguments, due=due)]
    rows = [await desk.pictures.numbered(number) for number in numbers]
    missing = [number for number, row in zip(numbers, rows, strict=True) if row is None]
    if missing or not rows:
        named_ = ", #".join(map(str, missing[:TOLD]))
        raise ToolError(say(desk.language, "pictures.no_number", number=named_ or "?"))
    return [row for row in rows if row is not None]


_NUMBERS = {
    "type": "array",
    "items": {"type": "integer"},
    "description": "several #numbers at once; one undo takes all of it back",
}

TOOLS: tuple[Tool, ...] = (
    tool(
        "move_picture",
        "Move filed pictures to another category (new pictures are filed by themselves).",
        move_picture,
        ("category",),
        number=NUMBER,
        numbers=_NUMBERS,
        category={"type": "string"},
    ),
    tool(
        "rename_picture",
        "Give a filed picture another title.",
        rename_picture,
        ("title",),
        number=NUMBER,
        title={"type": "string"},
    ),
    tool(
        "delete_picture",
        "Put filed pictures into the bin; only when the user asks for it. They can be restored.",
        delete_picture,
        number={"type": "integer", "description": "the #number"},
        numbers=_NUMBERS,
    ),
    tool(
        "restore_picture",
        "Take pictures out of the bin.",
        restore_picture,
        number={"type": "integer", "description": "the #number; leave out for the one deleted last"},
        numbers=_NUMBERS,
    ),
    tool(
        "merge_categories",
        "Make two categories of pictures one: everything in `old` goes to `new`, which answers to both names.",
        merge_categories,
        ("old", "new"),
        old={"type": "string"},
        new={"type": "string"},
    ),
)
