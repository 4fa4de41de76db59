"""A process that is killed at its n-th step: between any two statements, and between a file and its sidecar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from bot.storage.archive import Archive, Item
from bot.storage.database import Database

T = TypeVar("T")


class Killed(BaseException):
    """As `kill -9` would: no handler catches it."""


class Death:
    """Comes at step `at`; never, when `at` is 0."""

    def __init__(self, at: int) -> None:
        self._at = at
        self.steps = 0

    def step(self) -> None:
        self.steps += 1
        if self.steps == self._at:
            raise Killed


class DyingDatabase(Database):
    """Another one's database, every transaction a step."""

    def __init__(self, other: Database, death: Death) -> None:
        self._other = other
        self._death = death

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        self._death.step()
        return await self._other.read(work)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        self._death.step()
        return await self._other.write(work)


class DyingArchive(Archive):
    """Before and after every change of the disk is a step."""

    def __init__(self, folder: Path, death: Death) -> None:
        super().__init__(folder)
        self._death = death

    def write(self, item: Item, data: bytes, olds: Sequence[str] = ()) -> None:
        self._death.step()
        super().write(item, data, olds)
        self._death.step()

    def move(self, olds: Sequence[str], item: Item) -> None:
        self._death.step()
        super().move(olds, item)
        self._death.step()

    def remove(self, file: str) -> None:
        self._death.step()
        super().remove(file)
        self._death.step()
