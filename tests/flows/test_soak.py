"""The soak of `make soak`, small: people who talk at once, faults of every server, four deaths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.soak import Plan, soak, told

pytestmark = [pytest.mark.slow, pytest.mark.timeout(420)]


async def test_nothing_is_lost_out_of_order_or_answered_twice(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = await soak(home, Plan(people=5, messages=20, kill_every=15, kills=4, pictures=0.0))
    with capsys.disabled():
        print("\n" + "\n".join(told(counts)))
    assert (counts.said, counts.kills, counts.pictures) == (100, 4, 5)
    assert (counts.lost, counts.out_of_order, counts.twice_wrongly, counts.left) == ([], [], [], [])
    assert counts.answered == 95
    assert counts.filed == counts.pictures
