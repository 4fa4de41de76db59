"""One person's things over real files, without minds or channels: what commands and tools are tried on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.desk import Desk
from bot.settings import Settings
from bot.storage import Storage, open_storage
from bot.storage.archive import Archive, Item
from bot.storage.chats import Chats
from bot.storage.filings import Filings
from bot.storage.gallery import Gallery
from bot.storage.library import Library
from bot.storage.records import FilingRow
from bot.storage.sheets import Sheets
from bot.types import Attachment, Incoming, Language, Message, Upload
from classifiers.prepare import prepare
from classifiers.types import Picture
from memory import FolderStore, Memory
from memory.dict_index import DictIndex

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 9, 1, 20, 5, tzinfo=ZONE)


class Clock:
    """Time that only moves when told to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self, person: str = "") -> datetime:
        return self.now

    def later(self, **by: float) -> None:
        """Move on."""
        self.now += timedelta(**by)


@dataclass(eq=False)
class Rig:
    """A home with its storage, and whoever lives in it."""

    home: Path
    storage: Storage
    clock: Clock

    def __post_init__(self) -> None:
        self._ids = count(1)
        self.memories: dict[str, Memory] = {}
        self.runs: list[int] = []  # of cultivation, that commands asked for

    def memory(self, person: str = "me") -> Memory:
        """A person's memory."""
        if person not in self.memories:
            store = FolderStore(self.home / person)
            self.memories[person] = Memory(store, person=person, now=self.clock, language="zh")
        return self.memories[person]

    async def said(self, text: str = "", *uploads: Upload, person: str = "me", **more: Any) -> Message:
        """A message as storage gives it back; `answer`, `extract` say what is due of it."""
        name = str(more.pop("id", "") or f"m{next(self._ids)}")
        answer, extract = more.pop("answer", True), more.pop("extract", False)
        chat = more.pop("chat", person)
        incoming = Incoming("fake", chat, name, person, text, uploads, **more)
        kept = [
            Attachment(await self.storage.blobs.put(each.data), each.name, len(each.data)) for each in uploads
        ]
        message = await self.storage.messages.store(
            incoming,
            kept,
            at=incoming.at or self.clock.now.astimezone(UTC),
            answer=answer,
            extract=extract,
            to_file=range(len(uploads)),
        )
        assert message is not None
        return message

    def desk(self, *burst: Message, language: Language = "zh", **changes: Any) -> Desk:
        """A desk for a turn over these messages."""
        person = burst[-1].person
        self.memory(person).speak(language)
        desk = Desk(
            person=person,
            language=language,
            memory=self.memory(person),
            pictures=self.library(person),
            chats=self.chats(person),
            proposals=self.storage.proposals,
            burst=burst,
            now=self.clock,
            talk=self.storage.messages,
        )
        return replace(desk, **changes)

    def chats(self, person: str = "me") -> Chats:
        """What a person said; found by words alone."""
        return Chats(self.storage.database, person, DictIndex(), self.clock)

    def library(self, person: str = "me") -> Library:
        """A person's filed pictures; found by words alone."""
        rows = self.storage.filings
        return Library(
            rows,
            Archive(self.home / person),
            person,
            edits=self.storage.edits,
            gallery=Gallery(rows, person, DictIndex()),
            sheets=self.sheets(person),
            now=self.clock,
        )

    def sheets(self, person: str = "me") -> Sheets:
        """What a person's pictures look like together; decoded here, without a worker."""

        async def look(data: bytes, name: str) -> Picture:
            return await asyncio.to_thread(prepare, data, name)

        return Sheets(Archive(self.home / person), self.home / "search" / person / "sheets", look)

    async def filed(self, category: str, title: str, *, person: str = "me", **values: Any) -> FilingRow:
        """A picture that lies in the archive."""
        data = f"{person}{category}{title}".encode()
        message = await self.said("", Upload(data, "p.png"), person=person, answer=False)
        [row] = await self.storage.filings.of_message(message.id)
        return await shelved(self.storage.filings, self.home, row, data, category, title, **values)


async def shelved(
    rows: Filings, home: Path, row: FilingRow, data: bytes, category: str, title: str, **values: Any
) -> FilingRow:
    """Put a due row into the archive, as filing does."""
    number = await rows.number(row.id, row.person)
    item = Item(
        number,
        category,
        title,
        values.get("summary", ""),
        tuple(values.get("tags", ())),
        values.get("text", ""),
        row.at.astimezone(ZONE),
        ".png",
        values.get("rule"),
        values.get("why", ""),
        sha256=values.get("sha256", ""),
    )
    await asyncio.to_thread(Archive(home / row.person).write, item, data)
    await rows.add_category(row.person, category)
    known = {"state": "filed", "category": category, "title": title, "file": item.file, "rules_seen": "x"}
    await rows.update(row.id, **{**known, **values})
    return await rows.get(row.id)


@asynccontextmanager
async def open_rig(home: Path, **settings: Any) -> AsyncIterator[Rig]:
    """Open a home."""
    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
    clock = Clock()
    given = await asyncio.to_thread(Settings.load, home, {}, timezone="Asia/Shanghai", **settings)
    async with open_storage(given, clock) as storage:
        yield Rig(home, storage, clock)


async def until(condition: Callable[[], Awaitable[object]], seconds: float = 5) -> None:
    """Wait until it holds. Raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - nobody tells us
            await asyncio.sleep(0.005)
