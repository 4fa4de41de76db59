"""The tool that serves words about filed pictures where no model chooses: rename, delete, restore, merge, show."""

from __future__ import annotations

import re
from typing import Any

from classifiers.asked import Asked, deletes_newest, read_asked, read_merge

_SHOW = re.compile(
    r"^(?:请|麻烦|帮我|给我|你)*(?:把|将)?\s*(?:图片?|截图|照片)?\s*(?:[#＃]|第)\s*(?P<a>\d{1,6})\s*[张号]?\s*(?:原?图|照片|截图)?"
    r"(?:发|传|拿|给)(?:给|来|过来|出来)?(?:我|出来)?(?:看看|看|一下|吧)*$|"
    r"^(?:请|麻烦|帮我|给我)*(?:发|传|看|给我看|打开)(?:给我|我|一下|看看)*\s*(?:[#＃]|第)\s*(?P<b>\d{1,6})\s*[张号]?(?:图|吧)*$|"
    r"^(?:please\s+|can you\s+|could you\s+)?(?:show|send|give|open)\s+(?:me\s+)?(?:the\s+)?"
    r"(?:picture|photo|screenshot|image)?\s*(?:#|number\s|no\.?\s)?\s*(?P<c>\d{1,6})(?:\s+please)?$",
    re.IGNORECASE,
)
_DEEDS = {"rename": "rename_picture", "delete": "delete_picture", "restore": "restore_picture"}


def planned(typed: str, *, before: bool) -> tuple[str, dict[str, Any]] | None:
    """(tool, its arguments); None when the words ask for none of these.

    Args:
        before: the words follow a picture, so that they may mean it without naming it.
    """
    if shown := _SHOW.match(typed.strip(" 。.!！?？")):
        return "show_picture", {"number": shown["a"] or shown["b"] or shown["c"]}
    if merged := read_merge(typed):
        return "merge_categories", {"old": merged[0], "new": merged[1]}
    if deletes_newest(typed):
        return "delete_picture", {"number": "newest"}
    asked = read_asked(typed, ())
    if asked is None:
        return None
    if asked.deed == "move":
        several = len(asked.numbers) > 1  # one is moved as ever, after a look at what else the words say
        return ("move_picture", {"numbers": list(asked.numbers), "category": asked.to}) if several else None
    return _of_deed(asked, before)


def _of_deed(asked: Asked, before: bool) -> tuple[str, dict[str, Any]] | None:
    tool = _DEEDS.get(asked.deed)
    if tool is None or not (asked.numbers or (asked.deed == "rename" and before)):
        return None
    which: dict[str, Any] = {"numbers": list(asked.numbers)} if asked.numbers else {}
    if asked.deed == "rename":
        which = {"number": asked.numbers[0]} if asked.numbers else {}
        which["title"] = asked.to
    return tool, which
