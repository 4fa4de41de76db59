"""The one-time code that pairs the owner's Telegram account, made where its owner sits: at the machine."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.channels.telegram.reading import NAME
from bot.door import Door
from bot.errors import HomeError
from bot.settings import Settings
from bot.storage import open_storage


async def owners_code(settings: Settings) -> str:
    """A code, "" where the owner can talk already or nothing can be stored now; `kairos run` shows one then too."""
    try:
        async with open_storage(settings, lambda: datetime.now(UTC)) as storage:
            door = Door(storage, settings, lambda: datetime.now(UTC))
            await door.open()
            door.known(NAME)
            return await door.code_if_needed()
    except HomeError:
        return ""
