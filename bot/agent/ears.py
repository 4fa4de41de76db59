"""Voice messages become the words they hold, before anything else looks at them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from bot.errors import ModelError
from bot.models.problems import explain
from bot.models.transcribing import Transcribe
from bot.storage.blobs import Blobs
from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.types import Attachment, Language, Message
from bot.wording import say
from classifiers.types import Reading


@dataclass(frozen=True, slots=True)
class Ears:
    """One for the whole app. `transcribe`: None = there is nobody who could."""

    transcribe: Transcribe | None
    messages: Messages
    filings: Filings
    blobs: Blobs
    language: Callable[[str], Awaitable[Language]]  # a person's

    async def heard(self, burst: Sequence[Message]) -> list[Message]:
        """The burst with what was spoken as text, stored as such; a voice that could not be heard has its problem.
        What replies to a voice message quotes its words.
        """
        return [await self._quoting(await self._heard(message)) for message in burst]

    async def _quoting(self, message: Message) -> Message:
        if not message.reply_to or message.quoted:
            return message
        row = await self.messages.find(message.channel, message.chat, message.reply_to)
        spoken = row is not None and any(each.get("kind") == "voice" for each in row.attachments)
        return replace(message, quoted=row.text) if row is not None and spoken else message

    async def _heard(self, message: Message) -> Message:
        spoken = [each for each in message.attachments if each.kind == "voice" and each.blob]
        if not spoken:
            return message
        language = await self.language(message.person)
        words, problems = [message.text] if message.text else [], {}
        for each in spoken:
            text, problem = await self._words(each, language)
            if problem:
                problems[each] = problem
            elif text not in message.text:  # else it was stored before a crash
                words.append(text)
        files = tuple(replace(each, problem=problems.get(each, each.problem)) for each in message.attachments)
        text = "\n".join(words)
        if text != message.text:
            await self.messages.revise(message.id, text)
        return replace(message, text=text, attachments=files)

    async def _words(self, voice: Attachment, language: Language) -> tuple[str, str]:
        """(what was said, why it could not be heard)."""
        known = await self.filings.reading(voice.blob)
        if known is not None:
            return known.text, ""
        if self.transcribe is None:
            return "", say(language, "voice.deaf")
        try:
            text = await self.transcribe(await self.blobs.get(voice.blob), voice.name)
        except ModelError as error:
            return "", say(language, "voice.failed", why=explain(error, language))
        except FileNotFoundError:
            return "", say(language, "voice.gone")
        text = text.lstrip("/ \n")  # nobody speaks a command
        if not text:
            return "", say(language, "voice.silent")
        await self.filings.keep_reading(voice.blob, Reading(text, text.count("\n") + 1, 1.0, "transcribed"))
        return text, ""
