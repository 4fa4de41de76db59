"""Groups: answered only when spoken to, in the topic it was said in, with the sender's own memory, privately kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.models.model import Prompt
from bot.models.scripted import Scripted
from tests.flows.phone import FRIEND, OWNER, STRANGER, telegram
from tests.flows.test_hostile import NOTHING
from tests.flows.test_telegram import fine, parrot

GROUP = -555
NAME = "@kairos_bot"


async def test_only_those_who_are_known_and_speak_to_it_are_answered(home: Path) -> None:
    async with telegram(home, Scripted(parrot)) as phone:
        phone.tg.say(OWNER, "lunch?", chat=GROUP)
        phone.tg.say(STRANGER, f"{NAME} hi", chat=GROUP)
        phone.tg.say(OWNER, "ann@kairos_bot is no name", chat=GROUP)
        phone.tg.update(
            {"channel_post": {"message_id": 1, "chat": {"id": GROUP, "type": "channel"}, "text": "x"}}
        )
        phone.tg.update(
            {
                "message": {
                    "message_id": 9001,
                    "date": 1,
                    "chat": {"id": GROUP, "type": "supergroup"},
                    "from": {"id": OWNER, "is_bot": True, "first_name": "b", "username": "b_bot"},
                    "text": f"{NAME} I am a bot",
                    "entities": [{"type": "mention", "offset": 0, "length": len(NAME)}],
                }
            }
        )
        await phone.ended(phone.tg.say(OWNER, f"🎩 {NAME} what is for lunch?", chat=GROUP))
        await phone.ended(phone.tg.say(FRIEND, f"{NAME}, and for me?", chat=GROUP))
        assert phone.texts(GROUP) == ["🎩 what is for lunch?", "and for me?"]
        assert phone.texts(STRANGER) == [], "nobody is asked about who only talks in a group"


async def test_its_name_alone_is_answered_and_shows_what_it_replies_to(home: Path) -> None:
    model = Scripted(fine)
    async with telegram(home, model) as phone:
        other = phone.tg.say(STRANGER, "the rent is 900", chat=GROUP)
        await phone.ended(
            phone.tg.say(OWNER, "@kairos_bot", chat=GROUP, reply_to=other["message"]["message_id"])
        )
        assert phone.texts(GROUP) == ["fine"]
    [said] = [prompt.messages[-1] for prompt in model.prompts if prompt.tools]
    assert "the rent is 900" in said.text


async def test_a_topic_is_answered_in_its_topic_and_is_a_conversation_of_its_own(home: Path) -> None:
    """A20."""
    model = Scripted(fine)
    async with telegram(home, model) as phone:
        for thread in (7, 8):
            update = phone.tg.say(
                OWNER, f"{NAME} we are in {thread}", chat=GROUP, thread=thread, reply_to=thread
            )
            async with asyncio.timeout(10):
                while len(phone.tg.sent(GROUP)) < thread - 6:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert update["message"]["message_thread_id"] == thread
        assert [sent.thread for sent in phone.tg.sent(GROUP)] == [7, 8]
        assert "we are in 7" not in str([each for each in model.prompts if each.tools][-1])


async def test_a_fresh_start_in_a_topic_is_of_that_topic(home: Path) -> None:
    model = Scripted(fine)

    async def talk(text: str, **where: int) -> str:
        """Say something in a topic, or alone; what the model was shown of the conversation there."""
        phone.tg.say(OWNER, f"{NAME} {text}" if where else text, **where, reply_to=where.get("thread"))
        async with asyncio.timeout(10):
            while not model.prompts or text not in str(model.prompts[-1].messages[-1]):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        shown = str(model.prompts[-1].messages)
        await phone.app.progress.until(answered)
        return shown

    async def answered() -> bool:
        return not await phone.app.storage.messages.unanswered()

    async with telegram(home, model) as phone:
        await talk("we are alone")
        for thread in (7, 8):
            await talk(f"we are in {thread}", chat=GROUP, thread=thread)
        phone.tg.say(OWNER, f"/new{NAME}", chat=GROUP, thread=7, reply_to=7)
        await phone.tg.wait(lambda: "A fresh start here; memory stays." in phone.texts(GROUP), 10)
        assert "we are alone" in await talk("and now, alone?")
        assert "we are in 8" in await talk("and now, eight?", chat=GROUP, thread=8)
        assert "we are in 7" not in await talk("and now, seven?", chat=GROUP, thread=7)


@pytest.mark.parametrize("command", ["/memory", "/why", "/pictures", "/queue", "/people", "/undo", "/usage"])
async def test_what_is_private_is_not_shown_in_a_group(home: Path, command: str) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        await phone.say("hello")
        await phone.ended(phone.tg.say(OWNER, f"{command}{NAME}", chat=GROUP))
        assert phone.texts(GROUP) == [f"Others read along here: send {command} to me in our private chat."]


async def test_what_was_typed_into_the_files_is_told_in_private(home: Path) -> None:
    def typed() -> None:
        (home / "me").mkdir(exist_ok=True)
        (home / "me" / "CORE.md").write_text("- My salary stays between us\n", "utf-8")

    async with telegram(home, Scripted(fine)) as phone:
        await phone.say("hello")
        await asyncio.to_thread(typed)
        await phone.ended(phone.tg.say(OWNER, f"{NAME} hello", chat=GROUP))
        assert phone.texts(GROUP) == ["fine"]
        await phone.say("hello again")
        assert any("My salary stays between us" in text for text in phone.texts())


async def test_one_persons_stop_is_not_anothers(home: Path) -> None:
    async def play(prompt: Prompt) -> str:
        if not prompt.tools:
            return NOTHING
        if "slow" in prompt.messages[-1].text:
            await asyncio.sleep(0.5)
            return "at last"
        return "fine"

    async with telegram(home, Scripted(play)) as phone:
        slow = phone.tg.say(OWNER, f"{NAME} slow", chat=GROUP)
        await phone.tg.wait(lambda: phone.tg.count("sendChatAction") > 0)
        await phone.ended(phone.tg.say(FRIEND, f"/stop{NAME}", chat=GROUP))
        await phone.ended(slow)
        assert phone.texts(GROUP) == ["Nothing is being done right now.", "at last"]


async def test_a_group_that_becomes_a_supergroup_goes_on(home: Path) -> None:
    """The answer that is under way arrives there, numbers begin anew, and what was said before is still known."""
    go = asyncio.Event()
    model = Scripted(fine)

    async def play(prompt: Prompt) -> str:
        if not prompt.tools:
            return NOTHING
        if "slow" in prompt.messages[-1].text:
            await go.wait()
        return "fine"

    model = Scripted(play)
    async with telegram(home, model) as phone:
        await phone.ended(phone.tg.say(OWNER, f"{NAME} the trip is in May", chat=GROUP))
        phone.tg.say(OWNER, f"{NAME} slow", chat=GROUP)
        await phone.tg.wait(lambda: phone.tg.count("sendChatAction") > 0)
        new = phone.tg.migrate(OWNER, GROUP)
        await phone.tg.wait(lambda: not phone.tg.waiting)
        go.set()
        await phone.tg.wait_sent(new, 1)
        assert phone.texts(new) == ["fine"]
        await phone.ended(phone.tg.say(OWNER, f"{NAME} when is it?", chat=new))
        assert phone.texts(new) == ["fine", "fine"]
        assert len(phone.texts(GROUP)) == 1
        last = [each for each in model.prompts if each.tools][-1]
        assert "the trip is in May" in str(last.messages)


async def test_what_waits_while_a_group_becomes_a_supergroup_is_answered_once(home: Path) -> None:
    go = asyncio.Event()

    async def play(prompt: Prompt) -> str:
        if prompt.tools and "slow" in prompt.messages[-1].typed[-1]:
            await go.wait()
        return f"to: {prompt.messages[-1].typed[-1]}" if prompt.tools else NOTHING

    async with telegram(home, Scripted(play)) as phone:
        phone.tg.say(OWNER, f"{NAME} slow", chat=GROUP)
        await phone.tg.wait(lambda: phone.tg.count("sendChatAction") > 0)
        phone.tg.say(OWNER, f"{NAME} queued", chat=GROUP)
        new = phone.tg.migrate(OWNER, GROUP)
        last = phone.tg.say(OWNER, f"{NAME} and this", chat=new)
        await phone.tg.wait_sent(new, 1)
        go.set()
        await phone.ended(last)
        await phone.tg.wait_sent(new, 2)
        assert sorted(phone.texts(new)) == ["to: and this", "to: slow"]
        assert phone.texts(GROUP) == []


async def test_a_fresh_start_stays_one_when_its_group_becomes_a_supergroup(home: Path) -> None:
    model = Scripted(fine)
    async with telegram(home, model) as phone:
        await phone.ended(phone.tg.say(OWNER, f"{NAME} the trip is in May", chat=GROUP))
        await phone.ended(phone.tg.say(OWNER, f"/new{NAME}", chat=GROUP))
        new = phone.tg.migrate(OWNER, GROUP)
        await phone.ended(phone.tg.say(OWNER, f"{NAME} when is it?", chat=new))
    assert "the trip is in May" not in str([each for each in model.prompts if each.tools][-1].messages)


async def test_a_button_is_not_anothers_and_who_pressed_is_told_in_their_language(home: Path) -> None:
    async with telegram(home, Scripted(fine)) as phone:
        [menu] = await phone.say("/settings")
        phone.tg.say(OWNER, f"{NAME} hi", chat=GROUP)
        await phone.tg.wait_sent(GROUP, 1)
        shown = phone.tg.sent(GROUP)[0]
        data = menu.buttons[0][0]["callback_data"]
        await phone.ended(phone.tg.press(FRIEND, shown.id, data, chat=GROUP))
        assert phone.texts(GROUP)[1:] == ["That question is settled already."]
