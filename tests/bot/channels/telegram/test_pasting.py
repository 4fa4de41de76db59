"""What a sender's app cut at Telegram's limit is one message again."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.channels.chunks import units
from tests.bot.channels.telegram.rig import FRIEND, OWNER, PNG, rig


@pytest.mark.parametrize(
    "text",
    [
        "🎩🐇" * 2500,  # 5,000 characters, twice as many units: three parts
        "🎩" * 2048 + "the end",
        "x" * 5000,
        "甲乙丙丁" * 1500,
        "\n".join(f"line {number} of a log that somebody pasted" for number in range(180)),
        "a" * 2047 + "🎩" * 1500,  # the limit falls into a pair
    ],
)
async def test_a_paste_is_one_message(text: str) -> None:
    async with rig() as r:
        parts = r.tg.paste(OWNER, text)
        assert len(parts) > 1
        r.tg.say(OWNER, "what is this?", date=int(time.time()) + 5)  # nobody types it in two seconds
        whole, question = await r.hear(2)
        assert whole.text == text
        assert whole.id == str(parts[0]["message"]["message_id"])
        assert question.text == "what is this?"
        await r.tg.wait(lambda: r.tg.confirmed > parts[-1]["update_id"])


async def test_parts_that_come_apart_are_one_message_and_confirmed_only_then() -> None:
    async with rig() as r:
        first = r.tg.say(OWNER, "🎩" * 2048)
        await asyncio.sleep(0.3)
        assert r.heard == []
        assert r.tg.confirmed <= first["update_id"]
        last = r.tg.say(OWNER, "🐇" * 400)
        [whole] = await r.hear(1)
        assert whole.text == "🎩" * 2048 + "🐇" * 400
        await r.tg.wait(lambda: r.tg.confirmed > last["update_id"])


async def test_delivered_again_it_is_heard_once() -> None:
    async with rig() as r:
        for update in r.tg.paste(OWNER, "x" * 5000):
            r.tg.redeliver(update)
        await r.hear(1)
        r.tg.say(OWNER, "and?")
        assert [units(h.text) for h in await r.hear(2)] == [5000, 4]


async def test_one_long_message_is_heard_after_a_moment() -> None:
    async with rig() as r:
        began = time.monotonic()
        r.tg.say(OWNER, "x" * 4000)
        [heard] = await r.hear(1)
        assert heard.text == "x" * 4000
        assert 0.3 < time.monotonic() - began < 1.5


@pytest.mark.parametrize("kind", ["command", "forwarded", "picture", "later", "reply"])
async def test_what_is_no_part_stands_alone(kind: str) -> None:
    async with rig() as r:
        earlier = r.tg.say(OWNER, "earlier")
        r.tg.say(OWNER, "x" * 4096)
        if kind == "command":
            r.tg.say(OWNER, "/status")
        elif kind == "forwarded":
            r.tg.say(OWNER, "theirs", forwarded=True)
        elif kind == "picture":
            r.tg.photo(OWNER, PNG, caption="the lease")
        elif kind == "reply":
            r.tg.say(OWNER, "to this", reply_to=earlier["message"]["message_id"])
        else:
            r.tg.say(OWNER, "much later", date=int(time.time()) + 60)
        heard = await r.hear(3)
        assert [len(h.text) for h in heard[:2]] == [7, 4096]


async def test_others_do_not_wait_for_a_paste() -> None:
    async with rig() as r:
        r.tg.say(OWNER, "x" * 4096)
        r.tg.say(FRIEND, "hello")
        assert [h.text for h in await r.hear(1)] == ["hello"]
        assert [len(h.text) for h in await r.hear(2)] == [5, 4096]


async def test_two_people_in_one_group_are_not_joined() -> None:
    group = -1_000_000_000_555
    async with rig() as r:
        r.tg.say(OWNER, "@kairos_bot " + "x" * 4000, chat=group)
        r.tg.say(FRIEND, "@kairos_bot " + "y" * 4000, chat=group)
        assert [(h.person, len(h.text)) for h in await r.hear(2)] == [("me", 4000), ("tg-8", 4000)]


async def test_a_part_that_comes_when_the_rest_is_stored_continues_it() -> None:
    """As with a webhook, which brings the next only when this one is stored, and on a slow line."""
    async with rig() as r:
        now = int(time.time())
        first = r.tg.say(OWNER, "x" * 4096, date=now)
        [stored] = await r.hear(1)
        second = r.tg.say(OWNER, "y" * 3000, date=now + 1)
        r.tg.say(OWNER, "z" * 10, date=now + 2)
        r.tg.say(OWNER, "and something else", date=now + 2)
        _, rest, end, other = await r.hear(4)
        assert (stored.text, stored.continues) == ("x" * 4096, "")
        assert (rest.id, rest.text) == (str(second["message"]["message_id"]), "y" * 3000)
        assert end.text == "\n" + "z" * 10, "cut at a blank"
        assert [h.continues for h in (rest, end, other)] == [str(first["message"]["message_id"])] * 2 + [""]
