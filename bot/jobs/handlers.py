"""The kinds of jobs there are. One more kind = one file beside this one and its line here."""

from __future__ import annotations

from bot.jobs.consolidation import ConsolidationJob
from bot.jobs.cultivation import CultivationJob
from bot.jobs.engine import Handler
from bot.jobs.extraction import ExtractionJob
from bot.jobs.filing import FilingJob
from bot.jobs.noting import NotesJob

HANDLERS = ("file", "extract", "cultivate", "notes", "consolidate")
_SLOW = 1800.0  # seconds that one reading or weighing may take; a slow model writes long answers


def handlers(
    filing: FilingJob,
    extraction: ExtractionJob,
    cultivation: CultivationJob,
    noting: NotesJob | None = None,
    consolidation: ConsolidationJob | None = None,
) -> dict[str, Handler]:
    """Each kind with its hands; without a model there is none for notes and their consolidation."""
    found = {
        "file": Handler(filing.run, filing.give_up, at_once=2),
        "extract": Handler(
            extraction.run, extraction.put_off, at_once=4, tries=2, backoff=0.5, durable=False
        ),
        "cultivate": Handler(
            cultivation.run, cultivation.give_up, at_once=1, tries=4, backoff=30, limit=3_600
        ),
    }
    if noting is not None:
        found["notes"] = Handler(noting.run, noting.give_up, at_once=1, tries=2, limit=_SLOW, durable=False)
    if consolidation is not None:
        found["consolidate"] = Handler(
            consolidation.run, consolidation.give_up, at_once=1, tries=2, limit=_SLOW, durable=False
        )
    return found
