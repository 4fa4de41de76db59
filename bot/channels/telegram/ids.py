"""Which ids messages have: how one is found whose sending was never answered.

The Bot API does not tell what stands in a chat. But a message of ours can be edited, and one that says these very
words already is “not modified”; so the ids that it may have been given are asked for with an edit to its own words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.channels.telegram.calls import BadRequest, Call, TokenRefused
from bot.channels.telegram.parts import Part
from bot.errors import SendRefused

MOST_PROBES = 8  # ids asked for after a lost answer; other chats use up ids too


@dataclass(slots=True)
class _Counter:
    """Message ids of one counter of Telegram: all private chats share one, each supergroup has its own."""

    newest: int | None = None
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=200))


class Ids:
    """The ids seen during this run, by counter."""

    def __init__(self) -> None:
        self._counters: dict[int, _Counter] = {}

    def add(self, chat: int, number: int) -> None:
        """A message has this id, and is known: nobody looks for it."""
        counter = self._counter(chat)
        counter.newest = max(number, counter.newest or 0)
        counter.seen.append(number)

    def newest(self, chat: int) -> int | None:
        """The newest that is known; None = none was seen yet."""
        return self._counter(chat).newest

    async def find(
        self, call: Call, part: Part, chat: int, before: int, known: Iterable[int] = ()
    ) -> int | None:
        """The id above `before` of a message of ours that is nobody's, now with these words; None when there is none
        or that cannot be told. `known` are others' besides those seen. Raises what `call` raises for trouble.
        """
        counter = self._counter(chat)
        newest = max(counter.newest or 0, before)
        others = {*counter.seen, *known}
        asked = [n for n in range(before + 1, newest + MOST_PROBES + 1) if n not in others][:MOST_PROBES]
        for number in asked:
            try:
                await call(part.edit, {"chat_id": chat, "message_id": number} | part.content())
            except BadRequest as refused:
                if "not modified" in str(refused).lower():
                    return number
            except (TokenRefused, SendRefused):
                return None
            else:
                return number
        return None

    def _counter(self, chat: int) -> _Counter:
        key = chat if chat < -(10**12) else 0
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = _Counter()
        return counter
