"""The buttons under a picture's receipt, and which pictures a button is about.

`place:7` offers categories, `to:7:3` puts picture 7 into category 3, `title:7` asks for a name, `delete:7` puts it into
the bin, and so does `unfile:7` where nothing was done to it that can be taken back. In the place of 7, `m12` means all
the pictures of message 12 and its album.
"""

from __future__ import annotations

from bot.types import Button, Language
from bot.wording import say


def receipt_buttons(language: Language, which: int | str, *, several: bool = False) -> tuple[Button, ...]:
    """What can be done with what was just filed: one picture by number, or an album as `m<message>`."""
    names = ("place", "delete", "unfile") if several else ("place", "title", "delete", "unfile")
    return tuple(Button(say(language, f"button.{name}"), f"{name}:{which}") for name in names)
