"""What waits for a moment, seen from any process."""

from __future__ import annotations

from datetime import timedelta

from bot.storage.pauses import Pause
from tests.bot.desks import NOW, Rig


async def test_a_pause_stands_until_its_moment(rig: Rig) -> None:
    pauses, later = rig.storage.pauses, NOW + timedelta(seconds=30)
    await pauses.put("model:api.example.com", NOW + timedelta(seconds=5))
    await pauses.put("model:api.example.com", later)
    await pauses.put("file:7", NOW + timedelta(seconds=10), "busy")
    assert await pauses.standing(NOW) == [
        Pause("file:7", NOW + timedelta(seconds=10), "busy"),
        Pause("model:api.example.com", later, ""),
    ]
    assert [each.matter for each in await pauses.standing(NOW + timedelta(seconds=10))] == [
        "model:api.example.com"
    ]
    assert await pauses.standing(later) == []


async def test_a_start_tries_all_jobs_at_once_and_leaves_providers_alone(rig: Rig) -> None:
    pauses = rig.storage.pauses
    for matter in ("model:a", "file:1", "extract:2"):
        await pauses.put(matter, NOW + timedelta(minutes=1))
    await pauses.forget_jobs()
    assert [each.matter for each in await pauses.standing(NOW)] == ["model:a"]
    await pauses.lift("model:a")
    assert await pauses.standing(NOW) == []
