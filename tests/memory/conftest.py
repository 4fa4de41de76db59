"""Memory on a dict, with a clock that stands still; `doc` is the test's own docstring, its input file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from memory import Memory
from memory.changes import Source
from memory.store import DictStore

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2026, 3, 11, 21, 0, tzinfo=ZONE)  # a Wednesday

Say = Callable[..., Source]


@pytest.fixture
def doc(request: pytest.FixtureRequest) -> str:
    """The docstring of the test, dedented: the example is the documentation."""
    text = inspect.cleandoc(request.function.__doc__ or "")
    return text + "\n"


@pytest.fixture
def store() -> DictStore:
    return DictStore()


@pytest.fixture
def memory(store: DictStore) -> Memory:
    return Memory(store, person="me", now=lambda: NOW)


@pytest.fixture
def say() -> Say:
    """A source whose words the person typed."""

    def source(
        words: str, quote: str = "", *, by: str = "person", context: str = "", at: datetime = NOW
    ) -> Source:
        return Source("terminal:me", "17", at, words, quote or words, by=by, context=context)

    return source
