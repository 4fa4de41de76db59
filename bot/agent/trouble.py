"""What went wrong, as a sentence for the person in their language."""

from __future__ import annotations

from bot.errors import DatabaseUnusable, HomeUnwritable, KairosError, ModelError
from bot.models import problems
from bot.types import Language
from bot.wording import say
from memory.errors import (
    BadName,
    MemoryProblem,
    StaleError,
    StoreBroken,
    StoreUnreadable,
    StoreUnwritable,
)

_SENTENCES: tuple[tuple[type[Exception], str], ...] = (  # the first that fits
    (DatabaseUnusable, "trouble.server_undone"),
    (HomeUnwritable, "trouble.unwritable"),
    (StoreUnwritable, "trouble.unwritable"),
    (StoreBroken, "trouble.memory_broken"),
    (StoreUnreadable, "trouble.memory_unreadable"),
    (StaleError, "trouble.memory_stale"),
    (BadName, "trouble.memory_name"),
    (MemoryProblem, "trouble.memory"),
)


def explain(error: Exception, language: Language) -> str:
    """One sentence; never the words of an error that was not made for people."""
    if isinstance(error, ModelError):
        return problems.explain(error, language)
    for kind, key in _SENTENCES:
        if isinstance(error, kind):
            return say(language, key, page=getattr(error, "page", ""))
    return str(error) if isinstance(error, KairosError) else say(language, "trouble.unexpected")
