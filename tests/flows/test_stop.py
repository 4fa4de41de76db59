"""`/stop` on a phone: the model's connection is closed, a tool is cancelled, typing ends, and nothing arrives later."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.desk import Desk
from bot.models.model import Call, Prompt, Reply
from bot.models.scripted import Scripted
from bot.storage.tables import drafts
from bot.tools import Result
from bot.tools.tool import tool
from tests.fakes.model_server import Answer, FakeModelServer, Request, hangs
from tests.fakes.telegram_server import FakeTelegram
from tests.flows.phone import FRIEND, OWNER, running, telegram
from tests.flows.test_hostile import NOTHING
from tests.flows.test_telegram_streaming import hurried, slowly
from tests.flows.test_telegram_trouble import endpoint

__all__ = ["hurried"]

STOPPED = "Stopped, with all that you said before this."


def reply(request: Request) -> Answer | str:
    if "slowly" in request.last:
        return hangs()
    return "four" if request.body.get("tools") else NOTHING


async def test_the_models_connection_is_closed_and_the_next_question_is_answered(home: Path) -> None:
    """A30: the question comes within 100 ms; the friend in another chat never waits."""
    async with FakeModelServer(reply) as server, telegram(home, **endpoint(server)) as phone:
        await phone.say("hello")
        idle = server.connections_open
        phone.tg.say(OWNER, "count to a million, slowly")
        await phone.tg.wait(lambda: "slowly" in server.requests[-1].last)
        [friends] = await phone.say("and what is two and two for me?", FRIEND)
        assert friends.text == "four"
        stopped_at = time.monotonic()
        stop = phone.tg.say(OWNER, "/stop")
        await asyncio.sleep(0.05)
        after = phone.tg.say(OWNER, "what is two and two?")
        await phone.ended(after)
        assert time.monotonic() - stopped_at < 5
        assert phone.texts()[1:] == [STOPPED, "four"]
        assert phone.tg.sent(OWNER)[1].reply_to == stop["message"]["message_id"]
        await phone.tg.wait(lambda: server.connections_open <= idle + 1, 5, lambda: "a call was left open")
        asked = [request for request in server.requests if "slowly" in request.last]
        assert len(asked) == 1, "what was stopped is not asked again"


async def test_a_running_tool_is_cancelled_and_typing_ends(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.turns._TYPING_AGAIN", 0.1)
    cancelled: list[str] = []

    async def brew(desk: Desk, arguments: dict[str, Any]) -> Result:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            cancelled.append("brew")
            raise
        return Result("brewed", "✓ Brewed")

    def play(prompt: Prompt) -> Reply:
        if not prompt.tools:
            return Reply(NOTHING)
        if "tea" in prompt.messages[-1].typed[-1:]:
            return Reply(calls=(Call("c", "brew", {}),), finish="calls")
        return Reply("fine")

    async with (
        FakeTelegram() as tg,
        running(tg, home, Scripted(play), tools=[tool("brew", "brews", brew)]) as phone,
    ):
        phone.tg.say(OWNER, "tea")
        await phone.tg.wait(lambda: tg.count("sendChatAction") >= 2)
        await phone.say("/stop")
        typed = tg.count("sendChatAction")
        assert phone.texts() == [STOPPED]
        assert cancelled == ["brew"]
        await asyncio.sleep(0.5)
        assert tg.count("sendChatAction") == typed, "nobody is typing any more"
        assert phone.texts() == [STOPPED]
        assert "brew" not in phone.core()


async def test_what_was_shown_of_a_stopped_answer_becomes_the_word_that_it_was(home: Path) -> None:
    """One message, not half an answer beside it."""

    def slowly(request: Request) -> Answer | str:
        if "slowly" in request.last:
            return Answer(text="one two three four five six seven eight nine ten " * 40, pause=0.1)
        return "four" if request.body.get("tools") else NOTHING

    async with FakeModelServer(slowly) as server, telegram(home, **endpoint(server)) as phone:
        phone.tg.say(OWNER, "count, slowly")
        await phone.tg.wait(lambda: any("one two" in text for text in phone.texts()), 10)
        await phone.say("/stop")
        assert phone.texts() == [STOPPED]
        await asyncio.sleep(1.5)
        assert phone.texts() == [STOPPED], "nothing of it comes later"
        [answer] = await phone.say("what is two and two?")
        assert answer.text == "four"


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("begun", [False, True], ids=["about to be shown", "half shown"])
async def test_of_a_burst_that_was_half_answered_only_the_word_remains(home: Path, begun: bool) -> None:
    """The message in which the answer grew becomes that word, whenever the `/stop` comes."""

    def told(request: Request) -> Answer | str:
        return (slowly(pause=0.05) if "tower" in request.last else "four") if request.tools else NOTHING

    async with FakeModelServer(told) as server, telegram(home, **endpoint(server)) as phone:
        await phone.say("hello")
        phone.tg.delay = 0.1
        for text in ("what about the tower?", "and its height?"):
            phone.tg.say(OWNER, text)
        await phone.tg.wait(lambda: "tower" in str(server.requests[-1].body["messages"][-1]), 10)
        if begun:
            await phone.tg.wait(lambda: any("The tower" in text for text in phone.texts()), 10)
        phone.tg.say(OWNER, "and who built it?")
        phone.tg.say(OWNER, "/stop")
        await phone.ended(phone.tg.say(OWNER, "what is two and two?"))
        await asyncio.sleep(0.5)
        assert phone.texts()[1:] == [STOPPED, "four"]
        assert await phone.app.storage.database.rows(sa.select(drafts)) == []
