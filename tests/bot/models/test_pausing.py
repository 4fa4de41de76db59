"""A provider that asks for patience is left alone until then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.models.model import Prompt
from bot.models.pausing import Pausing, Providers
from bot.models.scripted import Line, Scripted

HI = Prompt("")
START = datetime(2026, 9, 1, tzinfo=UTC)
URL = "https://key@api.example.com/v1"


class Rig:
    """A provider with its clock."""

    def __init__(self, *lines: Line) -> None:
        self.now = START
        self.noted: list[tuple[str, float]] = []
        self.providers = Providers(lambda: self.now, self.note)
        self.model = Scripted(*lines)
        self.pausing = Pausing(self.model, URL, self.providers)

    async def note(self, host: str, until: datetime) -> None:
        self.noted.append((host, (until - START).total_seconds()))

    async def refused(self) -> float | None:
        with pytest.raises(ModelUnavailable) as caught:
            await self.pausing.generate(HI)
        return caught.value.retry_after


async def test_429_with_a_time_is_asked_once() -> None:
    rig = Rig(ModelUnavailable(code="busy", retry_after=30), "well again")
    assert await rig.refused() == 30
    rig.now += timedelta(seconds=10)
    assert await rig.refused() == 20
    assert len(rig.model.prompts) == 1
    assert rig.noted == [("api.example.com (scripted)", 30.0)]
    other = Pausing(Scripted("hi"), "https://elsewhere.example.com", rig.providers)
    assert (await other.generate(HI)).text == "hi", "others are not paused"
    rig.now += timedelta(seconds=20)
    assert (await rig.pausing.generate(HI)).text == "well again"


async def test_without_a_time_the_third_in_a_row_pauses_ever_longer() -> None:
    rig = Rig(*[ModelUnavailable(code="busy")] * 5)
    for _ in range(3):
        await rig.refused()
    assert rig.noted == [("api.example.com (scripted)", 30.0)]
    rig.now += timedelta(seconds=31)
    await rig.refused()
    assert rig.noted[-1] == ("api.example.com (scripted)", 91.0)
    assert len(rig.model.prompts) == 4


async def test_an_answer_between_two_refusals_starts_the_count_anew() -> None:
    busy = ModelUnavailable(code="busy")
    rig = Rig(busy, busy, "ok", busy, busy)
    for _ in range(2):
        await rig.refused()
    await rig.pausing.generate(HI)
    for _ in range(2):
        await rig.refused()
    assert rig.noted == []


@pytest.mark.parametrize(
    "error", [ModelUnavailable(code="unreachable", retry_after=9), ModelRefused(code="quota")]
)
async def test_other_trouble_pauses_nobody(error: Exception) -> None:
    rig = Rig(error, "ok")
    with pytest.raises(type(error)):
        await rig.pausing.generate(HI)
    assert (await rig.pausing.generate(HI)).text == "ok"


async def test_no_server_silences_us_for_days_and_a_restart_remembers() -> None:
    rig = Rig(ModelUnavailable(code="busy", retry_after=1e6))
    await rig.refused()
    assert rig.noted == [("api.example.com (scripted)", 3600.0)]
    again = Rig("ok")
    again.providers.restore("api.example.com (scripted)", START + timedelta(seconds=40))
    assert await again.refused() == 40
    assert again.model.prompts == []
