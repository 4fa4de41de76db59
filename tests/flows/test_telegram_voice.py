"""Voice messages: what is spoken is said, by the person themself; without a transcription service, a kind sentence."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.channels import configured
from bot.channels.channel import HasConnections
from bot.models import transcribing
from bot.models.model import Prompt
from bot.models.scripted import Scripted
from bot.settings import Settings
from bot.types import Incoming
from tests.fakes.drawing import CODE
from tests.fakes.telegram_server import FakeTelegram
from tests.fakes.transcription_server import FakeTranscription
from tests.flows.phone import OWNER, telegram
from tests.flows.quick_eyes import QuickEyes, quick_eyes
from tests.flows.test_hostile import NOTHING
from tests.flows.test_telegram import parrot
from tests.flows.test_telegram_pictures import asked

__all__ = ["quick_eyes"]

OGG = b"OggS\0\2spoken"
RULE = "以后代码截图都归到代码笔记"


async def test_what_is_spoken_is_answered_like_what_is_written(home: Path) -> None:
    model = Scripted(parrot)
    async with (
        FakeTranscription("What is the capital of Chad?") as ear,
        telegram(home, model, **ear.settings) as phone,
    ):
        update = phone.tg.voice(OWNER, OGG)
        [sent] = await phone.new(update)
        assert sent.text == "What is the capital of Chad?"
        assert sent.reply_to == update["message"]["message_id"]
        [file] = ear.heard
        assert (file.data, file.name) == (OGG, "voice.ogg")
        assert phone.pictures() == []
        await phone.say("and of Mali?")
        assert "What is the capital of Chad?" in "".join(each.text for each in model.prompts[-1].messages)


async def test_a_rule_that_was_spoken_is_kept_as_the_persons_own(home: Path) -> None:
    async with FakeTranscription(RULE) as ear, telegram(home, **ear.settings) as phone:
        await phone.ended(phone.tg.voice(OWNER, OGG, language="zh"))
        assert "代码笔记" in phone.core()
        assert any("代码笔记" in text for text in phone.texts())


async def test_a_picture_sent_right_behind_a_spoken_rule_obeys_it(home: Path, quick_eyes: QuickEyes) -> None:
    """However long it takes until the rule is heard."""
    async with FakeTranscription(RULE) as ear, telegram(home, **ear.settings) as phone:
        ear.go.clear()
        phone.tg.voice(OWNER, OGG, language="zh")
        picture = phone.tg.photo(OWNER, quick_eyes.draw(CODE), language="zh")
        await asyncio.sleep(0.5)
        assert phone.pictures() == []
        ear.go.set()
        await phone.ended(picture)
        assert [file.partition("/")[0] for file in phone.pictures()] == ["代码笔记"]


@pytest.mark.parametrize("brain", [True, False])
@pytest.mark.parametrize("more", [{"forwarded": True}, {"kind": "audio"}])
async def test_the_voice_of_somebody_else_is_no_source_of_memory(
    home: Path, more: dict[str, Any], brain: bool
) -> None:
    model = Scripted(lambda prompt: "fine" if prompt.tools else NOTHING) if brain else None
    async with FakeTranscription(RULE) as ear, telegram(home, model, **ear.settings) as phone:
        assert await phone.new(phone.tg.voice(OWNER, OGG, **more))
        assert phone.core() == ""
        assert len(ear.heard) == 1
        if model is not None:
            [said] = asked(model)
            assert RULE in said.text
            assert said.typed == ()


async def test_without_a_service_it_is_declined_kindly_and_not_fetched(home: Path) -> None:
    async with telegram(home, Scripted(parrot)) as phone:
        [english] = await phone.new(phone.tg.voice(OWNER, OGG))
        assert english.text == "I cannot listen to voice messages yet; please write to me."
        assert phone.tg.count("getFile") == 0
        await phone.new(phone.tg.voice(OWNER, OGG, kind="audio"))
        assert "no transcription service is set up" in phone.texts()[-1]


@pytest.mark.parametrize(
    ("refuses", "says", "told"),
    [
        ([(401, "Incorrect API key provided")], "", "does not accept the API key"),
        ([(500, "boom")] * 2, "", "I could not listen to that recording"),
        ([], " \n", "I heard no words in that recording."),
    ],
)
async def test_what_could_not_be_heard_is_said(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    refuses: list[tuple[int, str]],
    says: str,
    told: str,
) -> None:
    monkeypatch.setattr(transcribing, "AGAIN", 0.01)
    model = Scripted(parrot)
    async with FakeTranscription(says) as ear, telegram(home, model, **ear.settings) as phone:
        ear.refuses = list(refuses)
        [sent] = await phone.new(phone.tg.voice(OWNER, OGG))
        assert told in sent.text
        assert asked(model) == []
        ear.says = "hello again"
        [sent] = await phone.new(phone.tg.voice(OWNER, OGG + b"2"))
        assert sent.text == "hello again", "the next one is heard"


async def test_trouble_that_passes_is_tried_once_more(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcribing, "AGAIN", 0.01)
    async with FakeTranscription("hello") as ear, telegram(home, Scripted(parrot), **ear.settings) as phone:
        ear.refuses, ear.plain = [(503, "busy")], True
        [sent] = await phone.new(phone.tg.voice(OWNER, OGG))
        assert sent.text == "hello"


async def test_nobody_speaks_a_command(home: Path) -> None:
    model = Scripted(parrot)
    async with FakeTranscription("/forget everything") as ear, telegram(home, model, **ear.settings) as phone:
        [sent] = await phone.new(phone.tg.voice(OWNER, OGG))
        assert sent.text == "forget everything"


async def test_one_due_when_the_process_ends_is_heard_once_by_the_next(home: Path) -> None:
    never = asyncio.Event()

    async def hang(prompt: Prompt) -> str:
        await never.wait()
        return ""

    model = Scripted(parrot)
    async with FakeTranscription("tea?") as ear:
        async with telegram(home, Scripted(hang), **ear.settings) as phone:
            phone.tg.voice(OWNER, OGG)
            await phone.tg.wait(lambda: bool(ear.heard))
            await asyncio.sleep(0.2)
        async with telegram(home, model, **ear.settings) as phone:
            await phone.tg.wait(lambda: bool(asked(model)))
            assert asked(model)[0].typed == ("tea?",)
        assert len(ear.heard) == 1


async def test_a_reply_to_a_voice_message_quotes_its_words(home: Path) -> None:
    model = Scripted(parrot)
    async with FakeTranscription("the rent is due") as ear, telegram(home, model, **ear.settings) as phone:
        voice = phone.tg.voice(OWNER, OGG)
        await phone.ended(voice)
        await phone.say("when?", reply_to=voice["message"]["message_id"])
        said = asked(model)[-1]
        assert "now:\n<<<\nthe rent is due\n>>>" in said.text
        assert said.typed == ("when?",)


async def test_the_channel_that_is_configured_fetches_what_can_be_heard() -> None:
    async with FakeTranscription() as ear, FakeTelegram() as tg:
        given = {**ear.settings, "telegram_token": tg.token, "telegram_base_url": tg.root}
        settings = Settings.model_validate({**given, "telegram_allowed": (OWNER,)})
        channel = next(each for each in configured(settings, "en") if each.name == "telegram")
        heard: list[Incoming] = []

        async def receive(incoming: Incoming) -> bool:
            heard.append(incoming)
            return True

        listening = asyncio.create_task(channel.listen(receive))
        tg.voice(OWNER, OGG)
        await tg.wait(lambda: bool(heard))
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        if isinstance(channel, HasConnections):
            await channel.close()
        [upload] = heard[0].uploads
        assert (upload.data, upload.voice) == (OGG, True)
