"""Where a memory comes from and what it did: who said it, when, in which words, what it replaced, where it was used.

For the model a tool, for the person `/why` and `/memory 2`; both tell the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.desk import Desk
from bot.storage.records import FilingRow
from bot.tools.listing import shown
from bot.tools.tool import Result, Tool, needed, tool, whole_number
from bot.wording import say
from classifiers.kinds import ready
from classifiers.questions import asks_where_it_lies, asks_why_of_a_kind, points_at_one
from memory import Line
from memory.journal import Entry
from memory.page import CORE
from memory.speech_acts import asks_how_known
from memory.words import squeeze

QUOTE = 160  # characters of somebody's words that are shown
MOST = 12  # memories of one answer that are shown, and changes of one line
PLACES = ("terminal",)  # channels that have a name for the person
PICTURES = 5  # filings named where a rule was used
_LOADED = re.compile(r"^\[(?P<id>[^\]\s]{1,32})\] (?P<text>.*)$", re.DOTALL)
_PICTURE = re.compile(r"^\s*(?:[#＃]\s*(\d{1,9})|第\s*(\d{1,9})\s*张)", re.IGNORECASE)


async def explain_memory(desk: Desk, arguments: dict[str, Any]) -> Result:
    """Why something is remembered or done: a line by [id] or words, a filed picture by its #number."""
    what = needed(arguments, "what")
    await ready()
    if picture := await _picture(desk, what):
        return Result(text=await filed_because(desk, picture))
    line = await _line(desk, what)
    if line is not None:
        return Result(text=await story(desk, line), loaded=(f"[{line.id}] {line}",))
    if asks_how_known(what):
        return Result(text=await last_answer(desk, known=True))
    if asks_why_of_a_kind(what) and (pictures := await desk.pictures.search(what, 1)):
        return Result(text=await filed_because(desk, pictures[0]))
    return Result(text=say(desk.language, "memory.unknown"), found=False)


async def _line(desk: Desk, what: str) -> Line | None:
    """The line that is meant, in force or not."""
    id = what.strip("[]^#` ").casefold()
    everything = [line for _, line in await desk.memory.everything()]
    if line := next((line for line in everything if line.id and line.id.casefold() == id), None):
        return line
    if asks_how_known(what):
        return None
    return next((each.line for each in await desk.memory.search(what, most=3) if each.near), None)


async def _picture(desk: Desk, what: str) -> FilingRow | None:
    """The picture that is named by its number, or that was replied to with words about where it lies."""
    if found := _PICTURE.match(what):
        number = whole_number(found[1] or found[2])
        return await desk.pictures.numbered(number) if number is not None else None
    last = desk.burst[-1] if desk.burst else None
    if last is not None and last.reply_to and desk.talk is not None and _of_one(what):
        row = await desk.talk.find(last.channel, last.chat, last.reply_to)
        found_rows = [
            each for each in await desk.pictures.all() if row is not None and each.message == row.id
        ]
        return found_rows[-1] if found_rows else None
    return await _newest(desk) if asks_where_it_lies(what) else None


def _of_one(what: str) -> bool:
    """Whether words that reply to a picture can be about it."""
    return asks_where_it_lies(what) or points_at_one(what)


async def _newest(desk: Desk) -> FilingRow | None:
    row = await desk.pictures.newest()
    return row if row is not None and row.number is not None else None


# ---- one line


async def story(desk: Desk, line: Line) -> str:
    """All about one line: its words, where they come from, what they replaced, and where they were used."""
    entries = await desk.memory.explain(line.id)
    rows = history(desk, entries)[:MOST]
    if used := await _used(desk, entries):
        rows.append(used)
    return _told(desk, shown(desk, line), rows)


def _told(desk: Desk, line: str, rows: Sequence[str]) -> str:
    """A line, and what there is to say of it under it."""
    quoted, indent = (f"「{line}」", "　") if desk.language == "zh" else (f"“{line}”", "  ")
    return "\n".join([quoted, *(indent + row for row in rows)])


def history(desk: Desk, entries: Sequence[Entry]) -> list[str]:
    """Where a line's words come from, and under it what they replaced: (now,) then newest first.

    An undo tells nothing: what stands again was said before, and that is told. Nor does a pause.
    """
    now = _bare(entries[-1].after) if entries else None
    news = [
        each for each in reversed(entries) if each.op != "undo" and _bare(each.before) != _bare(each.after)
    ]
    said = [each for each in news if _bare(each.after) == now][:1]
    rows = [_said(desk, each) for each in said]
    for each in news:
        if each.after is not None and _bare(each.after) != now:
            before = _cut(shown(desk, replace(each.after, paused=False)))
            rows.append(say(desk.language, "why.before", before=before, said=_said(desk, each)))
    return list(dict.fromkeys(rows))


def _bare(line: Line | None) -> str | None:
    """What a line says, paused or not."""
    return None if line is None else str(replace(line, paused=False))


