"""`/usage`: tokens and money, today and this month, chat and background apart.

A price that is not known is not made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import add
from zoneinfo import ZoneInfo

from bot.commands.command import Command, Context
from bot.commands.queue import paused_lines
from bot.desk import Desk
from bot.models.metering import BACKGROUND, VOICE
from bot.settings import Price
from bot.storage.usage import Spending, Tokens, Used
from bot.types import Language, Words
from bot.wording import say

_SIGNS = {"USD": "$", "CNY": "¥", "EUR": "€", "GBP": "£"}


async def usage(context: Context, desk: Desk, rest: str) -> Words:
    """Show what model calls took."""
    spending = await context.usage(desk.person)
    paused = await paused_lines(context, desk)
    return Words("\n".join([shown(spending, context.prices, desk.language), *paused]))


def shown(spending: Spending, prices: Sequence[Price], language: Language) -> str:
    """What was spent, as a person reads it."""
    here = spending.now
    lines = [say(language, "usage.today", day=f"{here:%Y-%m-%d}", zone=_zone(here))]
    lines += _stretch(spending.today, prices, language)
    lines.append(say(language, "usage.month", month=f"{here:%Y-%m}"))
    lines += _stretch(spending.month, prices, language)
    if spending.allowance:
        today = total([each for each in spending.today if in_background(each)]).all
        share = f"{100 * today / spending.allowance:.0f}"
        lines.append(say(language, "usage.allowance", allowance=f"{spending.allowance:,}", share=share))
    else:
        lines.append(say(language, "usage.unlimited"))
    if calls := total([each for each in spending.month if each.kind.estimated]).calls:
        lines.append(say(language, "usage.estimated", calls=f"{calls:,}"))
    if unpriced := without_price(spending.month, prices):
        lines.append(say(language, "usage.unpriced", models=", ".join(unpriced)))
    return "\n".join(lines)


def in_background(used: Used) -> bool:
    """Whether nobody waited for it."""
    return used.kind.purpose in BACKGROUND


def of_voice(used: Used) -> bool:
    """Whether somebody was listened to."""
    return used.kind.purpose == VOICE


def total(found: Sequence[Used]) -> Tokens:
    """All of it together."""
    return reduce(add, (each.tokens for each in found), Tokens())


def money(found: Sequence[Used], prices: Sequence[Price]) -> dict[str, float]:
    """What it cost by currency, as far as the prices of its models are known."""
    known = {price.model.casefold(): price for price in prices}
    sums: dict[str, float] = {}
    for each in found:
        if (price := known.get(each.kind.model.casefold())) is not None:
            tokens = each.tokens
            cost = price.of(tokens.input, tokens.cached, tokens.output)
            sums[price.currency] = sums.get(price.currency, 0.0) + cost
    return sums


def without_price(found: Sequence[Used], prices: Sequence[Price]) -> list[str]:
    """The models that were used and whose price is not known, the most used first."""
    known = {price.model.casefold() for price in prices}
    return list(dict.fromkeys(each.kind.model for each in found if each.kind.model.casefold() not in known))


def _stretch(found: Sequence[Used], prices: Sequence[Price], language: Language) -> list[str]:
    """The rows of one stretch of time."""
    heard = [each for each in found if of_voice(each)]
    chat = [each for each in found if not (in_background(each) or of_voice(each))]
    behind = [each for each in found if in_background(each)]
    rows = [_row("chat", chat, prices, language), _row("background", behind, prices, language)]
    purposes = dict.fromkeys(each.kind.purpose for each in behind)
    parts = [
        say(
            language,
            "usage.part",
            name=say(language, f"usage.purpose.{purpose}"),
            all=f"{total([each for each in behind if each.kind.purpose == purpose]).all:,}",
        )
        for purpose in purposes
    ]
    rows += [f"  ({' · '.join(parts)})"] if parts else []
    return [*rows, *([_voice(heard, prices, language)] if heard else [])]


def _voice(heard: Sequence[Used], prices: Sequence[Price], language: Language) -> str:
    """Recordings are counted, and their tokens where the server counts in those."""
    tokens = total(heard)
    words, told = say(language, "usage.heard", calls=f"{tokens.calls:,}"), ""
    if tokens.all:
        words += say(language, "usage.heard.tokens", tokens=_tokens(tokens, language))
        told = _money(heard, prices, language)
    return f"· {say(language, 'usage.row', name=say(language, 'usage.voice'), tokens=words, money=told)}"


def _row(name: str, found: Sequence[Used], prices: Sequence[Price], language: Language) -> str:
    tokens, name = total(found), say(language, f"usage.{name}")
    if not tokens.calls:
        return f"· {say(language, 'usage.row', name=name, tokens=say(language, 'usage.none'), money='')}"
    told = _money(found, prices, language)
    return f"· {say(language, 'usage.row', name=name, tokens=_tokens(tokens, language), money=told)}"


def _tokens(tokens: Tokens, language: Language) -> str:
    counts = {key: f"{getattr(tokens, key):,}" for key in ("all", "input", "cached", "output")}
    return say(language, "usage.tokens", **counts)


def _money(found: Sequence[Used], prices: Sequence[Price], language: Language) -> str:
    sums = " + ".join(_amount(cost, currency) for currency, cost in money(found, prices).items())
    return say(language, "usage.money", money=sums) if sums else ""


def _amount(cost: float, currency: str) -> str:
    """Two digits after the point, more where that would be nothing."""
    sign = _SIGNS.get(currency, f"{currency} ")
    if 0 < cost < 0.0001:
        return f"<{sign}0.0001"
    return f"{sign}{cost:,.2f}" if cost >= 1 or not cost else f"{sign}{cost:.4f}"


def _zone(here: datetime) -> str:
    """The clock's name: of the zone where it has one, else its distance from Greenwich."""
    return here.tzinfo.key if isinstance(here.tzinfo, ZoneInfo) else f"UTC{here:%z}"


COMMANDS = {
    "/usage": Command("用了多少 token、多少钱", "tokens and money, today and this month", usage),
}
