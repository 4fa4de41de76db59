"""One small tree of errors, each with a message fit for the person.

MemoryProblem
├── StoreError           the files behind memory
│   ├── StoreUnreadable  one of them cannot be read; has its page
│   ├── StaleError       the file changed since it was read; read again and retry
│   ├── StoreBroken      the file is no text; it is read from the journal and never written over
│   ├── StoreUnwritable  read-only, or the disk is full
│   └── BadName          a name that would leave the folder
├── IndexUnusable        what search keeps beside the files; searching goes on without it
├── EncoderFailed        no vectors can be had now; words alone decide
└── ExtractionFailed     the model's answer could not be read; says nothing about there being nothing to keep
"""

from __future__ import annotations


class MemoryProblem(Exception):
    """Something about memory went wrong that a person can be told about."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or (self.__doc__ or "").strip())


class StoreError(MemoryProblem):
    """The memory files cannot be used."""


class StoreUnreadable(StoreError):
    """A memory file cannot be read."""

    def __init__(self, page: str = "", why: str = "") -> None:
        super().__init__(f"{page} cannot be read ({why})." if page else "")
        self.page = page


class StaleError(StoreError):
    """The memory file was changed by someone else in the meantime."""


class StoreBroken(StoreError):
    """The memory file is no text any more; put it back from a copy, or delete it. Nothing was changed."""


class StoreUnwritable(StoreError):
    """Memory cannot be written: the folder is read-only or the disk is full. Nothing was changed."""


class BadName(StoreError):
    """That is not a name a memory page can have."""


class ExtractionFailed(MemoryProblem):
    """What the model said about this conversation could not be read; it will be tried again."""


class IndexUnusable(MemoryProblem):
    """The search index cannot be read or written; the memory files are not affected."""


class EncoderFailed(MemoryProblem):
    """Sentence vectors cannot be had now; words alone decide."""
