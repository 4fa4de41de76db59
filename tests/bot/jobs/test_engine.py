"""Hands for due rows: each row held once, tried again when that helps, taken up after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.care import Care
from bot.errors import AllowanceSpent, HomeUnwritable, KairosError, ModelUnavailable
from bot.jobs import engine
from bot.jobs.engine import Handler, Jobs, open_jobs
from bot.storage.beginnings import Work
from tests.fakes.app import eventually

Run = Callable[[int], Awaitable[None]]


class Done:
    """What hands did."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.given_up: list[tuple[int, str]] = []

    async def run(self, row: int) -> None:
        self.rows.append(row)

    async def give_up(self, row: int, why: str) -> None:
        self.given_up.append((row, why))


@asynccontextmanager
async def hands(home: Path, done: Done, run: Run | None = None, **more: object) -> AsyncIterator[Jobs]:
    await asyncio.to_thread(home.mkdir, exist_ok=True)
    options = {"tries": 3, "backoff": 0.01, "durable": False, **more}
    handler = Handler(run or done.run, done.give_up, **options)  # type: ignore[arg-type]
    async with open_jobs(home / "jobs.sqlite", {"file": handler}) as jobs:
        yield jobs


@pytest.mark.parametrize("durable", [False, True])
async def test_every_row_is_done(home: Path, durable: bool) -> None:
    done = Done()
    async with hands(home, done, durable=durable) as jobs:
        for row in range(5):
            await jobs.start("file", row)
        await eventually(lambda: len(done.rows) == 5)
    assert sorted(done.rows) == list(range(5))
    assert done.given_up == []


@pytest.mark.parametrize("durable", [False, True])
async def test_two_hands_never_hold_one_row(home: Path, durable: bool) -> None:
    done, holding, most = Done(), 0, 0

    async def run(row: int) -> None:
        nonlocal holding, most
        holding += 1
        most = max(most, holding)
        await asyncio.sleep(0.05)
        holding -= 1
        done.rows.append(row)

    async with hands(home, done, run, durable=durable, at_once=8) as jobs:
        await asyncio.gather(*(jobs.start("file", 7) for _ in range(6)))
        await eventually(lambda: done.rows and not jobs.held("file"))
        await asyncio.sleep(0.1)
    assert most == 1
    assert len(done.rows) >= 1


async def test_a_row_that_becomes_due_again_in_hand_is_looked_at_once_more(home: Path) -> None:
    done, seen = Done(), asyncio.Event()

    async def run(row: int) -> None:
        done.rows.append(row)
        seen.set()
        await asyncio.sleep(0.05)

    async with hands(home, done, run) as jobs:
        await jobs.start("file", 7)
        await seen.wait()
        for _ in range(3):
            await jobs.start("file", 7)
        await eventually(lambda: len(done.rows) == 2)
        await asyncio.sleep(0.1)
    assert done.rows == [7, 7]


async def test_no_more_at_once_than_said(home: Path) -> None:
    done, holding, most = Done(), 0, 0

    async def run(row: int) -> None:
        nonlocal holding, most
        holding += 1
        most = max(most, holding)
        await asyncio.sleep(0.01)
        holding -= 1
        done.rows.append(row)

    async with hands(home, done, run, at_once=2) as jobs:
        for row in range(10):
            await jobs.start("file", row)
        await eventually(lambda: len(done.rows) == 10)
    assert most == 2


@pytest.mark.parametrize("error", [ModelUnavailable("busy"), HomeUnwritable(), TimeoutError()])
async def test_what_may_pass_is_tried_again(home: Path, error: Exception) -> None:
    done = Done()

    async def run(row: int) -> None:
        done.rows.append(row)
        if len(done.rows) < 3:
            raise error

    async with hands(home, done, run) as jobs:
        await jobs.start("file", 1)
        await eventually(lambda: len(done.rows) == 3)
    assert done.given_up == []


@pytest.mark.parametrize(
    ("error", "tries", "why"),
    [
        (ModelUnavailable("busy"), 3, "busy"),
        (KairosError("never"), 1, "never"),
        (ZeroDivisionError("secret"), 1, ""),
    ],
)
async def test_what_never_works_is_given_up_with_words_for_people(
    home: Path, error: Exception, tries: int, why: str
) -> None:
    done = Done()

    async def run(row: int) -> None:
        done.rows.append(row)
        raise error

    with capture_logs():
        async with hands(home, done, run) as jobs:
            await jobs.start("file", 1)
            await eventually(lambda: done.given_up)
    assert (len(done.rows), done.given_up) == (tries, [(1, why)])


