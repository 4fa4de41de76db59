"""A run of cultivation over real files with a scripted model: what its tests share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.desk import Desk
from bot.jobs.cultivation import CultivationJob
from bot.models.model import Call, Prompt, Reply
from bot.models.scripted import Scripted
from bot.types import Message
from tests.bot.desks import Rig


def call(name: str, **arguments: Any) -> Call:
    return Call(f"c-{name}", name, arguments)


def calls(*made: Call, finish: Any = "calls") -> Reply:
    return Reply(calls=made, finish=finish)


def write(page: str, *rows: str) -> Call:
    return call("MemoryWrite", page=page, content="\n".join(rows) + "\n")


def source(message: Message, quote: str) -> str:
    return f"(from: #{message.id} “{quote}”)"


class Garden:
    """One person's pages, and the job that tends them."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.model = Scripted("done")
        self.job = self.made()

    def made(self) -> CultivationJob:
        async def desk(burst: Sequence[Message]) -> Desk:
            return self.rig.desk(*burst)

        storage = self.rig.storage
        return CultivationJob(
            storage.schedules, storage.messages, storage.outbox, storage.talks, self.model, desk
        )

    async def said(self, text: str, **more: Any) -> Message:
        """A message whose turn has ended."""
        return await self.rig.said(text, answer=False, **more)

    async def asked(self, prompt: str = "", person: str = "me") -> int:
        """A run that is due, asked for by hand."""
        about = await self.said("/cultivate now", person=person)
        return await self.rig.storage.schedules.ask(person, prompt, message=about.id, at=self.rig.clock.now)

    async def tend(self, *replies: Any, prompt: str = "", person: str = "me") -> list[str]:
        """Run once with a model that says this; what the person is told."""
        row = await self.asked(prompt, person)
        self.model = Scripted(*replies)
        self.job = self.made()
        await self.job.run(row)
        run = await self.rig.storage.schedules.run(row)
        assert run.state == "done"
        return await self.told(run.message)

    async def told(self, about: int) -> list[str]:
        rows = await self.rig.storage.outbox.unsent("fake")
        return [each.text for each in rows if each.about == about]

    async def page(self, name: str) -> str:
        """A file of memory, "" when there is none."""
        return await self.rig.memory().text(name)

    def results(self, number: int = -1) -> list[str]:
        """What tools told the model before its call of that number."""
        return [said.text for said in self.model.prompts[number].messages if said.role == "tool"]


def shown(prompt: Prompt) -> str:
    """The messages that a prompt hands to the model."""
    return prompt.messages[0].text
