"""The bell that ends waiting."""

from __future__ import annotations

import asyncio

from bot.progress import Progress


async def test_reached_already_waits_for_nothing() -> None:
    async def reached() -> bool:
        return True

    assert await Progress().until(reached)


async def test_every_ring_makes_everybody_look_again() -> None:
    progress, left = Progress(), 3

    async def reached() -> bool:
        return left <= 0

    waiting = [asyncio.create_task(progress.until(reached)) for _ in range(5)]
    for _ in range(3):
        await asyncio.sleep(0)
        left -= 1
        progress.ring()
    assert await asyncio.gather(*waiting) == [True] * 5


async def test_a_ring_while_looking_is_heard() -> None:
    """What ends between the look and the wait must not be missed."""
    progress, looks = Progress(), 0

    async def reached() -> bool:
        nonlocal looks
        looks += 1
        if looks == 1:
            progress.ring()
            return False
        return True

    async with asyncio.timeout(2):
        assert await progress.until(reached)


async def test_patience_ends() -> None:
    async def reached() -> bool:
        return False

    assert not await Progress().until(reached, seconds=0.02)
