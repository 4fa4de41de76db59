"""Who waits for work to end, and the one bell that wakes them: rung whenever a turn, a job or a sending ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Progress:
    """A bell. Waiting looks at the database again each time it rings."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Something ended."""
        self._rung.set()
        self._rung = asyncio.Event()

    async def until(self, reached: Callable[[], Awaitable[bool]], *, seconds: float | None = None) -> bool:
        """Wait until `reached()`; False when `seconds` went by first."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    rung = self._rung
                    if await reached():
                        return True
                    await rung.wait()
        except TimeoutError:
            return False
