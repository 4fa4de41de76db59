"""How much memory this process and its workers took."""

from __future__ import annotations

import asyncio
from types import TracebackType

_EVERY = 0.25  # seconds between looks


class Peak:
    """`async with Peak() as peak: …` watches; `megabytes` is the most that was seen, children included."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self.last_megabytes = 0.0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Peak:
        self._task = asyncio.create_task(self._watch(), name="peak")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.to_thread(self._look)

    async def _watch(self) -> None:
        while True:
            await asyncio.to_thread(self._look)
            await asyncio.sleep(_EVERY)

    def _look(self) -> None:
        """Add up what is there now (blocking)."""
        import psutil

        own = psutil.Process()
        total = 0
        for process in (own, *own.children(recursive=True)):
            try:
                total += process.memory_info().rss
            except psutil.Error:
                continue  # it has just left
        self.last_megabytes = round(total / 1e6, 1)
        self.megabytes = max(self.megabytes, self.last_megabytes)
