"""`kairos usage`: what model calls took, today and this month."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.cli.options import OWNER, Home, Json, Person, looked_at, spoken_in

if TYPE_CHECKING:
    from bot.settings import Price, Settings
    from bot.storage.usage import Spending, Used


def usage(person: Person = OWNER, json_: Json = False, home: Home = None) -> None:
    """Show the tokens and money that model calls took, today and this month."""
    settings, person = looked_at(person, home)
    found = asyncio.run(_look(settings, person))
    if json_:
        print(json.dumps(_shown(found, settings.prices), ensure_ascii=False, indent=2))
        return
    from bot.commands.queue import pauses
    from bot.commands.usage import shown

    language = spoken_in(settings)
    paused = pauses(found.paused, (), found.now, language)
    print("\n".join([shown(found, settings.prices, language), *paused]))


async def _look(settings: Settings, person: str) -> Spending:
    from bot.app import open_app

    async with open_app(settings, looking=True) as app:
        return await app.meter.spending(person)


def _shown(found: Spending, prices: Sequence[Price]) -> dict[str, Any]:
    from bot.commands.usage import without_price

    return {
        "now": found.now.isoformat(),
        "today": _stretch(found.today, prices),
        "month": _stretch(found.month, prices),
        "background_tokens_a_day": found.allowance,
        "background_paused_until": found.paused.isoformat() if found.paused else None,
        "without_price": without_price(found.month, prices),
    }


def _stretch(found: Sequence[Used], prices: Sequence[Price]) -> dict[str, Any]:
    from bot.commands.usage import in_background, of_voice

    sides = {
        "chat": [each for each in found if not (in_background(each) or of_voice(each))],
        "voice": [each for each in found if of_voice(each)],
        "background": [each for each in found if in_background(each)],
    }
    return {name: _side(side, prices) for name, side in sides.items()}


def _side(found: Sequence[Used], prices: Sequence[Price]) -> dict[str, Any]:
    """Tokens and money of it all, and each purpose and model apart."""
    from bot.commands.usage import money, total

    return {
        **_tokens(total(found)),
        "money": money(found, prices),
        "of": [
            {
                "purpose": each.kind.purpose,
                "model": each.kind.model,
                "estimated": each.kind.estimated,
                **_tokens(each.tokens),
            }
            for each in found
        ],
    }


def _tokens(tokens: Any) -> dict[str, int]:
    return {name: getattr(tokens, name) for name in ("calls", "input", "cached", "output")}
