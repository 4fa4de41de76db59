"""What several tests of the bot stand on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.desks import Rig, open_rig


@pytest.fixture
async def rig(home: Path) -> AsyncIterator[Rig]:
    """A home with its storage and people."""
    async with open_rig(home) as opened:
        yield opened
