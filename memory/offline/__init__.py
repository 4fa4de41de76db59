"""The embedded default: what is understood of talk with no language model, and how it is taught.

`Offline` has a message read (`reader`, `understanding`), puts each part that is kept in words that stand alone
(`drafting`) and finds the line it is about (`targets`, `at_hand`, `amending`). It writes nothing. `gate` tells, for a
language model, which messages are worth reading at all. `banks` are the messages that all of it learns from.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.offline.offline import Offline
    from memory.offline.understanding import Understanding

__all__ = ["Offline", "Understanding"]
_HOMES = {"Offline": "memory.offline.offline", "Understanding": "memory.offline.understanding"}


def __getattr__(name: str) -> Any:
    """Both are loaded when they are first named: beside a language model only `gate` is needed, and their patterns
    take a fifth of a second to compile."""
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(_HOMES[name]), name)
