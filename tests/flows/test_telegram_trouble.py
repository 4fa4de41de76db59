"""What goes wrong between a phone, Telegram and a model: one clear sentence, nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.channels import outbox
from bot.models.model import Prompt
from bot.models.scripted import Scripted
from tests.fakes.drawing import CODE, drawn
from tests.fakes.model_server import Answer, FakeModelServer, Request, drops, empty, fails, filtered, hangs
from tests.fakes.telegram_server import FakeTelegram
from tests.flows import phone as rig
from tests.flows.phone import OWNER, running, telegram
from tests.flows.test_hostile import NOTHING
from tests.flows.test_telegram import fine, parrot

# ── between us and Telegram ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["429", "502", "500", "drop_before", "drop_after", "garbage", "hang"])
async def test_a_sending_that_fails_arrives_once_and_whole(home: Path, kind: str) -> None:
    async with telegram(home, Scripted(parrot)) as phone:
        await phone.say("before")
        phone.tg.fault("sendMessage", kind, retry_after=1)
        await phone.say("the very words")
        assert phone.texts() == ["before", "the very words"]


@pytest.mark.slow
async def test_a_flood_limit_stands_until_it_is_over(home: Path) -> None:
    async with telegram(home, Scripted(parrot)) as phone:
        phone.tg.fault("sendMessage", "429", times=2, retry_after=1)
        await phone.say("words")
        assert phone.texts() == ["words"]
        assert phone.tg.count("sendMessage") == 3


@pytest.mark.parametrize("kind", ["429", "502", "403", "400", "drop_before", "garbage", "hang"])
async def test_typing_that_fails_never_costs_the_answer(home: Path, kind: str) -> None:
    async def play(prompt: Prompt) -> str:
        await asyncio.sleep(0.5)  # long enough for typing to be shown
        return parrot(prompt)

    async with telegram(home, Scripted(play)) as phone:
        phone.tg.fault("sendChatAction", kind, times=1, retry_after=0)
        began = time.monotonic()
        await phone.say("the very words")
        assert phone.texts() == ["the very words"]
        assert phone.tg.count("sendChatAction") == 1
        assert time.monotonic() - began < 5


async def test_a_long_answer_arrives_in_parts_once_each(home: Path) -> None:
    words = "\n\n".join(f"paragraph {i} " + "word " * 150 for i in range(14))
    async with telegram(home, Scripted(lambda prompt: words if prompt.tools else NOTHING)) as phone:
        phone.tg.fault("sendMessage", "drop_after", skip=1)
        sent = await phone.say("tell me everything")
        assert len(sent) > 2
        told = "\n\n".join(each.text for each in sent)
        assert [told.count(f"paragraph {i} ") for i in range(14)] == [1] * 14


async def test_parts_that_arrived_before_a_restart_are_not_sent_again(home: Path) -> None:
    words = "\n\n".join(f"paragraph {i} " + "word " * 150 for i in range(14))
    model = Scripted(lambda prompt: words if prompt.tools else NOTHING)
    async with FakeTelegram() as tg:
        tg.fault("sendMessage", "502", times=None, skip=2)
        async with running(tg, home, model) as phone:
            update = tg.say(OWNER, "tell me everything")
            await tg.wait(lambda: tg.count("sendMessage") > 2)
            assert len(phone.texts()) == 2
        tg.heal()
        async with running(tg, home, model) as phone:
            await phone.ended(update)
            told = "\n\n".join(phone.texts())
    assert [told.count(f"paragraph {i} ") for i in range(14)] == [1] * 14


async def test_a_model_that_never_answers_holds_nobody_up(home: Path) -> None:
    async def play(prompt: Prompt) -> str:
        if prompt.tools and prompt.messages[-1].typed == ("slow",):
            await asyncio.sleep(60)
        return fine(prompt)

    async with telegram(home, Scripted(play), first_word=0.4) as phone:
        slow = phone.tg.say(OWNER, "slow")
        [word] = await phone.tg.wait_sent(OWNER, 1)
        assert word.text == "Still waiting for the model…"
        await asyncio.sleep(0.5)
        assert len(phone.texts()) == 1, "it is said once"
        assert [sent.text for sent in await phone.say("and now?")][-1] == "fine"
        await phone.ended(slow)
        assert phone.texts() == [
            "Still waiting for the model…",
            "The model never answered, so I let this one go; you can send it again.",
            "fine",
        ]


async def test_a_file_that_is_too_large_is_said_at_once(home: Path) -> None:
    model = Scripted(fine)
    async with telegram(home, model) as phone:
        [sent] = await phone.photo(b"x", as_document=True, name="scan.png", mime="image/png", size=25 * 2**20)
        assert sent.text == "That file has 25 MB, and Telegram lets bots fetch no more than 20 MB."
        refused, answer = await phone.photo(
            b"x", as_document=True, name="scan.png", size=25 * 2**20, caption="what is it?"
        )
        assert (refused.text, answer.text) == (sent.text, "fine")
        assert f"(not received: {sent.text})" in model.prompts[-1].messages[-1].text, "the model knows"
        assert [sent.text for sent in await phone.say("next")] == ["fine"]
        assert phone.tg.count("getFile") == 0


async def test_a_large_file_whose_size_was_not_told(home: Path) -> None:
    """`getFile` refuses it."""
    async with telegram(home, Scripted(fine)) as phone:
        [sent] = await phone.photo(b"\0" * (21 * 2**20), as_document=True, name="a.png", size=0)
        assert sent.text == "I could not fetch that file from Telegram; please send it again."
        assert [sent.text for sent in await phone.say("next")] == ["fine"]


async def test_words_do_not_wait_for_ever_behind_a_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig, "QUICK", replace(rig.QUICK, behind=0.5))
    async with telegram(home, Scripted(parrot)) as phone:
        phone.tg.fault("getFile", "hang", times=None)
        picture = phone.tg.photo(OWNER, drawn(CODE))
        assert [sent.text for sent in await phone.say("are you there?")] == ["are you there?"]
        await phone.ended(picture)
        assert phone.texts()[1:] == ["I could not fetch that file from Telegram; please send it again."]


async def test_the_network_is_down_at_the_start(home: Path) -> None:
    async with FakeTelegram() as tg:
        update = tg.say(OWNER, "hello")
        tg.fault("*", "drop_before", times=None)
        async with running(tg, home, Scripted(fine)) as phone:
            await tg.wait(lambda: "cannot be reached" in phone.channel.health())
            red = [check for check in await phone.app.status() if not check.ok]
            assert [check.name for check in red] == ["channel telegram"]
            tg.heal()
            assert [sent.text for sent in await phone.new(update)] == ["fine"]
            assert phone.channel.health() == ""
            await tg.wait(lambda: set(tg.commands) == {"", "zh"})


async def test_when_the_network_is_back_what_waited_is_sent_at_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "FIRST_WAIT", 60.0)  # as after a long outage

    async def play(prompt: Prompt) -> str:
        await asyncio.sleep(0.3)
        return parrot(prompt)

    async with telegram(home, Scripted(play)) as phone:
        update = phone.tg.say(OWNER, "are you there?")
        await phone.tg.wait(lambda: phone.tg.confirmed > update["update_id"])
        phone.tg.fault("*", "502", times=None)
        await phone.tg.wait(lambda: phone.tg.count("sendMessage") == 1)
        await phone.tg.wait(lambda: "cannot be reached" in phone.channel.health())
        phone.tg.heal()
        await phone.ended(update, 10)
        assert phone.texts() == ["are you there?"]


async def test_what_was_handled_before_a_restart_is_not_handled_again(home: Path) -> None:
    """Though the server hands it out once more, as after an offset that was lost."""
    model = Scripted(parrot)
    async with FakeTelegram() as tg:
        async with running(tg, home, model) as phone:
            update = tg.say(OWNER, "hello")
            await phone.ended(update)
        tg.redeliver(update)
        async with running(tg, home, model) as phone:
            await tg.wait(lambda: not tg.waiting)
            await phone.say("and now?")
            assert phone.texts() == ["hello", "and now?"]


async def test_a_revoked_token_is_red_and_heals(home: Path) -> None:
    async with FakeTelegram() as tg, running(tg, home, Scripted(fine)) as phone:
        good = tg.token
        await phone.say("hello")
        tg.token = "4242:another"
        tg.fault("getUpdates", "401", times=1)
        await tg.wait(lambda: "refuses the token" in phone.channel.health(), 10)
        [red] = [check for check in await phone.app.status() if not check.ok]
        assert (red.name, "kairos setup" in red.sentence) == ("channel telegram", True)
        tg.token = good
        assert [sent.text for sent in await phone.say("and now?")] == ["fine"]
        assert phone.channel.health() == ""


async def test_status_is_red_at_once_about_another_bot_with_the_same_token(home: Path) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        await phone.say("hello")
        phone.tg.fault("getUpdates", "409", times=2)
        await phone.tg.wait(lambda: "same token" in phone.channel.health(), 1.0)
        [red] = [check for check in await phone.app.status() if not check.ok]
        assert (red.name, "same token" in red.sentence) == ("channel telegram", True)
        [status] = await phone.say("/status")  # a poll that went well proves nothing yet
        assert "same token" in status.text
        assert phone.app.troubles() == {"telegram": phone.channel.health()}


# ── a model behind an endpoint ─────────────────────────────────────────────────────────────────────────────


def endpoint(server: FakeModelServer) -> dict[str, Any]:
    """Settings for it; what is tried again is not tried for long."""
    return {
        "model": "fake",
        "model_base_url": server.base_url,
        "model_api_key": "sk-very-secret",
        "retry_budget": 0.05,
    }


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (fails(401, "Incorrect API key provided: sk-very-secret"), "kairos setup"),
        (fails(429, "slow down"), ""),
        (fails(500, "<html>oops</html>"), ""),
        (drops(), ""),
        (empty(), "The model gave no answer"),
        (filtered(), "declined"),
        (Answer(raw="<html>not json</html>"), ""),
        (hangs(), "Still waiting for the model"),
    ],
    ids=["401", "429", "500", "dropped", "empty", "filtered", "garbage", "silent"],
)
async def test_a_broken_model_is_one_sentence_and_the_next_message_works(
    home: Path, said: Answer, told: str
) -> None:
    def reply(request: Request) -> Answer | str:
        if not request.tools:
            return NOTHING
        return "fine" if "next" in request.last else said

    patience = 0.5 if said.hang else 15
    async with (
        FakeModelServer(reply) as server,
        telegram(home, **endpoint(server), first_word=patience) as phone,
    ):
        phone.tg.say(OWNER, "hello there")
        [sentence] = await phone.tg.wait_sent(OWNER, 1)
        assert told in sentence.text
        assert not any(word in sentence.text for word in ("sk-very-secret", "html", "Error", "Traceback"))
        await phone.say("and the next one?")
        assert phone.texts()[-1] == "fine"
        assert len(phone.texts()) <= 3, "a silent one is given up, once"


async def test_a_full_disk_is_said_once_and_nothing_is_lost(home: Path) -> None:
    def pages(most: int) -> Callable[[sa.Connection], None]:
        return lambda connection: connection.execute(sa.text(f"PRAGMA max_page_count = {most}")).close()

    async with telegram(home, Scripted(fine)) as phone:
        await phone.say("hello")
        await phone.app.storage.database.read(pages(1))
        update = phone.tg.say(OWNER, "a long one" + "€" * 1900)
        again = phone.tg.say(OWNER, "another long one" + "€" * 1900)
        await phone.tg.wait_sent(OWNER, 2)
        await phone.tg.wait(lambda: phone.channel.health() != "")
        await phone.app.storage.database.read(pages(1_000_000))
        for each in (update, again):
            await phone.ended(each)
        assert phone.texts()[:2] == [
            "fine",
            "The disk cannot be written (full or read-only). Your message is safe; I will answer when there is room.",
        ]
        assert set(phone.texts()[2:]) == {"fine"}
        assert phone.channel.health() == ""
