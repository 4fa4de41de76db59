"""/usage on a phone: what the model's server counted, for whom and for what, at the prices that were told."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fakes.model_answers import Answer, Request
from tests.fakes.model_server import FakeModelServer
from tests.flows.phone import FRIEND, OWNER, telegram
from tests.flows.test_telegram_trouble import endpoint

PRICES = '{"fake": {"input": 1, "cached": 0.2, "output": 10}}'
COUNTED = {
    "prompt_tokens": 1000,
    "completion_tokens": 100,
    "prompt_tokens_details": {"cached_tokens": 500},
}


def play(request: Request) -> Answer:
    """Talks; a reading for memory finds nothing, and its server counts otherwise."""
    if request.tools:
        return Answer("Nice.", usage=COUNTED)
    return Answer(json.dumps({"changes": []}), usage={"input_tokens": 300, "output_tokens": 7})


async def test_each_persons_own_as_the_server_counted(home: Path) -> None:
    async with FakeModelServer(play) as server, telegram(home, **endpoint(server), prices=PRICES) as phone:
        await phone.say("I live by the lake and love hiking", OWNER)
        await phone.say("I love my old car", FRIEND)
        await phone.say("My sister moved to Lisbon", FRIEND)
        [mine] = await phone.say("/usage", OWNER)
        [hers] = await phone.say("/usage", FRIEND)
        chat = "· Chat: {} tokens (in {}, of them cached {}; out {})"
        assert chat.format("1,100", "1,000", "500", "100") in mine.text
        assert chat.format("2,200", "2,000", "1,000", "200") in hers.text
        assert "out 100), $0.0016" in mine.text
        readings = sum(not request.tools for request in server.requests)
        behind = [text.split("Background: ")[1].split(" tokens")[0] for text in (mine.text, hers.text)]
        assert sum(int(each.replace(",", "")) for each in behind) == readings * 307
        assert "estimated" not in mine.text


async def test_in_a_group_it_is_not_told(home: Path) -> None:
    async with telegram(home) as phone:
        group = -1001
        [sent] = await phone.new(phone.tg.say(OWNER, "/usage@kairos_bot", chat=group), group)
        assert "tokens" not in sent.text
        [status] = await phone.new(phone.tg.say(OWNER, "/status@kairos_bot", chat=group), group)
        assert status.text.startswith("🟢 ")
        assert "Memory:" not in status.text
        assert "记忆：" not in status.text
