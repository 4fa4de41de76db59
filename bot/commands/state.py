"""Commands about the conversation and the state of things."""

from __future__ import annotations

from bot.commands.command import Command, Context
from bot.commands.queue import paused_lines
from bot.desk import Desk
from bot.types import Words
from bot.wording import say
from memory.page import CORE


async def new(context: Context, desk: Desk, rest: str) -> Words:
    """Start the conversation afresh."""
    await context.people.start_afresh(desk.person, desk.burst[-1].id)
    return Words(say(desk.language, "new"))


async def status(context: Context, desk: Desk, rest: str) -> Words:
    """What is configured and what waits."""
    lines = await desk.memory.lines()
    rules = sum(page == CORE for page, _ in lines)
    words = say(
        desk.language,
        "status",
        model=context.model or say(desk.language, "status.embedded"),
        rules=rules,
        facts=len(lines) - rules,
        pictures=await desk.pictures.count(),
        due=await context.due(desk.person),
    )
    paused = await paused_lines(context, desk)
    rows = [words, await context.distilled(desk.person, desk.language), *paused, *context.troubles()]
    return Words("\n".join(row for row in rows if row))


async def stop(context: Context, desk: Desk, rest: str) -> Words:
    """Served only where nothing is to be stopped: what runs is ended by `Turns`, which does not wait for this."""
    return Words(say(desk.language, "stop.nothing"))


COMMANDS = {
    "/status": Command("看现在的状态", "show how things stand", status, anywhere=True),
    "/stop": Command("停下正在做的", "stop what is being done", stop, anywhere=True),
    "/new": Command("重新开始聊，记忆保留", "start afresh; memory stays", new, anywhere=True),
}
