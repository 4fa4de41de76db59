"""Commands about background work: what waits, what runs, what failed and why, and trying it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.storage.pauses import Pause
from bot.storage.queue import STATES, Work
from bot.types import Button, Language, Words
from bot.wording import say

SHOWN = 8  # of each state
_NAME = 40  # characters of a piece of work's name
_AGAIN = {"retry", "again", "重试", "再试"}
_ALL = {"all", "全部", "所有", ""}


async def queue(context: Context, desk: Desk, rest: str) -> Words:
    """Show what waits, runs and failed; `retry NAME|all` has failed work done once more."""
    verb, _, which = rest.partition(" ")
    if not verb:
        works, paused = await context.work.see(desk.person), await paused_lines(context, desk)
        return shown(works, paused, desk.now(), desk.language)
    if verb.lower() not in _AGAIN:
        return Words(say(desk.language, "queue.usage"))
    return await retry(context, desk, which.strip())


async def retry(context: Context, desk: Desk, which: str) -> Words:
    """Have one piece of failed work done again, or all of it."""
    failed = [work for work in await context.work.see(desk.person) if work.state == "failed"]
    if not failed:
        return Words(say(desk.language, "queue.none_failed"))
    if which.lower() not in _ALL:
        name = which.lstrip("#＃").lower()
        failed = [work for work in failed if work.name == name]
        if not failed:
            return Words(say(desk.language, "queue.no_such", name=which[:_NAME]))
    again = [work.name for work in failed if await context.work.retry(desk.person, work)]
    return Words(say(desk.language, "queue.retried", names=", ".join(again)))


def shown(works: Sequence[Work], paused: Sequence[str], now: datetime, language: Language) -> Words:
    """The queue as a person reads it, below what is said of pauses; with a button where something failed."""
    lines = [*paused]
    if not works:
        return Words("\n".join([*lines, say(language, "queue.empty")]))
    counts = Counter(work.state for work in works)
    lines.append(say(language, "queue.counts", **{state: counts[state] for state in STATES}))
    for state in STATES:
        of_state = [work for work in works if work.state == state]
        lines += [_line(work, now, language) for work in of_state[:SHOWN]]
        if len(of_state) > SHOWN:
            lines.append(say(language, "queue.more", count=len(of_state) - SHOWN))
    failed = [work for work in works if work.state == "failed"]
    if not failed:
        return Words("\n".join(lines))
    lines.append(say(language, "queue.hint", name=failed[0].name))
    return Words("\n".join(lines), buttons=(Button(say(language, "queue.retry_all"), "retry:0"),))


async def paused_lines(context: Context, desk: Desk) -> list[str]:
    """What keeps background work waiting, and until when: an allowance that is spent, providers that are left alone."""
    allowance, providers = await context.work.allowance(desk.person), await context.work.providers()
    return pauses(allowance, providers, desk.now(), desk.language)


def pauses(
    allowance: datetime | None, providers: Sequence[Pause], now: datetime, language: Language
) -> list[str]:
    """A line for each."""
    spent = [] if allowance is None else [say(language, "queue.allowance", time=clock(allowance, now))]
    return spent + [
        say(language, "queue.provider", host=each.matter, time=clock(each.until, now)) for each in providers
    ]


def clock(moment: datetime, now: datetime) -> str:
    """A near moment on the person's own clock, with its day when that is another one."""
    there = moment.astimezone(now.tzinfo)
    return f"{there:%H:%M:%S}" if there.date() == now.date() else f"{there:%Y-%m-%d %H:%M}"


def _line(work: Work, now: datetime, language: Language) -> str:
    what = " ".join(work.what.split())
    what = what if len(what) <= _NAME else what[: _NAME - 1] + "…"
    values = {"name": work.name, "what": f"{say(language, f'queue.kind.{work.kind}')} {what}".strip()}
    values["why"] = say(language, "queue.why", why=work.why) if work.why else ""
    if work.until is not None:
        values["time"] = clock(work.until, now)
    return say(language, f"queue.{work.state}", **values)


COMMANDS = {
    "/queue": Command(
        "看后台：在等的、在做的、失败的；retry 重试", "background work: waiting, running, failed", queue
    ),
}
