"""Commands configure logging for the whole process; in tests they must leave that alone."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from bot import logs


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No log anywhere: structlog prints to stdout unless told otherwise, where the commands' words are."""

    def configure(*_: object) -> None:
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))

    monkeypatch.setattr(logs, "configure", configure)
    yield
    structlog.reset_defaults()
