"""The fragments of a stream → whole tool calls.

A call comes in pieces that say which call they go on with by an index, an id or the tool's name, and each of the three
lies at some vendor: the name is repeated in every piece or comes late, the id is new each time, all calls of an answer
share one index or one id. What does not lie is taken together.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from bot.models.arguments import is_complete, offered_name, read_arguments, with_own_ids
from bot.models.model import Call

_HALF = re.compile("[\ud800-\udfff]")
CUT_OFF = "The call was cut off by the length limit. Send it again, shorter."
NAMELESS = "The call does not name a tool."


def joined(text: str) -> str:
    """`text` with the halves of a sign put together that came in two pieces; a half alone is no sign at all.

    Servers that cut by UTF-16 units part an emoji so.
    """
    if text.isascii() or not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(slots=True)
class Fragment:
    """A tool call as far as it has been heard."""

    id: str = ""
    name: str = ""
    arguments: object = ""  # a string while it grows; some vendors send the object itself
    index: object = None

    @property
    def ended(self) -> bool:
        """Whether its arguments are whole already."""
        return not isinstance(self.arguments, str) or is_complete(self.arguments)

    def call(self, offered: Collection[str], *, cut: bool) -> Call:
        """The call; what cannot be read of it is its `problem`. `cut`: the answer ended at the length limit."""
        spelled = joined(self.arguments) if isinstance(self.arguments, str) else self.arguments
        arguments, problem = read_arguments(spelled)
        if problem and cut:
            problem = CUT_OFF
        name = offered_name(self.name, offered)
        if not name and len(offered) == 1:
            name = next(iter(offered))
        return Call(joined(self.id), joined(name), arguments, problem if name else NAMELESS)


@dataclass(slots=True)
class Assembly:
    """The calls of one answer. `offered` are the names of the tools its request carried."""

    fragments: list[Fragment] = field(default_factory=list)

    def add(self, piece: Fragment, offered: Collection[str] = ()) -> None:
        """Take in a piece."""
        current = self._continued(piece, offered)
        if current is None:
            self.fragments.append(piece)
            return
        if piece.name:
            current.name = _grown(current.name, piece.name, offered)
        current.id = current.id or piece.id
        if isinstance(piece.arguments, str) and isinstance(current.arguments, str):
            current.arguments += piece.arguments
        elif piece.arguments not in (None, ""):
            current.arguments = piece.arguments

    def calls(self, offered: Collection[str] = (), *, cut: bool = False) -> tuple[Call, ...]:
        """What was called, as far as it was heard, each under an id of its own."""
        return with_own_ids(fragment.call(offered, cut=cut) for fragment in self.fragments)

    def _continued(self, piece: Fragment, offered: Collection[str]) -> Fragment | None:
        """The call that `piece` goes on with; None when it begins another.

        A nameless piece always goes on, with the call of its id where several share an index; a named one begins
        another call when its index is new, or when the call at that index has ended or is another tool's.
        """
        same = [each for each in self.fragments if piece.index is not None and each.index == piece.index]
        if piece.id and len(same) != 1:
            same = [each for each in same or self.fragments if each.id == piece.id] or same
        if not piece.name:
            return next(reversed(same or self.fragments), None)
        if not same:
            return self._unindexed(piece)
        current = same[-1]
        if piece.index is not None and piece.index != current.index and current.ended:
            return None  # one id for all calls
        if not current.name or (piece.id and piece.id == current.id):
            return current
        if piece.name == current.name:
            return None if piece.id and current.ended else current
        another = (
            offered_name(piece.name, offered) in offered and offered_name(current.name, offered) in offered
        )
        return None if another or (piece.id and current.arguments) else current

    def _unindexed(self, piece: Fragment) -> Fragment | None:
        """For vendors that give neither index nor id: the last call, if it is this one and has not ended."""
        last = self.fragments[-1] if self.fragments else None
        if last is None or piece.index is not None or piece.id or piece.name != last.name:
            return None
        return None if last.ended else last


def _grown(name: str, piece: str, offered: Collection[str]) -> str:
    """A name with what a later piece says of it: the rest, the whole once more, or all of it so far."""
    if piece == name:
        return name
    if name + piece not in offered and offered_name(name, offered) in offered:
        return name
    return piece if name and piece.startswith(name) else name + piece
