"""Whether it is us who is spoken to in a group: by name, by a command, or in reply."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

_ALBUMS = 100  # remembered; the parts of one come within seconds


class Ours:
    """What is said to us in groups: our name there, and the albums of which one part was for us."""

    def __init__(self) -> None:
        self.name = ""  # our user name in lower case, once it is known
        self._albums: deque[tuple[int, str]] = deque(maxlen=_ALBUMS)

    def words(self, message: Json, typed: str) -> str | None:
        """As `addressed`; the parts of an album that follow the one that spoke to us belong to it."""
        found = addressed(message, typed, self.name)
        if album := message.get("media_group_id"):
            whole = (message["chat"]["id"], str(album))
            if found is not None:
                self._albums.append(whole)
            elif whole in self._albums:
                return typed
        return found


def addressed(message: Json, typed: str, me: str) -> str | None:
    """The words without our name, or None when somebody else is spoken to.

    What is a name or a command is told by Telegram's entities: one that stands in code, in an address or in a longer
    name is none. `me`: our user name in lower case, "" while it is not known.
    """
    units = typed.encode("utf-16-le")  # entities count in UTF-16
    command = False
    for kind, start, end in _entities(message):
        word = units[2 * start : 2 * end].decode("utf-16-le", "replace")
        name = word.rpartition("@")[2].lower() if "@" in word else ""
        if kind == "bot_command" and start == 0:
            if name and name != me:
                return None
            command = True
        if name and name == me:
            whose = word.partition("@")[0]  # of a command: the command itself
            before = units[: 2 * start].decode("utf-16-le", "replace") + whose
            return _joined(before, units[2 * end :].decode("utf-16-le", "replace"))
    return typed if command or _replied(message, me) else None


def _entities(message: Json) -> Iterator[tuple[str, int, int]]:
    """(type, first UTF-16 unit, the one after the last) of names and commands, in order."""
    for each in message.get("entities") or message.get("caption_entities") or ():
        if each["type"] in ("mention", "bot_command"):
            yield each["type"], each["offset"], each["offset"] + each["length"]


def _replied(message: Json, me: str) -> bool:
    """Whether it answers something of ours; what every message in a topic carries is no reply of anybody's."""
    reply = message.get("reply_to_message") or {}
    implicit = "forum_topic_created" in reply or reply.get("message_id") == message.get("message_thread_id")
    return bool(me) and not implicit and str(reply.get("from", {}).get("username", "")).lower() == me


def _joined(before: str, after: str) -> str:
    """The words around our name, as if it had not been there: no comma after it, no gap."""
    before, after = before.rstrip(" "), after.lstrip(" ,，:：、")
    return f"{before} {after}".strip() if after else before.strip()