async def test_a_hand_that_hangs_is_let_go(home: Path) -> None:
    done = Done()

    async def run(row: int) -> None:
        done.rows.append(row)
        await asyncio.sleep(60)

    with capture_logs():
        async with hands(home, done, run, limit=0.05, tries=2) as jobs:
            await jobs.start("file", 1)
            await eventually(lambda: done.given_up)
    assert len(done.rows) == 2


async def test_the_disk_may_be_full_when_giving_up(home: Path) -> None:
    """The row stays due; the hand is free for the next one."""
    done = Done()

    class Full(Done):
        async def give_up(self, row: int, why: str) -> None:
            raise HomeUnwritable

    async def run(row: int) -> None:
        done.rows.append(row)
        raise KairosError("no") if row == 1 else KeyError("bug")

    with capture_logs() as logs:
        async with hands(home, Full(), run, at_once=1) as jobs:
            for row in (1, 2, 3):
                await jobs.start("file", row)
            await eventually(lambda: len(done.rows) == 3 and not jobs.held("file"))
    assert sum(each["action"] == "job_undecided" for each in logs) == 3


async def test_a_full_disk_is_waited_for_without_end_and_holds_up_nobody(home: Path) -> None:
    done, room = Done(), asyncio.Event()

    async def run(row: int) -> None:
        done.rows.append(row)
        if row == 1 and not room.is_set():
            raise HomeUnwritable

    with capture_logs():
        async with hands(home, done, run, at_once=1, tries=2) as jobs:
            await jobs.start("file", 1)
            await eventually(lambda: done.rows.count(1) > 3)
            await jobs.start("file", 2)
            await eventually(lambda: 2 in done.rows)
            room.set()
            await eventually(lambda: not jobs.held("file"))
    assert done.given_up == []


@pytest.mark.slow
async def test_what_was_in_hand_when_the_process_died_is_taken_up(home: Path) -> None:
    done = Done()

    async def forever(row: int) -> None:
        done.rows.append(row)
        await asyncio.sleep(60)

    async with hands(home, done, forever, durable=True) as jobs:
        await jobs.start("file", 5)
        await eventually(lambda: done.rows)
    done.rows.clear()
    async with hands(home, done, durable=True) as jobs:
        await jobs.start("file", 5)  # as the start of the app does with every due row
        await eventually(lambda: done.rows)
        await asyncio.sleep(0.3)
    assert set(done.rows) == {5}


