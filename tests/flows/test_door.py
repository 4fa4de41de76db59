"""Who may talk: nobody, until the owner pairs by a code; others ask, and the owner answers with a button."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.channels.telegram.strangers import TRIES
from bot.door import MOST_ASKING
from bot.models.scripted import Scripted
from bot.storage.accounts import LASTS
from bot.types import Incoming, Words
from tests.bot.desks import Clock
from tests.fakes.telegram_server import FakeTelegram
from tests.flows.phone import OWNER, STRANGER, Phone, running, telegram
from tests.flows.test_telegram import fine

ALONE: dict[str, Any] = {"telegram_allowed": f"{OWNER}"}
NOBODY: dict[str, Any] = {"telegram_allowed": ""}
ASKED = "This is a private assistant. I have asked its owner for you, and will tell you."


async def code(phone: Phone) -> str:
    """What `kairos setup`, `kairos run` and `/people code` show."""
    return await phone.app.door.code()


async def hears(phone: Phone, user: int, text: str, n: int = 1) -> str:
    """Write as somebody unknown; the `n`th sentence in their chat."""
    phone.tg.say(user, text)
    return (await phone.tg.wait_sent(user, n))[n - 1].text


# ── the owner ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_nobody_may_talk_until_the_owner_pairs(home: Path) -> None:
    async with telegram(home, Scripted(fine), **NOBODY) as phone:
        assert (await hears(phone, STRANGER, "hello")).startswith(
            "This is a private assistant that is not paired with its owner yet."
        )
        told = await hears(phone, OWNER, f"  {(await code(phone)).lower()} ")
        assert told.startswith("Paired: here you are the owner")
        [answer] = await phone.say("hello")
        assert answer.text == "fine"
        assert await phone.app.storage.people.names() == ["me"]
    async with running(phone.tg, home, Scripted(fine), **NOBODY) as again:
        assert await again.app.owners_code() == "", "paired is paired"


async def test_a_link_may_carry_the_code(home: Path) -> None:
    async with telegram(home, Scripted(fine), **NOBODY) as phone:
        made = (await code(phone)).replace("-", "")
        assert (await hears(phone, OWNER, f"/start {made}")).startswith("Paired")


async def test_a_code_works_once(home: Path) -> None:
    async with telegram(home, Scripted(fine), **NOBODY) as phone:
        made = await code(phone)
        await hears(phone, OWNER, made)
        assert await hears(phone, STRANGER, made) == (
            "That code is not right, or no longer valid. You have five tries an hour."
        )
        assert phone.app.door.known("telegram") == {str(OWNER): "me"}


async def test_who_guesses_is_shut_out_and_nobody_else(home: Path) -> None:
    """Not even by the right code; the owner's own still stands."""
    async with telegram(home, Scripted(fine), **NOBODY) as phone:
        made = await code(phone)
        for n in range(TRIES):
            told = await hears(phone, STRANGER, f"AAAA-AA{n + 2}2", n + 1)
            assert told == "That code is not right, or no longer valid. You have five tries an hour."
        phone.tg.say(STRANGER, made)
        assert (await hears(phone, OWNER, made)).startswith("Paired")
        assert phone.app.door.known("telegram") == {str(OWNER): "me"}
        assert len(phone.texts(STRANGER)) == TRIES


async def test_one_account_is_answered_few_codes(home: Path) -> None:
    async with telegram(home, Scripted(fine), **NOBODY) as phone:
        for n in range(TRIES + 3):
            phone.tg.say(STRANGER, f"AAAA-AA{n + 2}2")
        await phone.tg.wait_sent(STRANGER, TRIES)
        await hears(phone, OWNER, "hello")
        await asyncio.sleep(0.05)
        assert len(phone.texts(STRANGER)) == TRIES


async def test_a_code_expires(home: Path) -> None:
    clock = Clock()
    async with FakeTelegram() as tg, running(tg, home, Scripted(fine), now=clock, **NOBODY) as phone:
        made = await code(phone)
        clock.now += LASTS
        assert "no longer valid" in await hears(phone, OWNER, made)


async def test_an_owner_hears_of_an_account_that_was_paired_as_them(home: Path) -> None:
    async with telegram(home, Scripted(fine), **ALONE) as phone:
        await phone.say("hello")
        [shown] = await phone.say("/people code")
        made = shown.text.splitlines()[0].removeprefix("Code: ")
        await hears(phone, STRANGER, made)
        notice = (await phone.tg.wait_sent(OWNER, 3))[-1]
        assert "has just been paired as you" in notice.text
        await phone.press(notice)
        assert str(STRANGER) not in phone.app.door.known("telegram")


# ── everybody else ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_stranger_asks_once_and_the_owner_lets_them_in(home: Path) -> None:
    async with telegram(home, Scripted(fine), **ALONE) as phone:
        await phone.say("hello")
        phone.tg.say(STRANGER, "hi there", name="*Ann*\n`x`")
        [told] = await phone.tg.wait_sent(STRANGER, 1)
        assert told.text == ASKED
        phone.tg.say(STRANGER, "hello?")
        [_, notice] = await phone.tg.wait_sent(OWNER, 2)
        assert notice.text.startswith("Ann x (id 99) asks to talk with me.")
        [done] = await phone.press(notice)
        assert done.text == "Done: Ann x may talk with me now."
        await phone.tg.wait_sent(STRANGER, 2)
        assert phone.texts(STRANGER)[1].startswith("Its owner agreed")
        [answer] = await phone.say("and now?", STRANGER)
        assert answer.text == "fine"
        [message] = [each for each in await phone.app.storage.people.names() if each != "me"]
        assert message == "tg-99", "a person of their own"
        assert len(phone.texts()) == 3, "the owner was asked once"


