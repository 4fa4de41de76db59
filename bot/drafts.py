"""Drafts: what is shown in a channel before it is whole, in one message that becomes the whole one in the end.

The record of a draft only tells the outbox which message that is; whatever happens to a draft, what it was to become
is stored and sent as any other message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bot.channels.channel import Channel, HasDrafts
from bot.channels.outbox import nobody
from bot.errors import SendRefused
from bot.storage.drafts import DraftRows, apart
from bot.storage.messages import Messages
from bot.types import Message, Outgoing


class Drafts:
    """One for the whole app, in the channels that can show them."""

    def __init__(
        self,
        messages: Messages,
        rows: DraftRows,
        channels: Mapping[str, Channel],
        barred: Callable[[Outgoing], bool] = nobody,
    ) -> None:
        """`barred`: as the outbox's."""
        self._barred = barred
        self._messages = messages
        self._rows = rows
        self._channels = channels

    def channel_of(self, message: Message) -> HasDrafts | None:
        """The message's channel; None where no drafts can be shown."""
        channel = self._channels.get(message.channel)
        return channel if isinstance(channel, HasDrafts) else None

    def begun(self, burst: Sequence[Message]) -> Message | None:
        """The message of a burst whose answer has begun to be shown."""
        begun = self._rows.of(burst)
        return next((each for each in burst if each.id in begun), None)

    async def show(self, channel: HasDrafts, about: Message, words: str, *, beside: bool = False) -> bool:
        """Show these words as the beginning of the answer to a message; False where its chat has no place for them.

        `beside`: not of the answer, but of what is said about the message beside it. Raises `SendDelayed` (not now),
        `SendRefused` (no more) or `HomeUnwritable`.
        """
        key = replace(about, id=apart(about.id)) if beside else about
        shown = self._rows.of([key]).get(key.id, "")
        asked = await self._messages.outside(about.id)
        draft = Outgoing(
            -about.id,
            about.channel,
            about.chat,
            words,
            reply_to=asked,
            about=about.id,
            person=about.person,
            shown=shown,
        )
        if self._barred(draft):
            raise SendRefused("its person may not talk with us any more")
        if not shown:
            draft = replace(draft, arrived=await self._rows.arrived(about.channel, about.chat))
            shown = channel.place(draft)
            if not shown:
                return False
            await self._rows.begin(key, shown)
        name = await channel.show(replace(draft, shown=shown))
        if name != shown:
            await self._rows.found(key, name)
        return True