async def test_ended_hands_are_forgotten_and_their_room_is_given_back(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held() -> tuple[int, int]:
        with contextlib.closing(sqlite3.connect(home / "jobs.sqlite")) as file:
            [count] = file.execute("SELECT count(*) FROM workflow_status").fetchone()
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count, (home / "jobs.sqlite").stat().st_size

    monkeypatch.setattr(engine, "_TIDIED", 10_000)  # as before anything was forgotten
    done = Done()
    async with hands(home, done, durable=True) as jobs:
        for row in range(150):
            await jobs.start("file", row)
        await eventually(lambda: len(done.rows) == 150)
    # as thousands of ended hands leave it
    with contextlib.closing(sqlite3.connect(home / "jobs.sqlite")) as file:
        file.executescript(
            "CREATE TABLE much AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
            "SELECT randomblob(400) FROM n; DROP TABLE much"
        )
    many, large = held()
    assert many > 100, "all but those that ended before the first look"
    async with hands(home, done, durable=True) as jobs:
        await jobs.start("file", 150)
        await eventually(lambda: len(done.rows) == 151)
    few, small = held()
    assert few <= 1
    assert small < large / 2
    async with hands(home, done, durable=True) as jobs:  # and what is due is still taken up
        await jobs.start("file", 5)
        await eventually(lambda: len(done.rows) == 152)


async def test_stopping_starts_nothing_more_and_leaves_nothing_behind(home: Path) -> None:
    done, before = Done(), asyncio.all_tasks()

    async def slow(row: int) -> None:
        await asyncio.sleep(0.05)
        done.rows.append(row)

    async with hands(home, done, slow) as jobs:
        await jobs.start("file", 1)
        await asyncio.sleep(0.01)
    await jobs.start("file", 2)
    await asyncio.sleep(0.01)
    assert done.rows == [1]
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize("folder", ["with space", "what?x=1", "100%25", "文件夹"])
async def test_any_folder_name_will_do(tmp_path: Path, folder: str) -> None:
    done = Done()
    async with hands(tmp_path / folder, done, durable=True) as jobs:
        await jobs.start("file", 1)
        await eventually(lambda: done.rows)
    assert (tmp_path / folder / "jobs.sqlite").exists()


async def test_a_home_that_cannot_be_written_costs_only_durability(tmp_path: Path) -> None:
    done, home = Done(), tmp_path / "home"
    home.mkdir()
    (home / "jobs.sqlite").mkdir()
    with capture_logs():
        async with hands(home, done, durable=True) as jobs:
            for row in (1, 2):
                await jobs.start("file", row)
            await eventually(lambda: len(done.rows) == 2)
    async with hands(tmp_path / "well", done, durable=True) as jobs:
        await jobs.start("file", 3)
        await eventually(lambda: len(done.rows) == 3)
    assert sorted(done.rows) == [1, 2, 3]


async def test_the_librarys_own_words_go_to_our_log_not_to_the_screen(
    home: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    done = Done()
    async with hands(home, done, durable=True) as jobs:
        await jobs.start("file", 1)
        await eventually(lambda: done.rows)
        logging.getLogger("dbos").error("trouble inside")
    assert "trouble inside" not in capfd.readouterr().err
    assert "trouble inside" in caplog.text


async def test_what_waits_for_its_next_try_is_seen(home: Path) -> None:
    done, seen = Done(), []

    async def waits(kind: str, row: int, seconds: float, why: str) -> None:
        seen.append((kind, row, seconds, why))

    async def run(row: int) -> None:
        done.rows.append(row)
        if len(done.rows) == 1:
            raise ModelUnavailable("busy", retry_after=0.02)

    async with hands(home, done, run) as jobs:
        jobs.waits = waits
        await jobs.start("file", 7)
        await eventually(lambda: len(done.rows) == 2)
    assert seen == [("file", 7, 0.02, "busy"), ("file", 7, 0, "")]


async def test_only_what_is_worked_on_is_in_hand(home: Path) -> None:
    done, go = Done(), asyncio.Event()

    async def run(row: int) -> None:
        done.rows.append(row)
        await go.wait()

    async with hands(home, done, run, at_once=1) as jobs:
        for row in (1, 2):
            await jobs.start("file", row)
        await eventually(lambda: done.rows)
        assert jobs.in_hand == {"file": {1}}
        assert jobs.held("file") == 2
        go.set()
        await eventually(lambda: len(done.rows) == 2)
    assert jobs.in_hand == {"file": set()}


async def test_without_an_allowance_a_row_waits_and_loses_no_try(home: Path) -> None:
    done, spent, waits = Done(), [0.02] * 5, list[tuple[float, str]]()

    async def run(row: int) -> None:
        if spent:
            raise AllowanceSpent("tomorrow", retry_after=spent.pop())
        done.rows.append(row)

    async def waiting(kind: str, row: int, seconds: float, why: str) -> None:
        waits.append((seconds, why))

    async with hands(home, done, run, tries=1) as jobs:
        jobs.waits = waiting
        await jobs.start("file", 7)
        await eventually(lambda: done.rows)
    assert done.given_up == []
    assert waits[:2] == [(0.02, "tomorrow"), (0, "")]


@pytest.mark.parametrize("own", [True, False])
async def test_a_row_that_ended_the_process_each_time_is_never_begun(home: Path, own: bool) -> None:
    class Deadly(Care):
        def deadly(self, work: Work) -> bool:
            return work == ("file", 7)

    done, aside = Done(), []

    async def put_aside(row: int) -> None:
        aside.append(row)

    async with hands(home, done, put_aside=put_aside if own else None) as jobs:
        jobs.care = Deadly()
        await jobs.start("file", 7)
        await jobs.start("file", 8)
        await eventually(lambda: done.rows and not jobs.held("file"))
    assert (done.rows, aside, done.given_up) == ([8], [7] if own else [], [] if own else [(7, "")])
