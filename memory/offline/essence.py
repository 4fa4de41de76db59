"""The words that say it, out of what was said."""

from __future__ import annotations

from memory.asides import opened, without_reason
from memory.language import language_of
from memory.phrasing import untagged
from memory.wording import Language


def essence(quote: str) -> str:
    """The words that say it, without an answer before them and a reason after; a part of the quote."""
    language: Language = language_of(quote) or "zh"
    return untagged(without_reason(opened(quote, language), language))
