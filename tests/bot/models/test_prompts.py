"""The few fixed words that this layer itself puts before a model."""

from __future__ import annotations

from bot.models.wire import PING, SILENT_TOOL, UNANSWERED_CALL, UNSEEN
from tests.conftest import Golden


def test_the_words_a_model_reads(golden: Golden) -> None:
    golden("models/words.md", "\n".join([UNSEEN, SILENT_TOOL, UNANSWERED_CALL, PING]) + "\n")
