"""Settings: constructor over environment over `<home>/settings.toml`, read once and then frozen."""

from bot.settings.prices import Price
from bot.settings.servers import McpServer
from bot.settings.settings import OPENAI_URL, OWNER, TELEGRAM_URL, Endpoint, Settings, home_of, save

__all__ = [
    "OPENAI_URL",
    "OWNER",
    "TELEGRAM_URL",
    "Endpoint",
    "McpServer",
    "Price",
    "Settings",
    "home_of",
    "save",
]
