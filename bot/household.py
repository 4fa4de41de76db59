"""Each person's own things, made at first need: memory, pictures, the desk of a turn. Nobody's reach another's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from bot.desk import Desk
from bot.errors import PersonRefused
from bot.minds import Minds
from bot.progress import Progress
from bot.settings import Settings
from bot.storage import Storage
from bot.storage.archive import Archive
from bot.storage.chats import Chats
from bot.storage.gallery import ByText, Gallery
from bot.storage.library import Library
from bot.storage.records import FilingRow
from bot.storage.search import SearchIndex
from bot.storage.sheets import Sheets
from bot.types import Button, Language, Message, Words, may_be_person
from bot.wording import language_of, parted, say
from memory import FolderStore, Memory, Utterance
from memory.changes import Speaker
from memory.index import Encoder
from memory.intake import Taken, take_in
from memory.judging import Verdict
from memory.search import Alike

CONTEXT = 6  # lines of the conversation before a message that extraction reads beside it


class Household:
    """All people of one home."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        minds: Minds,
        progress: Progress,
        now: Callable[[], datetime],
    ) -> None:
        self._settings = settings
        self._storage = storage
        self._minds = minds
        self.progress = progress
        self.now = now
        self._memories: dict[str, Memory] = {}
        self._weighed: dict[str, int] = {}  # person → how often their memory had changed at the last look
        self._crowded: dict[str, int] = {}  # person → how full their rules were at the last look
        self._chats: dict[str, Chats] = {}
        self._galleries: dict[str, Gallery] = {}
        self._indexes: list[SearchIndex] = []

    def here(self, person: str) -> datetime:
        """Now, on a person's own clock."""
        return self._storage.preferences.here(person, self.now())

    def memory(self, person: str) -> Memory:
        """A person's memory; one object a person and process, since its lock keeps their changes in order."""
        if person not in self._memories:
            self._memories[person] = Memory(
                FolderStore(self._folder(person)),
                person=person,
                now=partial(self.here, person),
                settled=lambda: self._settled(person),
                embed=self._minds.embed.queries,
                index=self._index(person, "lines", Alike(self._minds.embed.queries)),
                judge=_never_kept,
                language="en" if self._settings.language == "en" else "zh",
                core_budget=self._settings.core_budget,
            )
        return self._memories[person]

    def chats(self, person: str) -> Chats:
        """What a person and the assistant said to each other."""
        if person not in self._chats:
            index = self._index(person, "chats", self._minds.embed)
            self._chats[person] = Chats(self._storage.database, person, index, partial(self.here, person))
        return self._chats[person]

    def _index(self, person: str, name: str, encoder: Encoder) -> SearchIndex:
        """A person's search index. It can be made again from what it indexes, and lies where no person's files do."""
        self._folder(person)
        index = SearchIndex(self._settings.home / "search" / person / f"{name}.sqlite", encoder)
        self._indexes.append(index)
        return index

    async def close(self) -> None:
        """Close the search indexes."""
        for index in self._indexes:
            await index.close()

    async def _settled(self, person: str) -> None:
        """Until memory has read all that this person said before this moment, or the wait is over."""
        newest = await self._storage.messages.newest(person)

        async def reached() -> bool:
            return not await self._storage.messages.unextracted(person, before=newest, put_off=False)

        await self.progress.until(reached, seconds=self._settings.extraction_wait)

    def _folder(self, person: str) -> Path:
        """Where all that is theirs lies. `receive` refuses names that would lie elsewhere; so does this."""
        if not may_be_person(person):
            raise PersonRefused()
        return self._settings.home / person

    def archive(self, person: str) -> Archive:
        """A person's pictures on disk."""
        return Archive(self._folder(person))

    async def version(self, person: str) -> str:
        """The name of the rules that hold for a person now."""
        return await self.memory(person).version()

    async def kept(self, row: FilingRow) -> bytes | None:
        """The bytes of a filed picture as they lie in its archive; None when the person took them away."""
        return await asyncio.to_thread(self.archive(row.person).read, (row.file, *row.leaving))

    def library(self, person: str) -> Library:
        """A person's filed pictures."""
        archive, derived = self.archive(person), self._settings.home / "search" / person
        return Library(
            self._storage.filings,
            archive,
            person,
            edits=self._storage.edits,
            gallery=self.gallery(person),
            sheets=Sheets(archive, derived / "sheets", self._minds.reader.glance),
            now=partial(self.here, person),
        )

    def gallery(self, person: str) -> Gallery:
        """The search index over a person's pictures."""
        if person not in self._galleries:
            index = self._index(person, "pictures", ByText(self._minds.embed))
            self._galleries[person] = Gallery(self._storage.filings, person, index)
        return self._galleries[person]

    async def crowded(self, person: str) -> Words | None:
        """Their rules are nearly more than their budget, or more: told once each, with an offer to merge some."""
        memory = self.memory(person)
        if self._weighed.get(person) == memory.changed:
            return None
        self._weighed[person] = memory.changed
        full = await memory.fullness()
        known, self._crowded[person] = self._crowded.get(person), full.level
        if known == full.level or not await self._storage.told.risen(person, "full", full.level):
            return None
        language = await self._storage.people.language(person)
        key = "full.over" if full.level > 1 else "full.near"
        words = say(language, key, tokens=f"{full.tokens:,}", budget=f"{full.budget:,}")
        return Words(words, "notice", (Button(say(language, "full.tidy"), "tidy:1"),))

    async def desk(self, burst: Sequence[Message]) -> Desk:
        """The desk for one turn."""
        return self._desk(burst[-1].person, await self._language(burst), tuple(burst))

    def looking(self, person: str, language: Language) -> Desk:
        """A desk for somebody who looks from outside a conversation."""
        return self._desk(person, language, ())

    def _desk(self, person: str, language: Language, burst: tuple[Message, ...]) -> Desk:
        memory = self.memory(person)
        memory.speak(language)
        return Desk(
            person=person,
            language=language,
            memory=memory,
            pictures=self.library(person),
            chats=self.chats(person),
            proposals=self._storage.proposals,
            burst=burst,
            now=partial(self.here, person),
            talk=self._storage.messages,
            note=self._note,
        )

    async def _language(self, burst: Sequence[Message]) -> Language:
        if (chosen := self._storage.preferences.language(burst[-1].person)) is not None:
            return chosen
        written = next(
            (language_of(each.typed) for each in reversed(burst) if each.typed and not each.command), None
        )
        return await self._storage.people.wrote(burst[-1].person, written)

    async def _note(self, message: Message) -> Taken:
        """Read one message for memory, with what was said right before it as context."""
        after = self._storage.fresh.after(message.person, message.channel, message.chat)
        before = await self._storage.history.before(message, after=after, block=2 * CONTEXT)
        now = self.here(message.person)
        zone, learning = now.tzinfo, self._storage.preferences.of(message.person).learning
        utterances = [
            Utterance(
                Speaker.ASSISTANT if line.ours else Speaker.TOOL if line.forwarded else Speaker.PERSON,
                parted(line.text)[0],
                line.at.astimezone(zone),
                str(line.message or ""),
                message.conversation,
            )
            for line in [line for line in before if not line.shown][-CONTEXT:]
        ]
        utterances.append(
            Utterance(
                Speaker.PERSON,
                message.text,
                message.at.astimezone(zone),
                str(message.id),
                message.conversation,
            )
        )
        return await take_in(self.memory(message.person), self._minds.extract, utterances, now, learning)


async def _never_kept(words: str, quote: str) -> Verdict:
    from memory.offline.judge import judged  # a start has no need of it

    return await judged(words, quote)
