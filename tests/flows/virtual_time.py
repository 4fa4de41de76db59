"""An event loop whose clock jumps: nobody waits for a timer, while threads get all the time they take."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any


class _Jumping(selectors.DefaultSelector):
    """Looks without waiting; where nothing can happen but a timer, the clock is moved to it."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        if self.loop.busy or timeout is None:
            return super().select(1)
        self.loop.now += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """`asyncio.Runner(loop_factory=VirtualLoop)`. Seconds pass only where every task waits for them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.busy = 0  # threads at work for us
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Virtual seconds since it began."""
        return self.now

    def run_in_executor(  # type: ignore[override]  # a plainer signature than the stubs have
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """As ever; the clock stands still until it is done."""
        self.busy += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._idle)
        return future

    def _idle(self, _: object) -> None:
        self.busy -= 1
