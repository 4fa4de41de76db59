"""Ways in and out. A file or a package a channel, and its line in `NAMES`."""

from __future__ import annotations

from collections.abc import Callable

from bot.channels.channel import Channel
from bot.settings import Settings
from bot.types import Language


def _telegram(settings: Settings, language: Language) -> Channel | None:
    from bot.channels.telegram import TelegramChannel, Webhook

    if not (token := settings.telegram_token.get_secret_value()):
        return None
    people = {number: settings.person(number) or "" for number in settings.telegram_allowed}
    hears = settings.transcriber() is not None
    host, _, port = settings.telegram_webhook_listen.rpartition(":")
    url = settings.telegram_webhook_url
    return TelegramChannel(
        token,
        settings.telegram_base_url,
        people=people,
        language=language,
        hears=hears,
        webhook=Webhook(url, host.strip("[]"), int(port)) if url else None,
    )


def _terminal(settings: Settings, language: Language) -> Channel:
    from bot.channels.terminal import TerminalChannel

    return TerminalChannel(settings.home, language=language)


NAMES: dict[str, Callable[[Settings, Language], Channel | None]] = {
    "telegram": _telegram,
    "terminal": _terminal,
}
"""Channel → makes it from the settings; None when it is not configured."""


def configured(settings: Settings, language: Language) -> list[Channel]:
    """Every channel that the settings speak of; the terminal always is one. Raises `SettingsError`."""
    made = [make(settings, language) for make in NAMES.values()]
    return [channel for channel in made if channel is not None]
