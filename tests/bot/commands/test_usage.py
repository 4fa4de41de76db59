"""/usage: tokens and money, chat and background apart; what is not known is said, not made up."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.commands import serve
from bot.commands.command import AtWork
from bot.settings import Price
from bot.storage.usage import Kind, Spending, Tokens, Used
from bot.types import Language
from tests.bot.commands.test_commands import context as bare
from tests.bot.desks import NOW, Rig

CHAT = Used(Kind("me", "chat", "gpt-5-mini", estimated=False), Tokens(4, 10_000, 8_000, 500))
FILED = Used(Kind("me", "filing", "GPT-5-mini", estimated=False), Tokens(2, 3_000, 0, 100))
NOTED = Used(Kind("me", "notes", "local", estimated=True), Tokens(1, 900, 0, 100))
PRICES = (Price("gpt-5-mini", input=0.25, cached=0.025, output=2.0),)


async def ask(
    rig: Rig,
    spending: Spending,
    prices: tuple[Price, ...] = (),
    *,
    language: Language = "en",
    until: datetime | None = None,
) -> list[str]:
    async def spent(person: str) -> Spending:
        assert person == "me"
        return spending

    async def allowance(person: str) -> datetime | None:
        return until

    context = replace(bare(rig), usage=spent, prices=prices, work=AtWork(allowance=allowance))
    return (await serve(context, rig.desk(await rig.said("/usage"), language=language), "/usage")).text.split(
        "\n"
    )


async def test_chat_and_background_today_and_this_month(rig: Rig) -> None:
    spending = Spending(NOW, (CHAT, FILED), (CHAT, FILED, NOTED), 1_000_000)
    assert await ask(rig, spending, PRICES) == [
        "Today (2026-09-01, Asia/Shanghai)",
        "· Chat: 10,500 tokens (in 10,000, of them cached 8,000; out 500), $0.0017",
        "· Background: 3,100 tokens (in 3,000, of them cached 0; out 100), $0.0009",
        "  (filing pictures 3,100)",
        "This month (2026-09)",
        "· Chat: 10,500 tokens (in 10,000, of them cached 8,000; out 500), $0.0017",
        "· Background: 4,100 tokens (in 3,900, of them cached 0; out 200), $0.0009",
        "  (filing pictures 3,100 · distilling talk 1,000)",
        "Background work may use 1,000,000 tokens a day; 0% used today",
        "1 of these calls are estimated by their length: the server did not count",
        "The price of local is not known (`prices` in the settings), so it is not in the money",
    ]


async def test_with_no_price_there_is_no_money(rig: Rig) -> None:
    rows = await ask(rig, Spending(NOW, (CHAT,), (CHAT,), 0), language="zh")
    assert rows[1] == "· 聊天：10,500 tokens（输入 10,000，其中缓存 8,000；输出 500）"
    assert rows[2] == "· 后台：没有用过模型"
    assert "后台用量没有上限" in rows
    assert not any(sign in "\n".join(rows) for sign in "$¥€")
    assert "gpt-5-mini" in rows[-1]


@pytest.mark.parametrize(
    ("price", "told"),
    [
        (Price("gpt-5-mini", 100, 0, 100), "$1.00"),
        (Price("gpt-5-mini", 0, 0, 0), "$0.00"),
        (Price("gpt-5-mini", 0.001, 0, 0), "<$0.0001"),
        (Price("gpt-5-mini", 100, 0, 100, "CNY"), "¥1.00"),
        (Price("gpt-5-mini", 200_000, 0, 200_000, "SEK"), "SEK 2,000.00"),
    ],
)
async def test_money_is_told_in_its_currency(rig: Rig, price: Price, told: str) -> None:
    rows = await ask(rig, Spending(NOW, (CHAT,), (CHAT,), 0), (price,))
    assert rows[1].endswith(f", {told}")


async def test_a_pause_is_said(rig: Rig) -> None:
    midnight = NOW.replace(hour=0, minute=0) + timedelta(days=1)
    rows = await ask(rig, Spending(NOW, (FILED,), (FILED,), 3_100, midnight), until=midnight)
    assert "3,100 tokens a day; 100% used today" in rows[-3]
    assert rows[-1].startswith(
        "Background work has used its tokens of today and goes on at 2026-09-02 00:00."
    )


async def test_what_was_heard_is_told_apart(rig: Rig) -> None:
    """Recordings; their tokens and money where the server counts in those."""
    spoken = Used(Kind("me", "voice", "whisper-1", estimated=False), Tokens(3))
    counted = Used(Kind("me", "voice", "gpt-5-mini", estimated=False), Tokens(2, 10_000, 0, 100))
    rows = await ask(rig, Spending(NOW, (spoken,), (spoken, counted), 0), PRICES)
    assert rows[1] == "· Chat: no model was used"
    assert rows[3] == "· Voice to text: 3 heard"
    assert rows[7] == (
        "· Voice to text: 5 heard, 10,100 tokens (in 10,000, of them cached 0; out 100), $0.0027"
    )
    assert "whisper-1" in rows[-1]
