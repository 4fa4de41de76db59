"""What went wrong, as a sentence for the person in their language."""

from __future__ import annotations

from bot.errors import DatabaseUnusable, HomeUnwritable, KairosError, ModelError
from bot.models import problems
from bot.types import Language
from bot.wording import say
from memory.errors import MemoryProblem, StoreUnwritable


def explain(error: Exception, language: Language) -> str:
    """One sentence; never the words of an error that was not made for people."""
    if isinstance(error, ModelError):
        return problems.explain(error, language)
    if isinstance(error, DatabaseUnusable):
        return say(language, "trouble.server_undone")
    if isinstance(error, HomeUnwritable | StoreUnwritable):
        return say(language, "trouble.unwritable")
    if isinstance(error, MemoryProblem):
        return say(language, "trouble.memory", what=str(error))
    if isinstance(error, KairosError):
        return str(error)
    return say(language, "trouble.unexpected")
