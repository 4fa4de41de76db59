"""What filing needs from outside, declared by filing itself: callables and one small protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from classifiers.types import Case, Category, Correction, Filing, Picture, Reading

Core = Callable[[], Awaitable[str]]
"""The person's standing instructions, as they are *now*. Awaited at each judgement, never stored."""

Read = Callable[[Picture], Awaitable[Reading]]
"""The text in a picture. Raises `ReadingFailed` when no reader could do it in time."""

Embed = Callable[[Sequence[str]], Awaitable[NDArray[np.float32]]]
"""Unit vectors, one row a text."""

Ask = Callable[[str, str], Awaitable[str]]
"""Put (system, user) to a text model and get its words. Raises what the model layer raises."""

See = Callable[[str, str, bytes], Awaitable[str]]
"""Put (system, user, JPEG) to a vision model and get its words."""


class Shelf(Protocol):
    """Where one person's pictures lie."""

    async def categories(self) -> Sequence[Category]:
        """The closed list, in the person's order."""
        ...

    async def nearest(self, text: str, most: int = 5) -> Sequence[Correction]:
        """The person's own filings nearest in meaning to `text`, corrections first."""
        ...

    async def seen(self, sha256: str) -> int | None:
        """The number of the item with these very bytes, if there is one."""
        ...

    async def alike(self, picture: Picture, text: str) -> int | None:
        """The number of an item that looks and reads nearly the same (a re-encoded copy), if there is one."""
        ...

    async def put(self, picture: Picture, reading: Reading, filing: Filing) -> int:
        """Shelve it; crash-safe; safe to call twice for one picture. Returns its number."""
        ...


Judge = Callable[[Case], Awaitable[Filing]]
"""Decide where a picture goes. A judge by a model raises what the model layer raises."""
