"""What several tests of the bot stand on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import structlog

from bot import logs
from tests.bot.desks import Rig, open_rig


@pytest.fixture
async def rig(home: Path) -> AsyncIterator[Rig]:
    """A home with its storage and people."""
    async with open_rig(home) as opened:
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
