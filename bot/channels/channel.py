"""What a channel must do: listen, send, show that work goes on. One file a channel, listed in `NAMES`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from bot.types import Incoming, Outgoing

if TYPE_CHECKING:  # who only hands a message to the running bot loads no database
    from bot.door import Door

Receive = Callable[[Incoming], Awaitable[bool]]
"""Store a message and have it handled. Returns when it is *stored* (True) or was heard before (False); only
then may a channel confirm it to its server. Raises `HomeUnwritable` when it could not be stored."""


class Channel(Protocol):
    """A way in and out."""

    @property
    def name(self) -> str:
        """The word in `NAMES` and in every row."""
        ...

    async def listen(self, receive: Receive) -> None:
        """Hear messages until cancelled. Network trouble is waited out inside, logged once, never raised."""
        ...

    async def send(self, outgoing: Outgoing) -> str:
        """Send one message, split if need be, and return the channel's id of (the last part of) it.

        Raises `SendDelayed` (try again later) or `SendRefused` (never).
        """
        ...

    async def typing(self, chat: str) -> None:
        """Show that work goes on. Never raises."""
        ...

    def health(self) -> str:
        """ "" when all is well, else one sentence that says what is not."""
        ...


@runtime_checkable
class HasDoor(Protocol):
    """A channel that strangers can write in."""

    def guard(self, door: Door) -> None:
        """From now on the door says who may talk."""
        ...


@runtime_checkable
class HasMenu(Protocol):
    """A channel that can show the commands there are."""

    async def offer_commands(
        self, commands: Sequence[tuple[str, str]], language: str = "", *, shared: bool = False, chat: str = ""
    ) -> None:
        """Show (name, description) of each. Waits out trouble.

        Args:
            commands: none = what all see in this place.
            language: of the interface of those who see them: "zh", "en", "" = everybody else.
            shared: only in groups.
            chat: only in this one, whatever the language of the interface.
        """
        ...


@runtime_checkable
class HasConnections(Protocol):
    """A channel that can send after it has stopped listening, until it is closed."""

    async def close(self) -> None:
        """Let go of every connection: the last message was sent."""
        ...


@runtime_checkable
class MayRecover(Protocol):
    """A channel that notices by itself when its server can be reached again."""

    def on_recovery(self, recovered: Callable[[], None]) -> None:
        """Call this then: what was put off need not wait any longer."""
        ...


Arrived = Callable[[Outgoing, str], Awaitable[None]]
"""Told that the first parts of a message have arrived, under a name that goes into `Outgoing.shown` after a crash."""


@runtime_checkable
class SendsParts(Protocol):
    """A channel that sends a long message as several."""

    def on_part(self, arrived: Arrived) -> None:
        """Call this after each part but the last: what has arrived is not sent again."""
        ...


@runtime_checkable
class HasDrafts(Protocol):
    """A channel that can show an answer while it grows, in a message that becomes the whole one."""

    def place(self, outgoing: Outgoing) -> str:
        """A name for the message that will be sent next in its chat, by which it can be found; "" = not there."""
        ...

    async def show(self, outgoing: Outgoing) -> str:
        """Show its words so far in the message that `outgoing.shown` names, and return that message's own name.

        Raises `SendDelayed` (not now) or `SendRefused` (no more). `send` with either name makes it the whole answer.
        """
        ...

    async def withdraw(self, outgoing: Outgoing) -> None:
        """Take away the message that `outgoing.shown` names. Raises as `send` does."""
        ...