async def test_declined_is_remembered_and_never_asked_again(home: Path) -> None:
    async with FakeTelegram() as tg:
        async with running(tg, home, Scripted(fine), **ALONE) as phone:
            await phone.say("hello")
            await hears(phone, STRANGER, "hi")
            notice = (await phone.tg.wait_sent(OWNER, 2))[-1]
            [done] = await phone.press(notice, 1)
            assert done.text == "Done: User99 will not bother you again."
            await phone.tg.wait_sent(STRANGER, 2)
            assert phone.texts(STRANGER) == [ASKED, "Its owner declined."]
        async with running(tg, home, Scripted(fine), **ALONE) as phone:
            tg.say(STRANGER, "please?")
            await phone.say("hello")
            assert len(phone.texts()) == 4, "hello, the question, the decision, hello"
            assert len(phone.texts(STRANGER)) == 2


async def test_a_crowd_does_not_flood_the_owner(home: Path) -> None:
    async with telegram(home, Scripted(fine), **ALONE) as phone:
        await phone.say("hello")
        for n in range(MOST_ASKING * 3):
            await hears(phone, 1000 + n, "let me in")
        await phone.say("hello")
        asked = [text for text in phone.texts() if "asks to talk" in text]
        assert len(asked) == MOST_ASKING
        assert phone.texts(1000 + MOST_ASKING)[0].startswith("This is a private assistant that talks only")
        [listed] = await phone.say("/people")
        assert listed.text.count("waits for your answer") == MOST_ASKING
        assert len([button for row in listed.buttons for button in row]) == 2 * MOST_ASKING


async def test_what_was_allowed_is_taken_back_at_once_and_stays_so(home: Path) -> None:
    """Also where the settings name the account."""
    async with FakeTelegram() as tg:
        async with running(tg, home, Scripted(fine)) as phone:
            await phone.say("/cultivate add every friday 6pm tidy up", 8)
            assert await phone.app.storage.schedules.active()
            [done] = await phone.say("/people revoke 8")
            assert done.text.startswith("Done: 8 can no longer talk")
            assert not await phone.app.storage.schedules.active(), "nothing is done for them by schedule"
            tg.say(8, "still there?")
            await phone.say("hello")
            assert len(phone.texts(8)) == 1
        async with running(tg, home, Scripted(fine)) as phone:
            tg.say(8, "and now?")
            await phone.say("hello")
            assert len(phone.texts(8)) == 1
            await phone.say("/people allow 8")
            told = (await phone.tg.wait_sent(8, 2))[1].text
            assert told.startswith("Its owner agreed"), "in the language they write"
            [answer] = await phone.say("thank you", 8)
            assert answer.text == "fine"


async def test_who_is_revoked_while_a_picture_is_filed_hears_nothing_of_it(home: Path) -> None:
    """And who is let in again does."""
    async with telegram(home, Scripted(fine)) as phone:
        await phone.say("hello", 8)
        await phone.say("/people revoke 8")
        about = await phone.app.storage.messages.newest_alone("tg-8")
        assert about is not None
        await phone.app.storage.outbox.add(about, Words("Filed #1", "receipt"))
        await phone.say("hello")
        assert phone.texts(8) == ["fine"]
        await phone.say("/people allow 8")
        await phone.app.storage.outbox.add(about, Words("Filed #2", "receipt"))
        assert [sent.text for sent in await phone.tg.wait_sent(8, 3)][2:] == ["Filed #2"]


@pytest.mark.parametrize("typed", ["/people", "/people code", "/people allow 99", "/people revoke 7"])
async def test_only_the_owner_decides(home: Path, typed: str) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        [said] = await phone.say(typed, 8)
        assert said.text == "Only the owner can use this command."


async def test_a_button_pressed_by_somebody_else_does_nothing(home: Path) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        await phone.say("hello")
        await phone.say("hello", 8)
        await hears(phone, STRANGER, "hi")
        notice = (await phone.tg.wait_sent(OWNER, 2))[-1]
        data = notice.buttons[0][0]["callback_data"]
        name = Incoming("telegram", "8", "press-forged", "tg-8", pressed=data)
        await phone.app.receive(name)
        await phone.app.finished("telegram", "8", "press-forged")
        assert str(STRANGER) not in phone.app.door.known("telegram")


async def test_the_owner_does_not_lock_themself_out_from_their_phone(home: Path) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        [said] = await phone.say(f"/people revoke {OWNER}")
        assert said.text.startswith("That is the account you are using")
        [answer] = await phone.say("hello")
        assert answer.text == "fine"


async def test_the_door_holds_while_the_disk_is_full(home: Path) -> None:
    async with telegram(home, Scripted(fine), **ALONE) as phone:
        await phone.say("hello")

        async def full(*_: object, **__: object) -> None:
            from bot.errors import HomeUnwritable

            raise HomeUnwritable

        phone.app.storage.accounts.ask = full  # type: ignore[method-assign, assignment]
        phone.tg.say(STRANGER, "hi")
        await phone.say("hello")
        await asyncio.sleep(0)
        assert phone.texts(STRANGER) == []
