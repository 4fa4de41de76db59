"""Filing for one person: their rules as a callable, their shelf, and the judge that the settings give."""

from __future__ import annotations

import asyncio

from bot.agent.eyes import Eyes
from bot.household import Household
from bot.minds import Minds
from bot.storage import Storage
from bot.storage.archive import Item
from bot.storage.records import FilingRow
from bot.storage.shelf import PersonShelf, local
from bot.types import Language
from bot.wording import say
from classifiers import ImageClassifier
from classifiers.types import Filed


class Filer:
    """Makes a classifier for the person whose picture it is."""

    def __init__(self, storage: Storage, minds: Minds, household: Household, eyes: Eyes) -> None:
        self._storage = storage
        self._minds = minds
        self._household = household
        self._eyes = eyes

    async def classify(self, row: FilingRow, data: bytes, caption: str, language: Language) -> Filed:
        """File one picture. `memory.core` is handed over uncalled: it is read at the moment of the judgement."""
        memory = self._household.memory(row.person)
        shelf = PersonShelf(
            self._storage.filings,
            self._household.archive(row.person),
            row,
            data,
            embed=self._minds.embed,
            zone=self._household.now().tzinfo,
        )
        classifier = ImageClassifier(
            core=memory.core,
            open_=self._minds.reader.open,
            read=self._eyes.read,
            shelf=shelf,
            embed=self._minds.embed,
            ask=self._minds.ask,
            see=self._minds.see,
        )
        return await classifier.file(data, row.name, caption=caption, language=language)

    async def keep_unread(self, row: FilingRow, data: bytes, filed: Filed, language: Language) -> int:
        """Keep a file that could not be read, in a category that says so; returns its number."""
        number = await self._storage.filings.number(row.id, row.person)
        category = say(language, "category.unread")
        stem, _, extension = row.name.rpartition(".")
        item = Item(
            number=number,
            category=category,
            title=stem or row.name or category,
            summary=filed.sentence,
            tags=(),
            text="",
            at=local(row.at, self._household.now().tzinfo),
            extension=f".{extension.lower()}"
            if stem and extension.isalnum() and len(extension) < 6
            else ".bin",
            why=filed.sentence,
        )
        await asyncio.to_thread(self._household.archive(row.person).write, item, data)
        await self._storage.filings.update(
            row.id,
            state="kept_unread",
            category=category,
            title=item.title,
            file=item.file,
            problem=filed.sentence,
        )
        return number
