"""Telegram: a bot's chats.

In: `polling` or `webhook` → `listening` → `reading`, with `addressing` in groups, `pasting` of a text that was cut,
`strangers` whom nobody let in. Out: `sending` → `parts`, with `drafts` that grow and `ids` of what may have arrived.
Below both: `calls`, which `api` makes, and it alone knows the library. `telegram` makes a channel of it all.
"""

from bot.channels.telegram.telegram import TelegramChannel
from bot.channels.telegram.webhook import Webhook

__all__ = ["TelegramChannel", "Webhook"]