def _said(desk: Desk, entry: Entry) -> str:
    origin = entry.after or entry.before
    words = say(desk.language, f"origin.{origin.origin.value}") if origin else ""
    at = f"{entry.source.at.astimezone(desk.now().tzinfo):%Y-%m-%d %H:%M}"
    if entry.op == "edit" or not entry.source.quote:
        told = (", ", "，")[desk.language == "zh"].join([say(desk.language, "origin.edited by you"), at])
    else:
        told = say(
            desk.language,
            "why.approved" if entry.source.program else "why.said",
            program=entry.source.program,
            origin=words,
            at=at,
            where=place(desk, entry),
            quote=_cut(entry.source.quote),
        )
    opening, closing = ("（", "）") if desk.language == "zh" else (" (", ")")
    return told + (opening + reason_of(entry) + closing if reason_of(entry) else "")


def reason_of(entry: Entry) -> str:
    """Why it was changed, where that is more than the words that it now says."""
    again = entry.after is not None and entry.after.text in entry.reason
    return "" if again else entry.reason


def place(desk: Desk, entry: Entry) -> str:
    """The conversation in which it was said, in words for the person."""
    channel = entry.source.conversation.partition(":")[0]
    if channel in PLACES:
        return say(desk.language, f"place.{channel}")
    return (entry.source.conversation and channel.capitalize()) or "—"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= QUOTE else f"{text[:QUOTE]}…"


async def _used(desk: Desk, entries: Sequence[Entry]) -> str:
    """The pictures that were filed by this rule, as it was put then."""
    wordings = {squeeze(str(each)) for entry in entries for each in (entry.before, entry.after) if each}
    rows = [
        row for row in await desk.pictures.all() if row.rule and squeeze(row.rule) in wordings and row.number
    ]
    if not rows:
        return ""
    named = [_named(desk, row) for row in rows[-PICTURES:][::-1]]
    more = f" … ({len(rows)})" if len(rows) > PICTURES else ""
    return say(
        desk.language, "why.used", pictures=("、" if desk.language == "zh" else ", ").join(named) + more
    )


# ---- one picture


def _named(desk: Desk, row: FilingRow) -> str:
    if desk.language == "zh":
        return f"#{row.number}【{row.category}】《{row.title}》"
    return f"#{row.number} [{row.category}] {row.title}"


async def filed_because(desk: Desk, row: FilingRow) -> str:
    """Why a picture lies where it lies, and where the rule that put it there comes from."""
    picture = _named(desk, row)
    if row.corrected:
        return say(desk.language, "why.by_hand", picture=picture)
    if row.rule:
        told = say(desk.language, "why.by_rule", picture=picture, rule=row.rule)
        everything = [line for _, line in await desk.memory.everything()]
        line = next((line for line in everything if squeeze(str(line)) == squeeze(row.rule)), None)
        return told if line is None else f"{told}\n{await story(desk, line)}"
    colon = "：" if desk.language == "zh" else ": "
    return picture + colon + row.why if row.why else say(desk.language, "why.no_rule", picture=picture)


# ---- one answer


async def last_answer(desk: Desk, *, known: bool = False) -> str:
    """The memories that were loaded for the last answer here, each with its source.

    Args:
        known: it is asked how something is known: the facts that were looked up say it, where there were any.
    """
    last = await desk.talk.last_answered(desk.burst[-1]) if desk.talk is not None and desk.burst else None
    if last is None:
        return say(desk.language, "why.no_answer")
    message, loaded = last
    rules = {f"[{line.id}] " for page, line in await desk.memory.everything() if page == CORE}
    facts = tuple(each for each in loaded if not each.startswith(tuple(rules)))
    loaded = facts if known and facts else loaded
    parts = [
        await filed_because(desk, row)
        for row in await desk.pictures.all()
        if row.message == message.id and row.number and row.state == "filed"
    ]
    everything = {line.id: line for _, line in await desk.memory.everything()}
    entries = await desk.memory.log(None)
    parts += [await _loaded(desk, each, everything, entries) for each in loaded[:MOST]]
    if len(loaded) > MOST:
        parts.append(say(desk.language, "why.more", count=len(loaded) - MOST))
    if not parts:
        return say(desk.language, "why.none")
    head = [say(desk.language, "why.head")] if loaded else []
    return "\n\n".join([*head, *parts])


async def _loaded(desk: Desk, loaded: str, lines: dict[str, Line], entries: Sequence[Entry]) -> str:
    """One memory as it was loaded; where it has changed since, its words of then with where they came from."""
    found = _LOADED.match(loaded)
    id, text = (found["id"], found["text"]) if found else ("", loaded)
    line = lines.get(id) if id else next((each for each in lines.values() if str(each) == text), None)
    if line is not None and str(line) == text:
        return await story(desk, line)
    wrote = [each for each in entries if each.after is not None and str(each.after) == text]
    return _told(desk, text, history(desk, wrote[:1]))


TOOLS: tuple[Tool, ...] = (
    tool(
        "explain_memory",
        "Why you know, think or filed something: who said it, when, in which words, what it replaced, where it was"
        " used.",
        explain_memory,
        ("what",),
        what={
            "type": "string",
            "description": "[id], #number of a picture, or words",
        },
    ),
)
