"""The fake is as strict as the real Bot API, in process and as a process of its own."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.telegram_server import FakeTelegram

USER = 7
Json = dict[str, Any]


class Bot:
    """Calls methods as a bot does."""

    def __init__(self, tg: FakeTelegram, client: httpx.AsyncClient) -> None:
        self.tg = tg
        self._client = client

    async def __call__(self, method: str, **parameters: Any) -> Json:
        told = {k: v if isinstance(v, str) else json.dumps(v) for k, v in parameters.items()}
        answer = await self._client.post(f"{self.tg.root}/bot{self.tg.token}/{method}", data=told)
        body: Json = answer.json()
        assert body["ok"] == (answer.status_code == 200)
        return body


@pytest.fixture
async def bot() -> AsyncIterator[Bot]:
    async with FakeTelegram() as tg, httpx.AsyncClient(trust_env=False, verify=False) as client:
        tg.know(USER)
        yield Bot(tg, client)


BOLD = {"type": "bold", "offset": 0, "length": 1}


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"text": ""}, "message text is empty"),
        ({"text": " \n\u200b"}, "message text is empty"),
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "🎩" * 2049}, "message is too long"),
        ({"text": "a", "chat_id": 12345}, "chat not found"),
        ({"text": "<b>a</b> &lt; b", "parse_mode": "HTML"}, None),
        ({"text": "From <ann@x.com>", "parse_mode": "HTML"}, "can't parse entities: Unsupported start tag"),
        ({"text": "hi!", "parse_mode": "MarkdownV2"}, "is reserved and must be escaped"),
        ({"text": "a", "entities": [BOLD | {"length": 2}]}, "entity ends after the end"),
        ({"text": "🎩", "entities": [BOLD]}, "in a middle of a UTF-16 symbol"),
        ({"text": "ab", "entities": [BOLD | {"length": 2}, BOLD | {"type": "code"}]}, "cannot be nested"),
        ({"text": "a", "entities": [BOLD] * 101}, "ENTITIES_TOO_LONG"),
        ({"text": "a", "message_thread_id": 5}, "message thread not found"),
        ({"text": "a", "reply_parameters": {"message_id": 5}}, "message to be replied not found"),
        (
            {"text": "a", "reply_markup": {"inline_keyboard": [[{"text": "b", "callback_data": "x" * 65}]]}},
            "BUTTON_DATA_INVALID",
        ),
    ],
)
async def test_what_is_refused(bot: Bot, parameters: Json, why: str | None) -> None:
    told = await bot("sendMessage", **({"chat_id": USER} | parameters))
    assert told["ok"] == (why is None)
    assert why is None or why in told["description"]
    assert len(bot.tg.sent(USER)) == (why is None)


async def test_limit_counts_after_entities_are_parsed(bot: Bot) -> None:
    assert (await bot("sendMessage", chat_id=USER, text="&amp;" * 4096, parse_mode="HTML"))["ok"]
    assert bot.tg.sent(USER)[0].text == "&" * 4096


async def test_edits(bot: Bot) -> None:
    sent = (await bot("sendMessage", chat_id=USER, text="one"))["result"]["message_id"]
    heard = bot.tg.say(USER, "mine")["message"]["message_id"]
    same = await bot("editMessageText", chat_id=USER, message_id=sent, text="one")
    assert "message is not modified" in same["description"]
    assert (await bot("editMessageText", chat_id=USER, message_id=sent, text="two"))["ok"]
    assert bot.tg.sent(USER)[0].text == "two"
    theirs = await bot("editMessageText", chat_id=USER, message_id=heard, text="x")
    assert "message can't be edited" in theirs["description"]
    nothing = await bot("editMessageText", chat_id=USER, message_id=9999, text="x")
    assert "message to edit not found" in nothing["description"]


async def test_updates_stay_until_a_higher_offset_is_asked_for(bot: Bot) -> None:
    first, second = bot.tg.say(USER, "one"), bot.tg.say(USER, "two")
    for _ in range(2):
        assert [u["update_id"] for u in (await bot("getUpdates"))["result"]] == [
            first["update_id"],
            second["update_id"],
        ]
    left = await bot("getUpdates", offset=second["update_id"])
    assert [u["message"]["text"] for u in left["result"]] == ["two"]
    assert (await bot("getUpdates", offset=second["update_id"] + 1))["result"] == []
    assert (await bot("getUpdates"))["result"] == []


async def test_long_poll_ends_with_the_first_update(bot: Bot) -> None:
    poll = asyncio.create_task(bot("getUpdates", timeout=5))
    await bot.tg.wait(lambda: bot.tg.polls == 1)
    bot.tg.say(USER, "hi")
    assert len((await poll)["result"]) == 1


async def test_two_pollers_conflict(bot: Bot) -> None:
    first = asyncio.create_task(bot("getUpdates", timeout=5))
    await bot.tg.wait(lambda: bot.tg.polls == 1)
    second = asyncio.create_task(bot("getUpdates", timeout=5))
    refused = await first
    assert refused["error_code"] == 409
    bot.tg.say(USER, "hi")
    assert (await second)["ok"]


async def test_flood_wait_names_the_seconds(bot: Bot) -> None:
    bot.tg.fault("sendMessage", "429", chat=USER, retry_after=20)
    told = await bot("sendMessage", chat_id=USER, text="a")
    assert (told["error_code"], told["parameters"]) == (429, {"retry_after": 20})


@pytest.mark.parametrize(("kind", "kept"), [("drop_before", 0), ("drop_after", 1)])
async def test_dropped_connections(bot: Bot, kind: str, kept: int) -> None:
    bot.tg.fault("sendMessage", kind)
    with pytest.raises(httpx.HTTPError):
        await bot("sendMessage", chat_id=USER, text="a")
    assert len(bot.tg.sent(USER)) == kept


async def test_wrong_token_and_unknown_method(bot: Bot) -> None:
    assert (await bot("noSuchMethod"))["error_code"] == 404
    bot.tg.token, token = "other", bot.tg.token
    assert (await bot("getMe"))["ok"]
    async with httpx.AsyncClient(trust_env=False, verify=False) as client:
        refused = await client.post(f"{bot.tg.root}/bot{token}/getMe")
    assert refused.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_only_kinds_of_updates_that_were_asked_for_come(bot: Bot) -> None:
    await bot("getUpdates", allowed_updates=["message"])
    first = bot.tg.say(USER, "one")
    bot.tg.edit(USER, first, "two")
    assert [set(u) - {"update_id"} for u in (await bot("getUpdates"))["result"]] == [{"message"}]
    await bot("getUpdates", allowed_updates=["message", "edited_message"])
    edit = bot.tg.edit(USER, first, "three")
    assert (await bot("getUpdates"))["result"][-1] == edit
    message = edit["edited_message"]
    assert (message["text"], message["message_id"]) == ("three", first["message"]["message_id"])
    assert message["edit_date"] >= message["date"]


async def test_no_app_sends_more_than_fits(bot: Bot) -> None:
    with pytest.raises(ValueError, match="4098 units"):
        bot.tg.say(USER, "🎩" * 2049)
    with pytest.raises(ValueError, match="1025 units"):
        bot.tg.photo(USER, b"p", caption="x" * 1025)
    with pytest.raises(ValueError, match="0 units"):
        bot.tg.say(USER, " \n")
    parts = [update["message"]["text"] for update in bot.tg.paste(USER, "🎩" * 2049 + " end")]
    assert parts == ["🎩" * 2048, "🎩 end"]


async def test_what_is_replied_to_stands_in_the_reply_without_what_it_replied_to(bot: Bot) -> None:
    photo = bot.tg.photo(USER, b"p", caption="c")["message"]
    middle = bot.tg.say(USER, "a", reply_to=photo["message_id"])["message"]
    last = bot.tg.say(USER, "b", reply_to=middle["message_id"])["message"]
    assert middle["reply_to_message"]["photo"] == photo["photo"]
    assert "reply_to_message" not in last["reply_to_message"]
    bot.tg.edit(USER, {"message": photo}, "d")
    again = bot.tg.say(USER, "e", reply_to=photo["message_id"])["message"]
    assert again["reply_to_message"]["caption"] == "d"


@pytest.mark.slow
async def test_as_a_process_of_its_own() -> None:
    root = Path(__file__).parents[2]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.telegram_server", cwd=root, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        server = (await process.stdout.readline()).decode().split()[-1]
        async with httpx.AsyncClient(base_url=server, trust_env=False, verify=False) as client:

            async def control(name: str, **arguments: Any) -> Any:
                answer = await client.post(f"/control/{name}", json=arguments)
                return answer.json()

            token = (await control("state"))["token"]
            await control("say", user=USER, text="你好")
            await control("photo", user=USER, data_b64=base64.b64encode(b"bytes").decode(), caption="c")
            updates = (await client.post(f"/bot{token}/getUpdates")).json()["result"]
            assert [u["message"].get("text") for u in updates] == ["你好", None]
            file = updates[1]["message"]["photo"][-1]["file_id"]
            path = (await client.post(f"/bot{token}/getFile", data={"file_id": file})).json()["result"][
                "file_path"
            ]
            assert (await client.get(f"/file/bot{token}/{path}")).content == b"bytes"
            await client.post(f"/bot{token}/sendMessage", data={"chat_id": USER, "text": "hi"})
            sent = await control("wait_sent", chat=USER, n=1, timeout=2)
            assert sent[0]["text"] == "hi"
            await client.post(f"/bot{token}/getUpdates", data={"offset": updates[1]["update_id"] + 1})
            assert (await control("state"))["confirmed"] == updates[1]["update_id"] + 1
            assert "error" in await control("nonsense")
    finally:
        process.kill()
        await process.wait()
