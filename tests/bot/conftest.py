"""What several tests of the bot stand on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import structlog

from bot import logs
from tests.bot.desks import Rig, open_rig
from tests.bot.servers import KINDS, FreshUrl, fresh_urls


@pytest.fixture(params=KINDS)
def fresh_url(request: pytest.FixtureRequest) -> Iterator[FreshUrl]:
    """Makes databases; a test that asks for it runs on each kind there is."""
    with fresh_urls(request.param) as fresh:
        yield fresh


@pytest.fixture
async def rig(home: Path, fresh_url: FreshUrl) -> AsyncIterator[Rig]:
    """A home with its storage and people."""
    async with open_rig(home, database_url=fresh_url()) as opened:
        yield opened


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make the waits between tries a hundredth of what they are."""

    def shorten() -> None:
        monkeypatch.setattr("bot.channels.outbox.FIRST_WAIT", 0.01)
        monkeypatch.setattr("bot.channels.outbox.GRACE", 0.1)
        monkeypatch.setattr("bot.turns._FIRST_WAIT", 0.01)

    return shorten


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """Commands silence or redirect the log of the whole process; the next test has it back."""
    root = logging.getLogger()
    level = root.level
    yield
    logs.close()
    structlog.reset_defaults()
    root.setLevel(level)
