"""Commands about the conversation and the state of things."""

from __future__ import annotations

from bot.commands.command import Command, Counter
from bot.desk import Desk
from bot.types import Words
from bot.wording import say


async def new(counter: Counter, desk: Desk, rest: str) -> Words:
    """Start the conversation afresh."""
    await counter.people.start_afresh(desk.person, desk.burst[-1].id)
    return Words(say(desk.language, "new"))


async def status(counter: Counter, desk: Desk, rest: str) -> Words:
    """What is configured and what waits."""
    lines = await desk.memory.lines()
    rules = sum(page == "CORE.md" for page, _ in lines)
    words = say(
        desk.language,
        "status",
        model=counter.model or say(desk.language, "status.embedded"),
        rules=rules,
        facts=len(lines) - rules,
        pictures=len(await desk.pictures.all()),
        due=await counter.due(desk.person),
    )
    return Words("\n".join([words, *counter.troubles()]))


COMMANDS = {
    "/status": Command("看现在的状态", "show how things stand", status),
    "/new": Command("重新开始聊，记忆保留", "start afresh; memory stays", new),
}
