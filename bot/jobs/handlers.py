"""The kinds of jobs there are. One more kind = one file beside this one and its line here."""

from __future__ import annotations

from bot.jobs.cultivation import CultivationJob
from bot.jobs.engine import Handler
from bot.jobs.extraction import ExtractionJob
from bot.jobs.filing import FilingJob

HANDLERS = ("file", "extract", "cultivate")


def handlers(filing: FilingJob, extraction: ExtractionJob, cultivation: CultivationJob) -> dict[str, Handler]:
    """Each kind with its hands."""
    return {
        "file": Handler(filing.run, filing.give_up, at_once=2),
        "extract": Handler(
            extraction.run, extraction.put_off, at_once=4, tries=2, backoff=0.5, durable=False
        ),
        "cultivate": Handler(
            cultivation.run, cultivation.give_up, at_once=1, tries=4, backoff=30, limit=3_600
        ),
    }
