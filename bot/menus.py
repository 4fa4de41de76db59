"""The menus of commands that channels show: to each in their language, in groups only what shows nothing private."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bot.channels.channel import Channel, HasMenu
from bot.commands import menu
from bot.storage.preferences import Preferences
from bot.types import Language, Message

LANGUAGES: tuple[tuple[Language, str], ...] = (("en", ""), ("zh", "zh"))  # of a menu, whose interface sees it


class Menus:
    """One for the whole app."""

    def __init__(self, channels: Mapping[str, Channel], preferences: Preferences) -> None:
        self._channels = channels
        self._preferences = preferences
        self._offering: set[asyncio.Task[None]] = set()  # on their way to a chat

    async def offer(self, channel: HasMenu) -> None:
        """Show them in a channel, as a process begins."""
        for language, interface in LANGUAGES:
            await channel.offer_commands(menu(language), interface)
            await channel.offer_commands(menu(language, shared=True), interface, shared=True)

    def speak(self, message: Message) -> None:
        """A person has chosen a language in this chat, or that it be the one of their interface again."""
        channel = self._channels.get(message.channel)
        if isinstance(channel, HasMenu):
            language = self._preferences.language(message.person)
            commands = menu(language) if language else ()
            task = asyncio.create_task(
                channel.offer_commands(commands, chat=message.chat), name="menu-of-chat"
            )
            self._offering.add(task)
            task.add_done_callback(self._offering.discard)

    async def close(self) -> None:
        """Offer nothing more."""
        offering = tuple(self._offering)
        for task in offering:
            task.cancel()
        await asyncio.gather(*offering, return_exceptions=True)
