"""A model that says what a test (or a rehearsal) tells it to, and remembers what it was asked."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from bot.models.model import Prompt, Reply

Line = Reply | str | Exception
Play = Callable[[Prompt], Line | Awaitable[Line]]


class Scripted:
    """`Scripted("hi", Reply(calls=…), ModelUnavailable())` says each in turn; `Scripted(function)` asks it.

    An exception among the replies is raised. `prompts` holds every prompt, in order.
    """

    def __init__(self, *replies: Line | Play, sees: bool = False, name: str = "scripted") -> None:
        self._replies = list(replies)
        self._sees = sees
        self._name = name
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    @property
    def sees(self) -> bool:
        """As given."""
        return self._sees

    async def generate(self, prompt: Prompt) -> Reply:
        """The next reply; a function that is the last one is asked for ever.

        Raises:
            AssertionError: nothing is left to say, which a test wants to know.
        """
        self.prompts.append(prompt)
        if not self._replies:
            raise AssertionError(f"{self._name} has nothing left to say (call {len(self.prompts)})")
        last = len(self._replies) == 1 and callable(self._replies[0])
        line = self._replies[0] if last else self._replies.pop(0)
        if not isinstance(line, Reply | str | Exception):
            answered = line(prompt)
            line = await answered if inspect.isawaitable(answered) else answered
        if isinstance(line, Exception):
            raise line
        return Reply(line) if isinstance(line, str) else line
