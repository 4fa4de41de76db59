"""Slash commands: the same in every channel, no model involved. One file a family, one line a command."""

from __future__ import annotations

import re

from bot.commands import cultivate, memory, people, pictures, queue, settings, state, usage
from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.types import Language, Words
from bot.wording import say
from memory.words import HAN, storable

__all__ = ["COMMANDS", "Command", "Context", "menu", "serve"]

LONGEST = 500  # characters after a command that are looked at
_MARKS = ".,;:!?。，；：！？…"
_KIND = r"please|pls|plz|thanks|thank you|thx|请|麻烦|一下|吧|谢谢你?|谢了|多谢|拜托"
_KINDLY = rf"(?:\W*(?:{_KIND})(?![^\W{HAN}]))+\W*"  # courtesies, one after the other
_ONLY_KINDLY = re.compile(_KINDLY, re.IGNORECASE)
_THEN_KINDLY = re.compile(
    rf"(?P<rest>.*?(?:\d\s*[张条个]?|[\s,，](?=\S))){_KINDLY}", re.IGNORECASE | re.DOTALL
)


async def serve(context: Context, desk: Desk, text: str) -> Words:
    """Run `/name rest`."""
    name, *more = text.split(maxsplit=1)
    name, rest = (
        name.split("@")[0].rstrip(_MARKS).lower(),
        storable("".join(more)).replace("\0", "")[:LONGEST],
    )
    command = COMMANDS.get(name)
    if command is None:
        return Words(say(desk.language, "command.unknown", command=name[:40]))
    if desk.shared and not command.anywhere:
        return Words(say(desk.language, "command.alone", command=name))
    return await command.run(context, desk, _plainly(rest.strip(), whole=command.keeps))


def _plainly(rest: str, *, whole: bool) -> str:
    """Without the courtesies people add to a command (please, 谢谢); `whole`: behind other words they stay."""
    if _ONLY_KINDLY.fullmatch(rest):
        return ""
    kindly = None if whole else _THEN_KINDLY.fullmatch(rest)
    return kindly["rest"].strip(" ,，") if kindly else rest


def menu(language: Language, *, shared: bool = False) -> list[tuple[str, str]]:
    """(name, what it does) of every command, for channels that show a menu; `shared`: where others read along."""
    return [
        (name, command.words(language))
        for name, command in COMMANDS.items()
        if command.anywhere or not shared
    ]


def _list(desk: Desk) -> str:
    return "\n".join(f"{name} {words}" for name, words in menu(desk.language, shared=desk.shared))


async def help_(context: Context, desk: Desk, rest: str) -> Words:
    """List the commands."""
    return Words(say(desk.language, "help", commands=_list(desk)))


async def start(context: Context, desk: Desk, rest: str) -> Words:
    """Say hello."""
    words = say(desk.language, "help", commands=_list(desk))
    return Words(say(desk.language, "start", help=words))


COMMANDS: dict[str, Command] = {
    "/start": Command("打个招呼", "say hello", start, anywhere=True),
    "/help": Command("看有哪些命令", "list the commands", help_, anywhere=True),
    **memory.COMMANDS,
    **pictures.COMMANDS,
    **cultivate.COMMANDS,
    **queue.COMMANDS,
    **people.COMMANDS,
    **usage.COMMANDS,
    **state.COMMANDS,
    **settings.COMMANDS,
}
