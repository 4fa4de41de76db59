"""Commands about memory: what is remembered and where it came from, changing it by hand, taking back, forgetting."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from bot.commands import memory_lines, memory_log, tidying
from bot.commands.buttons import decide
from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.tools.explaining import last_answer, story
from bot.tools.listing import choice, meant, overview, page_of
from bot.tools.tool import whole_number
from bot.tools.undoing import undo_entry, undo_last
from bot.types import Button, Words
from bot.wording import say

Sub = Callable[[Context, Desk, str], Awaitable[Words]]
WAITING = 5  # open questions that are shown with their buttons


async def memory(context: Context, desk: Desk, rest: str) -> Words:
    """All of it; or one page, one line with its source, or a change: `/memory pause 2`."""
    if not rest:
        return await _all(desk)
    if rest.casefold() in _HELP:
        return Words(say(desk.language, "memory.usage"))
    name, after = _split(rest)
    if name is not None:
        return await SUBCOMMANDS[name](context, desk, after)
    if shown := await page_of(desk, rest):
        return Words(shown)
    found = await meant(desk, rest)
    if found.line is not None:
        return Words(await story(desk, found.line))
    return Words(await choice(desk, found.among))


async def _all(desk: Desk) -> Words:
    parts = [await overview(desk)]
    waiting = (await desk.proposals.open(desk.person))[:WAITING]
    buttons: list[Button] = []
    if waiting:
        rows = [f"#{each.id} {each.question}" for each in waiting]
        parts.append("\n".join([say(desk.language, "waiting.head"), *rows]))
        for each in waiting:
            yes = "accept" if each.program else "yes"
            buttons.append(Button(say(desk.language, "yes.number", n=each.id), f"{yes}:{each.id}"))
            buttons.append(Button(say(desk.language, "no.number", n=each.id), f"no:{each.id}"))
    if await desk.memory.everything():
        parts.append(say(desk.language, "memory.how"))
    return Words("\n\n".join(parts), buttons=tuple(buttons))


async def _yes(context: Context, desk: Desk, rest: str) -> Words:
    return await _decide(desk, rest, yes=True)


async def _no(context: Context, desk: Desk, rest: str) -> Words:
    return await _decide(desk, rest, yes=False)


async def _decide(desk: Desk, rest: str, *, yes: bool) -> Words:
    """An open question by its number; the only one there is needs none."""
    waiting = await desk.proposals.open(desk.person)
    number = whole_number(rest) if rest else waiting[0].id if len(waiting) == 1 else None
    return await decide(desk, -1 if number is None else number, yes=yes)


async def undo(context: Context, desk: Desk, rest: str) -> Words:
    """Take back what was done last, or the change of memory with a number."""
    number = whole_number(rest)
    if rest and number is None:
        return Words(say(desk.language, "undo.usage"))
    undone = await (undo_last(desk, {}) if number is None else undo_entry(desk, number))
    return Words(undone.receipt)


async def why(context: Context, desk: Desk, rest: str) -> Words:
    """The memories of the last answer with their sources; or of one line, by number or words."""
    if not rest:
        return Words(await last_answer(desk))
    found = await meant(desk, rest)
    if found.line is not None:
        return Words(await story(desk, found.line))
    return Words(await choice(desk, found.among))


SUBCOMMANDS: dict[str, Sub] = {
    "edit": memory_lines.edit,
    "pause": memory_lines.pause,
    "resume": memory_lines.resume,
    "forget": memory_lines.forget,
    "log": memory_log.log,
    "restore": memory_log.restore,
    "yes": _yes,
    "no": _no,
    "tidy": tidying.tidy,
}
_ALSO = {  # what else people type
    "改": "edit", "修改": "edit", "改成": "edit", "change": "edit",
    "暂停": "pause", "停用": "pause", "停": "pause",
    "启用": "resume", "继续": "resume", "恢复": "resume", "unpause": "resume",
    "忘掉": "forget", "忘": "forget", "删": "forget", "删除": "forget", "delete": "forget",
    "日志": "log", "记录": "log", "历史": "log", "history": "log",
    "找回": "restore", "还原": "restore",
    "好": "yes", "是": "yes", "同意": "yes", "不": "no", "不用": "no", "否": "no",
    "整理": "tidy", "合并": "tidy", "精简": "tidy", "merge": "tidy",
}  # fmt: skip
_HELP = {"help", "?", "？", "帮助", "怎么用"}
_GLUED = re.compile(  # 「改2 …」「暂停第2条」: no space between word and number
    rf"(?P<name>{'|'.join(sorted((word for word in _ALSO if not word.isascii()), key=len, reverse=True))})"
    r"(?P<rest>\s*[#第]?\s*\d.*)",
    re.DOTALL,
)


def _split(rest: str) -> tuple[str | None, str]:
    """(subcommand, what follows); no subcommand: it names a page or a line."""
    first, *more = rest.split(maxsplit=1)
    word = first.casefold()
    if (name := _ALSO.get(word, word)) in SUBCOMMANDS:
        return name, "".join(more).strip()
    if glued := _GLUED.fullmatch(rest):
        return _ALSO[glued["name"]], glued["rest"].strip()
    return None, rest


COMMANDS = {
    "/memory": Command(
        "看我记住了什么；改、暂停、日志、找回",
        "what I remember; edit, pause, log, restore",
        memory,
        keeps=True,
    ),
    "/why": Command(
        "上一条回答用了哪些记忆，各从哪来", "memories behind the last answer, with their sources", why
    ),
    "/undo": Command("撤销上一步：记忆改动或移动图片", "take back what was done last", undo),
    "/forget": Command(
        "忘掉一条：编号或几个词", "forget a line: its number or some words", memory_lines.forget
    ),
}
