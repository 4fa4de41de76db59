"""`/settings`: what a person may change for themselves in a chat, by buttons or words. Never a secret or an address:
those are changed by `kairos setup`, where the assistant runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.commands.command import Command, Context
from bot.commands.cultivate import cultivate
from bot.desk import Desk
from bot.settings.zones import zone_named
from bot.types import Button, Language, Words
from bot.wording import say

log = structlog.get_logger(__name__)

Read = Callable[[str], Awaitable[str | None]]
"""The value that somebody means by a word; None when there is none."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be chosen."""

    words: str  # by which people name it
    values: tuple[str, ...]  # those that have a button
    read: Read


def _one_of(**spellings: str) -> Read:
    """Reads a value in any of its spellings."""
    known = {word: value for value, words in spellings.items() for word in (value, *words.split())}

    async def read(text: str) -> str | None:
        return known.get(text.casefold())

    return read


_AS_SET = {"auto", "default", "machine", "自动", "默认"}


async def _zone(text: str) -> str | None:
    """ "" = the one that is set for everybody."""
    return "" if text.casefold() in _AS_SET else await asyncio.to_thread(zone_named, text)


SETTINGS = {
    "learning": Setting(
        "learning learn 学习 自动学习",
        ("on", "ask", "off"),
        _one_of(on="开 打开 开启 yes true", ask="问 先问 询问", off="关 关闭 关掉 不 no false"),
    ),
    "language": Setting(
        "language lang 语言",
        ("auto", "zh", "en"),
        _one_of(auto="自动 默认 default", zh="中文 汉语 chinese zh-cn", en="英文 英语 english en-us"),
    ),
    "timezone": Setting("timezone zone tz time-zone time_zone 时区", (), _zone),
    "streaming": Setting(
        "streaming stream 流式 边写边看", ("on", "off"), _one_of(on="开 打开 开启 yes", off="关 关闭 关掉 no")
    ),
    "cultivate": Setting(
        "cultivate cultivation 打理 夜间打理", ("on", "off"), _one_of(on="开 打开 开启", off="关 关闭 关掉")
    ),
}
_NAMES = {word: name for name, setting in SETTINGS.items() for word in setting.words.split()}


async def settings(context: Context, desk: Desk, rest: str) -> Words:
    """Show what may be changed; `NAME VALUE` changes it."""
    if not rest:
        return await _shown(context, desk)
    first, _, value = rest.replace("=", " ").replace("：", " ").partition(" ")
    name = _NAMES.get(first.casefold())
    if name is None:
        return Words(say(desk.language, "settings.not_here"))
    return await change(context, desk, name, value.strip())


async def change(context: Context, desk: Desk, name: str, typed: str) -> Words:
    """Choose a value for one setting, and show how things are then."""
    setting = SETTINGS.get(name)
    value = None if setting is None or not typed else await setting.read(typed)
    if setting is None or value is None:
        return Words(say(desk.language, f"settings.{name}.how" if setting else "settings.not_here"))
    if name == "cultivate":
        return await cultivate(context, desk, value)
    await context.preferences.choose(desk.person, name, value)
    log.info("chosen", action="setting_chosen", person=desk.person, setting=name, value=value)
    context.chosen(desk.burst[-1], name)
    language = (
        (context.preferences.language(desk.person) or desk.language) if name == "language" else desk.language
    )
    done = say(language, "settings.done", what=await _line(context, desk, name, language))
    return Words(done, buttons=_buttons(name, value, language))


async def _shown(context: Context, desk: Desk) -> Words:
    language, buttons = desk.language, list[Button]()
    lines = [say(language, "settings.head")]
    for name in SETTINGS:
        lines.append(f"· {await _line(context, desk, name, language)}")
        buttons += _buttons(name, await _value(context, desk, name), language)
    lines.append(say(language, "settings.hint"))
    return Words("\n".join(lines), buttons=tuple(buttons))


async def _value(context: Context, desk: Desk, name: str) -> str:
    if name == "cultivate":
        schedules = await context.schedules.of(desk.person)
        return "on" if any(each.active for each in schedules) else "off"
    return str(getattr(context.preferences.of(desk.person), name))


async def _line(context: Context, desk: Desk, name: str, language: Language) -> str:
    """How one stands, and what that means."""
    value = await _value(context, desk, name)
    if name == "timezone":
        now = desk.now()
        zone = value or say(language, "settings.timezone.machine")
        return say(language, "settings.timezone", zone=zone, now=f"{now:%H:%M}")
    return say(language, f"settings.{name}.{value}")


def _buttons(name: str, value: str, language: Language) -> tuple[Button, ...]:
    """What else it could be."""
    return tuple(
        Button(say(language, f"settings.{name}.{each}.button"), f"set:{name}:{each}")
        for each in SETTINGS[name].values
        if each != value
    )


COMMANDS = {
    "/settings": Command(
        "看和改设置：学习、语言、时区", "your learning, language, time zone: see, change", settings
    ),
}
