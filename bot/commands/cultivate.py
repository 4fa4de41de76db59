"""`/cultivate`: the agent that tends memory's pages: on, off, now, its log, and schedules of one's own."""

from __future__ import annotations

import asyncio
from datetime import datetime

from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.storage.schedules import MOST, NIGHTLY, Schedule
from bot.timetable import DAILY, described, next_due, read
from bot.tools.tool import whole_number
from bot.types import Words
from bot.wording import say
from memory.cultivation import SIGN, ingest_since, reads

_WORDS = {
    "on": "on 开 打开 开启 开着 启用",
    "off": "off stop 关 关闭 关掉 停 停止 停用",
    "now": "now 现在 立即 立刻 马上",
    "log": "log 日志 记录",
    "add": "add 加 添加 新增 加上",
    "remove": "remove delete rm 删 删除 删掉 去掉 移除",
}
_VERBS = {word: verb for verb, words in _WORDS.items() for word in words.split()}
_ROWS = 12  # rows of log.md that are shown


async def cultivate(context: Context, desk: Desk, rest: str) -> Words:
    """Serve `/cultivate …`."""
    first, _, more = rest.partition(" ")
    verb = _VERBS.get(first.lower()) if rest else "state"
    serve = _SERVED.get(verb or "")
    if serve is None:
        return Words(say(desk.language, "cultivate.usage"))
    if verb in ("on", "now", "add") and not context.model:
        return Words(say(desk.language, "cultivate.no_model"))
    return Words(await serve(context, desk, more.strip()))


async def _next(desk: Desk, cron: str) -> datetime:
    return await asyncio.to_thread(next_due, cron, desk.now())


def _at(desk: Desk, moment: datetime) -> str:
    return f"{moment.astimezone(desk.now().tzinfo):%Y-%m-%d %H:%M}"


async def _numbered(context: Context, desk: Desk, rest: str) -> Schedule | None:
    number = whole_number(rest)
    mine = await context.schedules.of(desk.person)
    return next((each for each in mine if each.number == number), None)


async def _on(context: Context, desk: Desk, rest: str) -> str:
    """Switch on one, or all; the nightly one is made when there is none."""
    schedules, here = context.schedules, desk.burst[-1].id
    if rest and rest != str(NIGHTLY):
        one = await _numbered(context, desk, rest)
        if one is None:
            return say(desk.language, "cultivate.no_such", number=rest[:20])
        await schedules.update(one.id, active=True, due=await _next(desk, one.cron), message=here)
        context.rescheduled()
        when = described(one.cron, desk.language)
        return say(desk.language, "cultivate.one_on", number=one.number, when=when)
    mine = await schedules.of(desk.person)
    for each in mine:
        if not each.active:
            await schedules.update(each.id, active=True, due=await _next(desk, each.cron), message=here)
        elif each.number == NIGHTLY:
            await schedules.update(each.id, message=here)
    if not any(each.number == NIGHTLY for each in mine):
        due = await _next(desk, DAILY)
        await schedules.add(desk.person, DAILY, "", message=here, due=due, nightly=True)
    context.rescheduled()
    return say(desk.language, "cultivate.on", when=described(DAILY, desk.language))


async def _off(context: Context, desk: Desk, rest: str) -> str:
    """Switch off one, or all. A run at work ends first."""
    if rest:
        one = await _numbered(context, desk, rest)
        if one is None:
            return say(desk.language, "cultivate.no_such", number=rest[:20])
        await context.schedules.update(one.id, active=False)
        return say(desk.language, "cultivate.one_off", number=one.number)
    for each in await context.schedules.of(desk.person):
        await context.schedules.update(each.id, active=False)
    context.rescheduled()
    return say(desk.language, "cultivate.off")


async def _now(context: Context, desk: Desk, rest: str) -> str:
    """Make a run due at once; words after it are what it is to do."""
    run = await context.schedules.ask(desk.person, rest, message=desk.burst[-1].id, at=desk.now())
    context.cultivate(run)
    return say(desk.language, "cultivate.started")


async def _add(context: Context, desk: Desk, rest: str) -> str:
    """A schedule of one's own: when, then what."""
    asked = await asyncio.to_thread(read, rest)
    if asked is None:
        return say(desk.language, "cultivate.when")
    if not asked.rest:
        return say(desk.language, "cultivate.what")
    due = await _next(desk, asked.cron)
    made = await context.schedules.add(
        desk.person, asked.cron, asked.rest, message=desk.burst[-1].id, due=due
    )
    if made is None:
        return say(desk.language, "cultivate.full", most=MOST)
    context.rescheduled()
    return say(
        desk.language,
        "cultivate.added" if made.message == desk.burst[-1].id else "cultivate.there",
        number=made.number,
        when=described(made.cron, desk.language),
        prompt=made.prompt,
        due=_at(desk, made.due),
    )


async def _remove(context: Context, desk: Desk, rest: str) -> str:
    one = await _numbered(context, desk, rest)
    if one is None:
        return say(desk.language, "cultivate.no_such", number=rest[:20])
    await context.schedules.remove(one.id)
    context.rescheduled()
    when = described(one.cron, desk.language)
    return say(desk.language, "cultivate.removed", number=one.number, when=when)


async def _state(context: Context, desk: Desk, rest: str) -> str:
    """On or off, each schedule with its next time, and how far was read."""
    language = desk.language
    mine = await context.schedules.of(desk.person)
    on = any(each.active for each in mine)
    rows = [say(language, "cultivate.state", state=say(language, f"cultivate.state.{'on' if on else 'off'}"))]
    for each in mine:
        due = say(language, "cultivate.due", at=_at(desk, each.due))
        rows.append(
            say(
                language,
                "cultivate.row",
                number=each.number,
                when=described(each.cron, language),
                prompt=each.prompt or say(language, "cultivate.nightly"),
                due=due if each.active else say(language, "cultivate.paused"),
            )
        )
    if since := ingest_since(reads(await desk.memory.text("log.md"))):
        rows.append(say(language, "cultivate.since", at=_at(desk, since)))
    last = await context.schedules.last(desk.person)
    if last is not None and last.state == "failed":
        rows.append(say(language, "cultivate.failed_last", problem=last.problem))
    if not context.model:
        rows.append(say(language, "cultivate.no_model"))
    return "\n".join([*rows, say(language, "cultivate.usage")])


async def _log(context: Context, desk: Desk, rest: str) -> str:
    """What log.md says of the last runs."""
    rows = [row for row in (await desk.memory.text("log.md")).splitlines() if f" {SIGN} " in row[:24]]
    return "\n".join(rows[-_ROWS:]) or say(desk.language, "cultivate.log.none")


_SERVED = {
    "state": _state,
    "on": _on,
    "off": _off,
    "now": _now,
    "log": _log,
    "add": _add,
    "remove": _remove,
}
COMMANDS = {
    "/cultivate": Command(
        "打理记忆页面：on、off、now、log、add", "tend memory's pages: on, off, now, log, add", cultivate
    ),
}
