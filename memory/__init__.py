"""What a person's assistant remembers: Markdown on their own disk, true to what they said.

The promise: nothing is written that the person did not say; a changed mind replaces, never piles up; every line can
be explained, corrected and taken back; what is deleted stays gone; the files alone are the truth, and a hand edit wins.

`Memory` is bound to one person. Changes and outcomes are in `memory.changes`; `Offline` and `Extractor` (in their own
modules, loaded at first need) propose changes from what was said, and never write.
"""

from memory.changes import Change, Outcome, Source
from memory.errors import MemoryProblem
from memory.memory import Memory
from memory.page import Line, Page
from memory.search import Embed, Found
from memory.snapshot import Snapshot
from memory.store import FolderStore
from memory.utterance import Utterance

__all__ = [
    "Change",
    "Embed",
    "FolderStore",
    "Found",
    "Line",
    "Memory",
    "MemoryProblem",
    "Outcome",
    "Page",
    "Snapshot",
    "Source",
    "Utterance",
]
