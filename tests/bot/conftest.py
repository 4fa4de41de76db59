"""What several tests of the bot stand on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

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
