"""Changing one line of memory by command: edit, pause, resume, forget; by number or by words, no model involved."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.commands.command import Context
from bot.desk import Desk
from bot.tools import notes
from bot.tools.listing import choice, meant
from bot.tools.notes import receipt, source_for
from bot.tools.tool import Result
from bot.types import Words
from bot.wording import say
from memory import Line
from memory.changes import Did, Revise
from memory.marks import marks_of

_EDIT = re.compile(
    r"[#第\[^`\s]*(?P<what>\d{1,6}(?!\d)|[A-Za-z][A-Za-z0-9-]{0,31}(?=[\s\]`]))[\]`]?\s*[条号]?[\s:：,，.、]*"
    r"(?P<text>.+)",
    re.DOTALL,
)


async def edit(context: Context, desk: Desk, rest: str) -> Words:
    """New words for a line; scope and end stay where the new words name none."""
    found = _EDIT.fullmatch(rest)
    if found is None or not found["text"].strip():
        return Words(say(desk.language, "edit.how"))
    named = await meant(desk, found["what"])
    line = named.line if found["what"].isdecimal() or named.by_name else None
    if line is None:
        return Words(say(desk.language, "memory.no_such"))
    new = marks_of(" ".join(found["text"].split()))
    change = Revise(
        line.id, new.text, new.when or line.when, new.until or line.until, paused=new.paused or line.paused
    )
    return await _write(desk, change, quote=found["text"].strip())


async def pause(context: Context, desk: Desk, rest: str) -> Words:
    """Let a line stay and hold nowhere."""
    line = await _one(desk, rest)
    if isinstance(line, Words):
        return line
    if line.paused:
        return Words(say(desk.language, "paused.already", text=line.text))
    return await _write(desk, _as_it_is(line, paused=True), key="paused")


async def resume(context: Context, desk: Desk, rest: str) -> Words:
    """Let a paused line hold again."""
    line = await _one(desk, rest)
    if isinstance(line, Words):
        return line
    if not line.paused:
        key = "expired.still" if line.expired(desk.now().date()) else "paused.not"
        return Words(say(desk.language, key, text=line.text, until=line.until))
    return await _write(desk, _as_it_is(line, paused=False), key="resumed")


async def forget(context: Context, desk: Desk, rest: str) -> Words:
    """Forget a line by its number in /memory, or by words; paused and expired ones too."""
    found = await meant(desk, rest)
    if found.line is not None:
        told = await notes.forget(desk, {"what": found.line.id, "quote": ""})
        return _words(told)
    return Words(await choice(desk, found.among) if found.among else say(desk.language, "forget.unknown"))


async def _one(desk: Desk, words: str) -> Line | Words:
    found = await meant(desk, words)
    return found.line or Words(await choice(desk, found.among))


def _as_it_is(line: Line, *, paused: bool) -> Revise:
    return Revise(line.id, line.text, line.when, line.until, paused=paused)


async def _write(desk: Desk, change: Revise, *, quote: str = "", key: str = "") -> Words:
    """Write it, and say so: in the words of `key` where a line was only paused or resumed."""
    [outcome] = await desk.memory.apply([change], source_for(desk, quote))
    told = receipt(desk, outcome)
    if key and outcome.did is Did.REPLACED:
        told = replace(told, receipt=say(desk.language, key, text=outcome.after))
    return _words(told)


def _words(told: Result) -> Words:
    return Words(told.receipt, buttons=told.buttons)
