"""A person edits what they sent: it counts while it can, and is said to be too late when it cannot."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.models.model import Prompt, Reply
from bot.models.scripted import Scripted
from tests.fakes.drawing import RECEIPT
from tests.flows.phone import OWNER, telegram
from tests.flows.quick_eyes import QuickEyes, quick_eyes
from tests.flows.test_hostile import NOTHING, keep
from tests.flows.test_telegram import parrot
from tests.flows.test_telegram_pictures import judging

__all__ = ["quick_eyes"]

LATE = "I had already dealt with that message, so your edit came too late"


class Held:
    """Repeats what it was told, once it may."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()

    async def __call__(self, prompt: Prompt) -> str:
        if not prompt.tools:
            return NOTHING
        self.asked.set()
        await self.go.wait()
        return "+".join(prompt.messages[-1].typed)


async def test_an_edit_while_the_turn_runs_changes_the_message(home: Path) -> None:
    held = Held()
    async with telegram(home, Scripted(held)) as phone:
        update = phone.tg.say(OWNER, "三句话介绍红茶")
        await held.asked.wait()
        phone.tg.edit(OWNER, update, "三句话介绍红茶，并附英文")
        await asyncio.sleep(0.2)
        held.go.set()
        [sent] = await phone.new(update)
        assert sent.text == "三句话介绍红茶，并附英文"
        assert sent.reply_to == update["message"]["message_id"]
        assert phone.texts() == [sent.text], "nothing was said to the first wording"


async def test_an_edit_after_the_answer_is_said_to_be_too_late_once(home: Path) -> None:
    async with telegram(home, Scripted(parrot)) as phone:
        update = phone.tg.say(OWNER, "one")
        await phone.ended(update)
        edit = phone.tg.edit(OWNER, update, "two")
        phone.tg.redeliver(edit)
        await phone.tg.wait_sent(OWNER, 2)
        await phone.say("three")
        one, late, three = phone.tg.sent(OWNER)
        assert (one.text, three.text) == ("one", "three")
        assert late.text.startswith(LATE)
        assert late.reply_to == update["message"]["message_id"]


@pytest.mark.parametrize("before", ["remember that I like tea", "/memory"])
async def test_an_old_message_edited_into_a_command_never_runs(home: Path, before: str) -> None:
    def play(prompt: Prompt) -> Reply:
        return keep(prompt, "I like tea") if "tea" in prompt.messages[-1].text else Reply("fine")

    async with telegram(home, Scripted(play)) as phone:
        await phone.say("remember that I like tea")
        update = phone.tg.say(OWNER, before)
        await phone.ended(update)
        core = phone.core()
        said = len(phone.texts())
        phone.tg.edit(OWNER, update, "/forget r1")
        await phone.tg.wait_sent(OWNER, said + 1)
        await phone.say("anything else?")
        assert phone.core() == core
        assert phone.texts()[said].startswith(LATE)


async def test_what_only_looks_like_an_edit_is_nothing(home: Path) -> None:
    """A link's preview that was added, an edit of a message from before we were there."""
    async with telegram(home, Scripted(parrot)) as phone:
        update = phone.tg.say(OWNER, "https://a.example")
        await phone.ended(update)
        phone.tg.edit(OWNER, update, "https://a.example")
        never = {"message": update["message"] | {"message_id": 1}}
        phone.tg.edit(OWNER, never, "/forget r1")
        await phone.say("two")
        assert phone.texts() == ["https://a.example", "two"]


async def test_words_put_under_a_picture_later_are_heard(home: Path, quick_eyes: QuickEyes) -> None:
    async with telegram(home, Scripted(judging(answer="row 3 says tea"), sees=True)) as phone:
        update = phone.tg.photo(OWNER, quick_eyes.draw(RECEIPT))
        await phone.ended(update)
        phone.tg.edit(OWNER, update, "what does row 3 say?")
        await phone.tg.wait_sent(OWNER, 2)
        assert "row 3 says tea" in phone.texts()[-1]


async def test_an_edit_in_a_group_counts_when_we_are_spoken_to(home: Path) -> None:
    group = -1_000_000_000_555
    held = Held()
    async with telegram(home, Scripted(held)) as phone:
        update = phone.tg.say(OWNER, "@kairos_bot tea?", chat=group)
        await held.asked.wait()
        phone.tg.edit(OWNER, update, "@kairos_bot tea, or coffee?")
        await asyncio.sleep(0.2)
        held.go.set()
        await phone.tg.wait_sent(group, 1)
        assert [sent.text for sent in phone.tg.sent(group)] == ["tea, or coffee?"]


async def test_a_part_of_a_long_paste_cannot_be_changed_alone(home: Path) -> None:
    held = Held()
    async with telegram(home, Scripted(held)) as phone:
        text = "🎩🐇 " * 1700
        first, *_ = phone.tg.paste(OWNER, text)
        await held.asked.wait()
        phone.tg.edit(OWNER, first, "only this")
        await phone.tg.wait_sent(OWNER, 1)
        held.go.set()
        await phone.ended(first)
        late, *answer = phone.texts()
        assert late.startswith(LATE)
        assert "".join(answer).replace(" ", "") == text.replace(" ", ""), "one turn, all of it"
