"""Pictures whose text is known instead of read: `quick_eyes` stands for the worker process of `Reader`."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field

import pytest

from classifiers.ocr import Reader
from classifiers.papers import read_paper
from classifiers.prepare import prepare
from classifiers.types import Picture, Reading
from tests.fakes.drawing import drawn


@dataclass(eq=False)
class QuickEyes:
    """Draws pictures and knows what they say. Reading waits while `open` is cleared, as it does on a busy machine."""

    texts: dict[str, str] = field(default_factory=dict)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    read: int = 0  # pictures that were read

    def draw(self, text: str) -> bytes:
        """A picture that says `text`."""
        data = drawn(text, size=(320, 200))
        self.texts[hashlib.sha256(data).hexdigest()] = text
        return data


@pytest.fixture
def quick_eyes(monkeypatch: pytest.MonkeyPatch) -> QuickEyes:
    eyes = QuickEyes()
    eyes.open.set()

    async def look(reader: Reader, data: bytes, name: str = "") -> Picture:
        return await asyncio.to_thread(prepare, data, name)

    async def read(reader: Reader, picture: Picture) -> Reading:
        await eyes.open.wait()
        eyes.read += 1
        text = eyes.texts.get(picture.sha256, "")
        return Reading(text, text.count("\n") + 1, 0.9, "known", 0.0)

    async def paper(reader: Reader, data: bytes, name: str) -> Reading:
        return await asyncio.to_thread(read_paper, data, name)

    monkeypatch.setattr(Reader, "paper", paper)
    for name in ("open", "glance"):
        monkeypatch.setattr(Reader, name, look)
    monkeypatch.setattr(Reader, "read", read)
    return eyes


__all__ = ["QuickEyes", "quick_eyes"]
