"""The embedded default: what is understood of talk with no language model, and how it is trained.

`Offline` reads a message (`said`, `probe`, `understanding`), tells its parts from each other (`parting`), puts each
in words that stand alone (`drafting`) and finds the line it is about (`targets`, `at_hand`, `amending`). It writes
nothing.
"""

from __future__ import annotations

from memory.offline.offline import Offline
from memory.offline.understanding import Understanding

__all__ = ["Offline", "Understanding"]
