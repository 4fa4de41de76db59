"""What has begun to be written is brought to its end, though whoever waits for it is cut short (`/stop`, a shutdown):
half of a change would be worse than either, and what was done is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 1.0  # seconds that it has then; a write takes milliseconds


async def unbroken(work: Coroutine[Any, Any, T], ended: Callable[[T], None] | None = None) -> T:
    """Do the work. Cancelled meanwhile, it still has `GRACE` seconds: what it came to is handed to `ended` before the
    cancellation goes on, or returned as if nothing had been cancelled where there is no `ended`.

    Raises what the work raises, whoever was cancelled.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task}, timeout=GRACE)
        if not task.done() or task.cancelled():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise
        if ended is not None:
            ended(task.result())
            raise
        if (here := asyncio.current_task()) is not None:
            here.uncancel()
        return task.result()
