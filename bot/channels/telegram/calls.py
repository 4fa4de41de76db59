"""A call of the Bot API, as those who send and listen know it: its parameters, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bot.errors import SendDelayed, SendRefused


class Flooded(SendDelayed):
    """Telegram wants us to wait with this chat."""


class Lost(SendDelayed):
    """No answer came. `maybe_taken`: the request may have been carried out all the same."""

    def __init__(self, message: str = "", *, maybe_taken: bool) -> None:
        super().__init__(message, retry_after=None)
        self.maybe_taken = maybe_taken


class TokenRefused(SendDelayed):
    """Telegram does not know the token, or not the method."""


class Unusable(SendDelayed):
    """The settings make no connection; the message says which."""


class Contested(SendDelayed):
    """Another program receives with the same token, or a webhook is set."""


class BadRequest(SendRefused):
    """Telegram refuses these very parameters."""


class Migrated(SendRefused):
    """The group has another id now."""

    def __init__(self, chat: int) -> None:
        super().__init__()
        self.chat = chat


@dataclass(frozen=True, slots=True)
class FileOut:
    """A file among the parameters of a call."""

    data: bytes
    name: str


AlbumOut = tuple[tuple[str, FileOut], ...]
"""Pictures among the parameters of a call, each with its caption."""

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a method of the Bot API. Raises the errors above, or `SendRefused`."""
