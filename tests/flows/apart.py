"""Two people in one home, one of whom must never learn of the other: what is theirs, and how it is probed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count, product
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bot.app import App
from bot.desk import Desk
from bot.errors import ToolError
from bot.models.model import ToolSpec
from bot.models.scripted import Scripted
from bot.storage.database import Database, open_database
from bot.storage.tables import metadata
from bot.tools import Result, Tool
from bot.types import Attachment, Incoming, Message, Outgoing
from memory.changes import Did, Instruct, Learn, Source
from tests.bot.desks import shelved
from tests.fakes.channel import FakeChannel
from tests.flows.conftest import opened
from tests.flows.test_telegram import fine

SECRET = "quagga"  # stands in all that is one person's; the other never says it
GROUP = "group"

WORDS = (
    "zebra",
    "1",
    "#1",
    "r1",
    "t1",
    "m1",
    "CORE.md",
    "topics/zebras.md",
    "zebras",
    "Zebras",
    "2026-09-01",
)
RESTS = (
    *("", "1", "#1", "all", "help", "log", "log 20", "zebra", "zebras", "r1", "on", "off", "now", "undo"),
    *("restore 1", "edit 1 nothing at all", "pause 1", "resume 1", "page zebras", "retry all", "retry #1"),
    *(
        "add every friday 6pm tidy zebras",
        "remove 1",
        "delete 1",
        "allow 1",
        "revoke 1",
        "../{other}/CORE.md",
    ),
)


@dataclass(eq=False)
class Two:
    """A running home with two people in it; `other` is whose things must not be reached."""

    app: App
    channel: FakeChannel
    model: Scripted
    me: str
    other: str

    def __post_init__(self) -> None:
        self._ids = count(1)

    async def said(self, person: str, text: str, chat: str = "", **more: Any) -> Message:
        """Say something and wait until all of it has ended."""
        name = await self.channel.say(
            text, person=person, chat=chat or person, id=f"n{next(self._ids)}", **more
        )
        async with asyncio.timeout(30):
            await self.app.finished(*name)
        row = await self.app.storage.messages.find(*name)
        assert row is not None
        return await self.app.storage.messages.get(row.id)

    async def desk(self, message: Message) -> Desk:
        """The desk of a turn that answers it."""
        return await self.app.household.desk([message])

    async def settle(self, person: str) -> None:
        """All that a person can have, each with the secret in it."""
        word = SECRET if person == self.other else "giraffe"
        text = f"Always call the zebra {word}"
        fact = f"My sister's zebra is called {word}"
        first, second = await self.said(person, text), await self.said(person, fact)
        await self.said(person, f"In the group: zebra {word}", GROUP, shared=True)
        memory = self.app.memory(person)
        source = Source(first.conversation, str(first.id), first.at, words=text, quote=text)
        told = Source(second.conversation, str(second.id), second.at, words=fact, quote=fact)
        done = await memory.apply([Instruct(text)], source)
        done += await memory.apply([Learn(f"The sister's zebra is called {word}", topic="zebras")], told)
        assert [each.did for each in done] == [Did.ADDED, Did.ADDED], done
        await self._picture(person, word)
        desk = await self.desk(first)
        await desk.proposals.add(
            person, Instruct(f"Call every zebra {word}"), source, f"Zebra {word}?", desk.now()
        )
        await self.said(person, f"/cultivate add every friday 6pm zebra {word}")

    async def _picture(self, person: str, word: str) -> None:
        rows, home = self.app.storage.filings, self.app.settings.home
        for n, state in enumerate(("filed", "failed"), 1):
            message = await self.app.storage.messages.store(
                Incoming("fake", person, f"picture-{n}", person),
                [Attachment(_digest(word.encode()), f"zebra {word}.png", 9)],
                at=self.app.household.now(),
                answer=False,
                extract=False,
                to_file=[0],
            )
            assert message is not None
            [row] = await rows.of_message(message.id)
            if state == "filed":
                await shelved(
                    rows, home, row, word.encode(), f"Zebras {word}", f"Zebra {word}", text=f"zebra {word}"
                )
            else:
                await rows.update(row.id, state="failed", problem=f"zebra {word}")

    async def world(self) -> dict[str, str]:
        """All that is the other's."""
        return await _world(self.app.storage.database, self.app.settings.home, self.other)

    def leaks(self, shown: Any) -> list[str]:
        """What of the other stands in what was shown."""
        text = str(shown)
        return [word for word in (SECRET, str(self.app.settings.home / self.other)) if word in text]

    def outgoing(self, since: int) -> list[Outgoing]:
        """What was sent since then."""
        return self.channel.sent[since:]


async def _world(database: Database, home: Path, person: str) -> dict[str, str]:
    """Their files, and their rows in every table that has people's."""
    found = await asyncio.to_thread(_files, home / person)
    for table in metadata.sorted_tables:
        if "person" in table.c:
            rows = await database.rows(sa.select(table).where(table.c.person == person))
            found[table.name] = "\n".join(sorted(str(row) for row in rows))
    return found


async def world_of(home: Path, person: str) -> dict[str, str]:
    """The same of a home that nobody runs."""
    async with open_database(home / "kairos.sqlite") as database:
        return await _world(database, home, person)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): _digest(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def arguments(spec: ToolSpec, other: str) -> list[dict[str, Any]]:
    """Ways to call a tool, made of its own schema: each number, and each word, in all its places at once."""
    properties = spec.parameters["properties"]
    words = (*WORDS, f"../{other}/CORE.md", f"{other}/CORE.md")
    return [
        {name: _value(schema, word, number) for name, schema in properties.items()}
        for word, number in product(words, (1, 2))
    ] + [{}]


def _value(schema: dict[str, Any], word: str, number: int) -> Any:
    match schema.get("type"):
        case "integer":
            return number
        case "boolean":
            return number == 1
        case "array":
            return [1, 2, 3]
        case _:
            return schema["enum"][0] if "enum" in schema else word


async def called(tool: Tool, desk: Desk, given: dict[str, Any]) -> Result | str:
    """What a tool comes to, or why not."""
    try:
        return await tool.run(desk, given)
    except ToolError as error:
        return str(error)


@asynccontextmanager
async def two(home: Path, me: str, other: str) -> AsyncIterator[Two]:
    """Both have all that one can have."""
    channel, model = FakeChannel(), Scripted(fine)
    async with opened(home, model, channel=channel) as talk:
        made = Two(talk.app, channel, model, me, other)
        await made.settle(other)
        await made.settle(me)
        yield made
