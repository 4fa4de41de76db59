"""Commands about memory: what is remembered, taking back, forgetting."""

from __future__ import annotations

from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.tools.notes import forget, outline
from bot.tools.tool import whole_number
from bot.tools.undoing import undo_entry, undo_last
from bot.types import Words
from bot.wording import say
from memory.page import CORE


async def memory(context: Context, desk: Desk, rest: str) -> Words:
    """What is remembered."""
    return Words(await outline(desk))


async def undo(context: Context, desk: Desk, rest: str) -> Words:
    """Take back what was done last, or the change of memory with a number."""
    number = whole_number(rest)
    if rest and number is None:
        return Words(say(desk.language, "undo.nothing"))
    undone = await (undo_last(desk, {}) if number is None else undo_entry(desk, number))
    return Words(undone.receipt)


async def forget_(context: Context, desk: Desk, rest: str) -> Words:
    """Forget a rule by its number in /memory, or a line by words."""
    rules = [line for page, line in await desk.memory.lines() if page == CORE]
    number = whole_number(rest)
    if not rest or (number is not None and not 0 < number <= len(rules)):
        return Words(say(desk.language, "forget.unknown"))
    what = rules[number - 1].id if number is not None else rest
    told = await forget(desk, {"what": what, "quote": rest})
    return Words(told.receipt, buttons=told.buttons)


COMMANDS = {
    "/memory": Command("看我记住了什么", "show what I remember", memory),
    "/undo": Command("撤销上一步：记忆改动或移动图片", "take back what was done last", undo),
    "/forget": Command("忘掉一条：编号或几个词", "forget a line: its number or some words", forget_),
}
