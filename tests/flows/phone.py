"""The whole assistant on a fake Telegram, in one process: what a person does on their phone, and what they see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from bot.app import App, open_app
from bot.channels.telegram import TelegramChannel
from bot.channels.telegram.timings import Timings
from bot.models.model import Model
from bot.settings import Settings
from bot.tools import Tool
from tests.fakes.telegram_chats import Sent
from tests.fakes.telegram_server import FakeTelegram

OWNER, FRIEND, STRANGER = 7, 8, 99
QUICK = Timings(
    poll=2.0,
    first_wait=0.02,
    longest_wait=0.1,
    contested=0.05,
    settled=0.3,
    token=0.1,
    answer=1.0,
    file=1.0,
    slow=0.02,
    paste=0.4,
    behind=5.0,  # as patient as real life: on a busy machine a picture needs its time, and order is what is tested
)


class Phone:
    """What a test holds: the server with everything people see, and the assistant behind it."""

    def __init__(self, tg: FakeTelegram, app: App, channel: TelegramChannel) -> None:
        self.tg = tg
        self.app = app
        self.channel = channel

    @property
    def home(self) -> Path:
        """Where everything lies."""
        return self.app.settings.home

    def texts(self, user: int = OWNER) -> list[str]:
        """The words of the bot in somebody's chat."""
        return [sent.text for sent in self.tg.sent(user)]

    async def ended(self, update: dict[str, Any], seconds: float = 30) -> None:
        """Wait until all that an update set off has ended and was sent."""
        body = update.get("message")
        chat = (body or update["callback_query"]["message"])["chat"]["id"]
        name = str(body["message_id"]) if body else f"press-{update['callback_query']['id']}"
        async with asyncio.timeout(seconds):
            while await self.app.storage.messages.find("telegram", str(chat), name) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            await self.app.finished("telegram", str(chat), name)

    async def new(self, update: dict[str, Any], user: int = OWNER) -> list[Sent]:
        """What the bot says to an update, once all that it set off has ended."""
        seen = {sent.id for sent in self.tg.sent(user)}
        await self.ended(update)
        return [sent for sent in self.tg.sent(user) if sent.id not in seen]

    async def say(self, text: str, user: int = OWNER, **more: Any) -> list[Sent]:
        """Write, wait for the end, and see what came back."""
        return await self.new(self.tg.say(user, text, **more), user)

    async def photo(self, data: bytes, user: int = OWNER, **more: Any) -> list[Sent]:
        """Send a picture, wait for the end, and see what came back."""
        return await self.new(self.tg.photo(user, data, **more), user)

    async def press(self, sent: Sent, nth: int = 0) -> list[Sent]:
        """Press a button under a message."""
        buttons = [button for row in sent.buttons for button in row]
        return await self.new(self.tg.press(sent.chat, sent.id, buttons[nth]["callback_data"]), sent.chat)

    def core(self, person: str = "me") -> str:
        """CORE.md as it lies on disk."""
        path = self.home / person / "CORE.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def people(self) -> list[str]:
        """Who has a folder."""
        return sorted(
            path.parent.name for path in self.home.glob("*/*") if path.parent.name.startswith(("me", "tg-"))
        )

    def pictures(self, person: str = "me") -> list[str]:
        """Every file in a person's archive but the sidecars, below it."""
        root = self.home / person / "archive"
        files = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
        return sorted(file for file in files if not file.endswith(".md"))


@asynccontextmanager
async def running(
    tg: FakeTelegram,
    home: Path,
    model: Model | None = None,
    /,
    *,
    now: Callable[[], Any] | None = None,
    tools: Sequence[Tool] = (),
    **given: Any,
) -> AsyncIterator[Phone]:
    """The assistant on a server that is there already; leaving stops it as a signal would."""
    given = {"timezone": "Asia/Shanghai", "telegram_allowed": f"{OWNER},{FRIEND}", **given}
    settings = await asyncio.to_thread(Settings.load, home, {}, **given)
    people = {number: settings.person(number) or "" for number in settings.telegram_allowed}
    hears = settings.transcriber() is not None
    channel = TelegramChannel(tg.token, tg.root, people=people, language="en", timings=QUICK, hears=hears)
    async with open_app(settings, model=model, channels=[channel], now=now, tools=tools) as app:
        ears = asyncio.create_task(app.listen())
        try:
            yield Phone(tg, app, channel)
        finally:
            ears.cancel()
            with suppress(asyncio.CancelledError):
                await ears


@asynccontextmanager
async def telegram(home: Path, model: Model | None = None, /, **given: Any) -> AsyncIterator[Phone]:
    """A server and the assistant on it."""
    async with FakeTelegram() as tg, running(tg, home, model, **given) as phone:
        yield phone
