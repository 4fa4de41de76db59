"""The whole assistant, opened as the service opens it, with a fake channel in place of a messenger."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.app import App, Finished, open_app
from bot.models.model import Model
from bot.settings import Settings
from tests.fakes.channel import FakeChannel


class Talk:
    """A running assistant and the channel one talks to it through."""

    def __init__(self, app: App, channel: FakeChannel) -> None:
        self.app = app
        self.channel = channel

    async def say(self, text: str = "", *pictures: bytes, **more: Any) -> list[str]:
        """Say something, wait until all its work has ended, and return what was said back."""
        before = len(self.channel.sent)
        await self.done(await self.channel.say(text, *pictures, **more))
        return [outgoing.text for outgoing in self.channel.sent[before:]]

    async def done(self, name: tuple[str, str, str]) -> Finished:
        """Wait until a message's work has ended."""
        async with asyncio.timeout(60):
            return await self.app.finished(*name)

    def core(self, person: str = "me") -> str:
        """CORE.md as it stands on disk, "" while there is none."""
        path = self.app.settings.home / person / "CORE.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""


@asynccontextmanager
async def opened(
    home: Path,
    model: Model | None = None,
    *,
    channel: FakeChannel | None = None,
    now: Callable[[], datetime] | None = None,
    **settings: Any,
) -> AsyncIterator[Talk]:
    """Open the assistant in `home`; leaving stops it as a signal would."""
    channel = channel or FakeChannel()
    given = await asyncio.to_thread(Settings.load, home, {}, timezone="Asia/Shanghai", **settings)
    async with open_app(given, model=model, channels=[channel], now=now) as app:
        ears = asyncio.create_task(app.listen())
        try:
            yield Talk(app, channel)
        finally:
            ears.cancel()
            with suppress(asyncio.CancelledError):
                await ears


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be sent is tried again at once."""
    monkeypatch.setattr("bot.channels.outbox.FIRST_WAIT", 0.02)


@pytest.fixture
def open_talk() -> Any:
    """`async with open_talk(home) as talk: await talk.say(…)`."""
    return opened
