"""Commands about filed pictures."""

from __future__ import annotations

from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.tools.pictures import search_pictures
from bot.types import Words


async def pictures(context: Context, desk: Desk, rest: str) -> Words:
    """Find pictures, or list the newest."""
    return Words((await search_pictures(desk, {"words": rest})).text)


COMMANDS = {
    "/pictures": Command("找图：几个词，或最近的", "find pictures: some words, or the newest", pictures),
}
