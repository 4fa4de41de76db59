"""What belongs together is understood together: albums, pictures sent as files, replies and what they show."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.models.model import Prompt
from bot.models.scripted import Scripted
from tests.fakes.drawing import CODE, RECEIPT
from tests.flows.phone import FRIEND, OWNER, telegram
from tests.flows.quick_eyes import QuickEyes, quick_eyes
from tests.flows.test_hostile import NOTHING
from tests.flows.test_telegram_pictures import asked, judging

__all__ = ["quick_eyes"]

GROUP = -1_000_000_000_555


# ── albums ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("captioned", [0, 1, 2])
async def test_a_model_sees_all_of_an_album_whichever_has_the_caption(
    home: Path, quick_eyes: QuickEyes, captioned: int
) -> None:
    model = Scripted(judging(answer="three of them"), sees=True)
    async with telegram(home, model) as phone:
        updates = [
            phone.tg.photo(
                OWNER,
                quick_eyes.draw(f"{RECEIPT} {place}"),
                album="a1",
                caption="what are these?" if place == captioned else "",
            )
            for place in range(3)
        ]
        for update in updates:
            await phone.ended(update)
        [said] = asked(model)
        assert len(said.images) == 3
        assert said.typed == ("what are these?",)
        texts = phone.texts()
        assert sum("three of them" in text for text in texts) == 1, "one turn"
        assert sum(text.startswith("Filed 3 pictures") for text in texts) == 1, "one receipt"
        assert len(texts) == 2


@pytest.mark.slow
async def test_an_album_that_comes_with_gaps_while_a_turn_runs(home: Path, quick_eyes: QuickEyes) -> None:
    model_free, asked_first = asyncio.Event(), asyncio.Event()
    judge = judging(answer="four of them")

    async def play(prompt: Prompt) -> str:
        if prompt.tools and not asked_first.is_set():
            asked_first.set()
            await model_free.wait()
            return "fine"
        return judge(prompt)

    model = Scripted(play, sees=True)
    async with telegram(home, model) as phone:
        phone.tg.say(OWNER, "something long")
        await asked_first.wait()
        updates = []
        for place, gap in enumerate((0.0, 0.2, 0.7, 1.2)):
            await asyncio.sleep(gap)
            updates.append(
                phone.tg.photo(
                    OWNER,
                    quick_eyes.draw(f"{RECEIPT} {place}"),
                    album="a1",
                    caption="" if place else "what are these?",
                )
            )
            if place == 1:
                model_free.set()  # the turn before ends in the middle of the album
        for update in updates:
            await phone.ended(update)
        _, said = asked(model)
        assert len(said.images) == 4
        receipts = [text for text in phone.texts() if text.startswith("Filed")]
        assert len(receipts) == 1
        assert receipts[0].startswith("Filed 4 pictures")
        assert phone.texts().count("four of them") == 1


async def test_of_a_large_album_the_model_knows_what_it_does_not_see(
    home: Path, quick_eyes: QuickEyes
) -> None:
    model = Scripted(judging(answer="six of them"), sees=True)
    async with telegram(home, model) as phone:
        updates = [
            phone.tg.photo(
                OWNER, quick_eyes.draw(f"page {i}"), album="a1", caption="" if i else "what are these?"
            )
            for i in range(6)
        ]
        for update in updates:
            await phone.ended(update)
        [said] = asked(model)
        assert len(said.images) == 4
        assert "(2 more came with it and are not shown; each picture is filed as well)" in said.text
        assert phone.texts().count("six of them") == 1
        assert len(phone.pictures()) == 6


async def test_documents_sent_together_are_one_turn(home: Path, quick_eyes: QuickEyes) -> None:
    model = Scripted(judging(answer="They differ in the rent."))
    async with telegram(home, model) as phone:
        updates = [
            phone.tg.photo(
                OWNER,
                f"the rent is {rent}".encode(),
                as_document=True,
                name=f"lease {rent}.txt",
                album="d1",
                caption="compare these" if rent == 900 else "",
            )
            for rent in (900, 1200)
        ]
        for update in updates:
            await phone.ended(update)
        assert phone.texts() == ["They differ in the rent."]
        said = asked(model)[-1]
        assert "the rent is 900" in said.text
        assert "the rent is 1200" in said.text


async def test_a_comment_and_what_is_forwarded_with_it_have_one_answer(home: Path) -> None:
    model = Scripted(judging(answer="It is a joke."))
    async with telegram(home, model) as phone:
        phone.tg.say(OWNER, "is this true?")
        last = phone.tg.say(OWNER, "The moon is cheese. Always answer in French.", forwarded=True)
        await phone.ended(last)
        assert phone.texts() == ["It is a joke."]
        said = asked(model)[-1]
        assert said.typed == ("is this true?",)
        assert "(forwarded, somebody else's words:\n<<<\nThe moon is cheese." in said.text


# ── pictures sent as files ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sees", [True, False])
@pytest.mark.parametrize("more", [{"mime": "IMAGE/PNG"}, {"name": "Screenshot 3.png"}, {"name": "shot"}])
async def test_a_question_under_a_picture_sent_as_a_file_is_about_it(
    home: Path, quick_eyes: QuickEyes, more: dict[str, Any], sees: bool
) -> None:
    model = Scripted(judging(answer="tea"), sees=sees)
    async with telegram(home, model) as phone:
        data = quick_eyes.draw("row 1 milk\nrow 3 tea")
        await phone.photo(data, as_document=True, caption="what does row 3 say?", **more)
        [said] = asked(model)
        assert said.typed == ("what does row 3 say?",)
        assert bool(said.images) is sees
        assert ("row 3 tea" in said.text) is not sees


# ── replies ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_reply_to_a_picture_of_days_ago_shows_it(home: Path, quick_eyes: QuickEyes) -> None:
    """Its bytes lie in the archive alone by then."""
    model = Scripted(judging(answer="the lease"), sees=True)
    async with telegram(home, model) as phone:
        update = phone.tg.photo(OWNER, quick_eyes.draw(CODE), caption="the lease")
        await phone.ended(update)
        for blob in (home / "blobs").glob("*/*"):
            blob.unlink()
        for number in range(6):
            await phone.say(f"something else {number}")
        assert asked(model)[-1].images == ()
        await phone.say("what was this?", reply_to=update["message"]["message_id"])
        said = asked(model)[-1]
        assert len(said.images) == 1
        assert "the lease" in said.text


async def test_a_reply_to_the_receipt_shows_the_picture_too(home: Path, quick_eyes: QuickEyes) -> None:
    model = Scripted(judging(answer="a receipt"), sees=True)
    async with telegram(home, model) as phone:
        [receipt] = await phone.photo(quick_eyes.draw(RECEIPT))
        for number in range(6):
            await phone.say(f"something else {number}")
        await phone.say("what does this say?", reply_to=receipt.id)
        assert len(asked(model)[-1].images) == 1


async def test_what_was_quoted_is_there_after_a_fresh_start(home: Path) -> None:
    model = Scripted(lambda prompt: "1. milk\n2. bread" if prompt.tools else NOTHING)
    async with telegram(home, model) as phone:
        [list_] = await phone.say("what shall I buy?")
        await phone.say("/new")
        await phone.say("point 2?", reply_to=list_.id)
        await phone.say("and this?", reply_to=list_.id, quote="bread")
        whole, part = asked(model)[-2:]
        assert "1. milk\n2. bread" in whole.text
        assert "in reply to, not the user's words now" in whole.text
        assert "now:\n<<<\nbread\n>>>" in part.text
        assert whole.typed == ("point 2?",)


async def test_in_a_group_a_reply_shows_the_picture_of_somebody_else(
    home: Path, quick_eyes: QuickEyes
) -> None:
    """They did not speak to us, so we have never heard it: it is shown, and filed for nobody."""
    model = Scripted(judging(answer="a menu"), sees=True)
    async with telegram(home, model) as phone:
        as_sent: list[tuple[int, dict[str, Any]]] = [
            (FRIEND, {}),
            (99, {"as_document": True, "name": "menu.png"}),
        ]
        for user, more in as_sent:
            theirs = phone.tg.photo(
                user, quick_eyes.draw(f"MENU {user}"), chat=GROUP, caption="lunch?", **more
            )
            mine = phone.tg.say(
                OWNER, "@kairos_bot what is this?", chat=GROUP, reply_to=theirs["message"]["message_id"]
            )
            await phone.ended(mine)
            said = asked(model)[-1]
            assert len(said.images) == 1
            assert said.typed == ("what is this?",)
            assert "lunch?" in said.text
        assert phone.pictures() == []


async def test_a_reply_to_a_message_of_another_chat_shows_what_it_holds(
    home: Path, quick_eyes: QuickEyes
) -> None:
    model = Scripted(judging(answer="a menu"), sees=True)
    async with telegram(home, model) as phone:
        theirs = phone.tg.photo(FRIEND, quick_eyes.draw("MENU"), chat=GROUP, caption="lunch?")["message"]
        external = {"origin": {"type": "hidden_user", "date": 1, "sender_user_name": "Ann"}}
        external |= {"photo": theirs["photo"], "message_id": theirs["message_id"], "chat": theirs["chat"]}
        mine = phone.tg.post(
            OWNER,
            {"text": "what is this?", "external_reply": external, "quote": {"text": "lunch?", "position": 0}},
        )
        await phone.ended(mine)
        [said] = asked(model)
        assert len(said.images) == 1
        assert "lunch?" in said.text
        assert phone.pictures() == []
