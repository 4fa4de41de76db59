"""A filing that is killed at each of its steps in turn."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from tests.bot.desks import open_rig
from tests.bot.jobs.test_filing import job, lying, picture, told
from tests.bot.servers import FreshUrl
from tests.bot.storage.dying import Death, Killed


@pytest.mark.slow
async def test_killed_at_any_step_it_is_filed_once_and_told_once(tmp_path: Path, fresh_url: FreshUrl) -> None:
    for at in range(1, 60):
        async with open_rig(tmp_path / f"first{at}", database_url=fresh_url()) as rig:
            row_id, death = await picture(rig), Death(at)
            with suppress(Killed):
                await job(rig, death)[0].run(row_id)
            await job(rig)[0].run(row_id)
            assert await told(rig) == ["已存档 #1【A】《title》"]
            assert lying(rig) == ["archive/A/2026-09-01 title #1.png"]
            assert (await rig.storage.filings.get(row_id)).state == "filed"
            if death.steps < at:
                return
    pytest.fail("it has more steps than were tried")


@pytest.mark.slow
async def test_killed_while_judged_again_the_move_is_told_once(tmp_path: Path, fresh_url: FreshUrl) -> None:
    """And its bytes are found although the blob was let go long ago."""
    for at in range(1, 60):
        async with open_rig(tmp_path / f"again{at}", database_url=fresh_url()) as rig:
            row_id, death = await picture(rig), Death(at)
            await job(rig)[0].run(row_id)
            await rig.storage.filings.update(row_id, state="due")
            await rig.storage.blobs.keep_only(set())
            with suppress(Killed):
                await job(rig, death, category="B", version="v2")[0].run(row_id)
            await job(rig, category="B", version="v2")[0].run(row_id)
            assert await told(rig) == ["已存档 #1【A】《title》", "按新规则重新归档：#1【B】《title》"]
            assert lying(rig) == ["archive/B/2026-09-01 title #1.png"]
            row = await rig.storage.filings.get(row_id)
            assert (row.state, row.category, row.rules_seen, row.leaving) == ("filed", "B", "v2", ())
            if death.steps < at:
                return
    pytest.fail("it has more steps than were tried")
