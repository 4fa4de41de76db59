"""The whole bot on a stage: it is spoken to as by a channel, and what it says, loads and keeps is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

from bot.app import App, open_app
from bot.channels.channel import Receive
from bot.models.model import Model
from bot.settings import Settings
from bot.tools import Tool
from bot.types import Incoming, Outgoing
from bot.wording import parted

NAME = "eval"


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of one message, once its turn and everything set off by it have ended."""

    text: str  # what was answered, without the receipts under it
    loaded: tuple[str, ...]  # lines of memory that it was answered with
    problem: str


@dataclass(slots=True)
class Ear:
    """A channel that only keeps what is sent."""

    sent: list[Outgoing] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its word in every row."""
        return NAME

    async def listen(self, receive: Receive) -> None:
        """Nobody speaks here: `Stage.say` hands over to the app itself."""
        await asyncio.Event().wait()

    async def send(self, outgoing: Outgoing) -> str:
        """Keep it."""
        self.sent.append(outgoing)
        return f"s{outgoing.id}"

    async def typing(self, chat: str) -> None:
        """Nothing to show."""

    def health(self) -> str:
        """Always well."""
        return ""


class Stage:
    """An open app, and the ear that hears it."""

    def __init__(self, app: App, ear: Ear) -> None:
        self._app = app
        self._ear = ear
        self._ids = count(1)

    @property
    def embedded(self) -> bool:
        """Whether no model is configured."""
        return self._app.minds.embedded is not None

    @property
    def brain(self) -> str:
        """Who answers."""
        return self._app.minds.main.name

    async def say(self, person: str, text: str) -> Heard:
        """Say something and wait for everything that it sets off."""
        id = f"m{next(self._ids)}"
        self._ear.sent.clear()
        await self._app.receive(Incoming(NAME, person, id, person, text))
        finished = await self._app.finished(NAME, person, id)
        said = [each.text for each in self._ear.sent if each.chat == person and each.kind == "answer"]
        return Heard(parted("\n\n".join(said))[0], finished.loaded, finished.problem)

    async def kept(self, person: str) -> list[str]:
        """Every line of a person's memory that holds."""
        return [str(line) for _, line in await self._app.memory(person).lines()]


@asynccontextmanager
async def staged(
    settings: Settings, tools: Sequence[Tool], model: Model | None = None
) -> AsyncIterator[Stage]:
    """Open the bot in the settings' home, with these tools beside its own; `model` instead of the configured one."""
    ear = Ear()
    async with open_app(settings, model=model, channels=[ear], tools=tools) as app:
        ears = asyncio.create_task(app.listen(), name="stage")
        try:
            yield Stage(app, ear)
        finally:
            ears.cancel()
            with suppress(asyncio.CancelledError):
                await ears
