"""Filing for one person: their rules as a callable, their shelf, and the judge that the settings give."""

from __future__ import annotations

from bot.agent.eyes import Eyes
from bot.household import Household
from bot.minds import Minds
from bot.storage import Storage
from bot.storage.records import FilingRow
from bot.storage.shelf import PersonShelf
from bot.types import Language
from classifiers.image import ImageClassifier
from classifiers.types import Filed


class Filer:
    """Makes a classifier for the person whose picture it is."""

    def __init__(self, storage: Storage, minds: Minds, household: Household, eyes: Eyes) -> None:
        self._storage = storage
        self._minds = minds
        self._household = household
        self._eyes = eyes

    async def classify(
        self, row: FilingRow, data: bytes, caption: str, language: Language, wish: str = ""
    ) -> Filed:
        """File one picture. `memory.core` is handed over uncalled: it is read at the moment of the judgement."""
        memory = self._household.memory(row.person)
        shelf = PersonShelf(
            self._storage.filings,
            self._household.archive(row.person),
            row,
            data,
            embed=self._minds.embed,
            zone=self._household.here(row.person).tzinfo,
        )
        classifier = ImageClassifier(
            memory.core,
            shelf,
            self._minds.judges,
            open=self._minds.reader.open,
            read=self._eyes.read,
        )
        return await classifier.file(data, row.name, caption=caption, language=language, wish=wish)
