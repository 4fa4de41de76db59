"""What can be done for a person, by kind: what a tool does, and what an answer may claim was done."""

from __future__ import annotations

from enum import StrEnum

from bot.tools.tool import Result


class Deed(StrEnum):
    """Kinds of deeds. An answer may only claim one that a tool of this kind has done."""

    KEPT = "kept"  # something is in memory: saved, noted, a rule changed
    FORGOTTEN = "forgotten"  # something is out of memory
    PICTURE = "picture"  # a picture was filed, moved, renamed, deleted
    UNDONE = "undone"  # something was taken back
    SCHEDULED = "scheduled"  # a reminder, a date, a task
    SENT = "sent"  # a message to somebody else
    SEARCHED = "searched"  # memory, pictures or talk were looked through
    BROWSED = "browsed"  # the web was
    OUTSIDE = "outside"  # booked, bought, called, submitted: done out in the world


ANYTHING = frozenset(Deed)
_CHANGES = frozenset({Deed.KEPT, Deed.FORGOTTEN, Deed.PICTURE, Deed.UNDONE})
_LOOKS = frozenset({Deed.SEARCHED})

DOES: dict[str, frozenset[Deed]] = {
    "remember": frozenset({Deed.KEPT}),
    "revise_memory": frozenset({Deed.KEPT, Deed.FORGOTTEN}),
    "forget": frozenset({Deed.FORGOTTEN}),
    "undo": _CHANGES,
    "move_picture": frozenset({Deed.PICTURE}),
    "rename_picture": frozenset({Deed.PICTURE}),
    "delete_picture": frozenset({Deed.PICTURE}),
    "restore_picture": frozenset({Deed.PICTURE, Deed.UNDONE}),
    "merge_categories": frozenset({Deed.PICTURE}),
    "show_picture": frozenset({Deed.SEARCHED}),
    "read_memory": _LOOKS,
    "search_memory": _LOOKS,
    "explain_memory": _LOOKS,
    "search_pictures": _LOOKS,
    "search_chats": _LOOKS,
    "read_picture": _LOOKS,
}
"""The tools whose deeds are known; any other one is believed whatever an answer says of it."""


def writes(name: str) -> bool:
    """Whether a tool changes what is kept for a person: once begun, it is brought to its end."""
    does = DOES.get(name, frozenset())
    return bool(does) and does <= _CHANGES


def done_by(name: str, result: Result) -> frozenset[Deed]:
    """The kinds of deeds that a tool's result stands for: looking is one, a refusal or a question is none."""
    does = _LOOKS | {Deed.BROWSED} if result.looked else DOES.get(name, ANYTHING)
    changes = does <= _CHANGES
    return does if result.deed or result.already or not changes else frozenset()
