"""Commands about the conversation and the state of things."""

from __future__ import annotations

import asyncio
from collections import Counter

from bot.commands.command import Command, Context
from bot.commands.queue import paused_lines
from bot.desk import Desk
from bot.storage.queue import STATES
from bot.types import Check, Language, Words
from bot.wording import say
from memory.page import CORE


async def new(context: Context, desk: Desk, rest: str) -> Words:
    """Start the conversation in this chat afresh."""
    await context.fresh.begin(desk.burst[-1])
    return Words(say(desk.language, "new"))


async def status(context: Context, desk: Desk, rest: str) -> Words:
    """Whether it can think and is reached, what it holds, and what waits."""
    language = desk.language
    parts = [_part(each, language) for each in await context.parts(language)]
    versions = await asyncio.to_thread(context.versions)
    own = [] if desk.shared else await _own(context, desk)  # others read along there
    return Words("\n".join(row for row in (*parts, *own, versions) if row))


async def _own(context: Context, desk: Desk) -> list[str]:
    """What is only the person's: what is held for them, and what waits."""
    language, lines = desk.language, await desk.memory.lines()
    rules = sum(page == CORE for page, _ in lines)
    words = say(
        language,
        "status",
        rules=rules,
        facts=len(lines) - rules,
        pictures=await desk.pictures.count(),
        due=await context.due(desk.person),
    )
    counts = Counter(work.state for work in await context.work.see(desk.person))
    work = say(
        language, "status.work", counts=say(language, "queue.counts", **{s: counts[s] for s in STATES})
    )
    paused = await paused_lines(context, desk)
    return [words, work, *paused, await context.distilled(desk.person, language)]


def _part(part: Check, language: Language) -> str:
    """Green or red, and what it is in plain words."""
    name = say(language, "status.model") if part.name == "model" else part.name
    return say(language, "status.part", mark="🟢" if part.ok else "🔴", name=name, sentence=part.sentence)


async def stop(context: Context, desk: Desk, rest: str) -> Words:
    """Served only where nothing is to be stopped: what runs is ended by `Turns`, which does not wait for this."""
    return Words(say(desk.language, "stop.nothing"))


COMMANDS = {
    "/status": Command("看现在的状态", "show how things stand", status, anywhere=True),
    "/stop": Command("停下正在做的", "stop what is being done", stop, anywhere=True),
    "/new": Command("重新开始聊，记忆保留", "start afresh; memory stays", new, anywhere=True),
}
