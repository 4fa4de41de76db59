"""Everything that is stored in the database and beside it, one file a noun, opened together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from bot.settings import Settings
from bot.storage.accounts import Accounts
from bot.storage.beginnings import Beginnings
from bot.storage.blobs import Blobs
from bot.storage.database import Database, open_database
from bot.storage.drafts import DraftRows
from bot.storage.edits import Edits
from bot.storage.filings import Filings
from bot.storage.fresh_starts import FreshStarts
from bot.storage.history import History
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.pauses import Pauses
from bot.storage.people import People
from bot.storage.preferences import Choices, Preferences
from bot.storage.proposals import Proposals
from bot.storage.queue import Queue
from bot.storage.schedules import Schedules
from bot.storage.slow import SlowRows
from bot.storage.summaries import Summaries
from bot.storage.talks import Talks
from bot.storage.told import Told
from bot.storage.usage import UsageRows


@dataclass(frozen=True, slots=True)
class Storage:
    """One of each."""

    database: Database
    messages: Messages
    history: History
    summaries: Summaries
    outbox: OutboxRows
    drafts: DraftRows
    filings: Filings
    edits: Edits
    people: People
    fresh: FreshStarts
    accounts: Accounts
    proposals: Proposals
    told: Told
    schedules: Schedules
    talks: Talks
    slow: SlowRows
    blobs: Blobs
    preferences: Preferences
    pauses: Pauses
    queue: Queue
    usage: UsageRows
    beginnings: Beginnings


@asynccontextmanager
async def open_storage(
    settings: Settings, now: Callable[[], datetime], *, looking: bool = False
) -> AsyncIterator[Storage]:
    """Open the home's database, a file of its own unless the settings name a server.

    `looking`: a home that cannot be written will do. Raises `HomeUnwritable`; of a server `HomeBusy` too.
    """
    async with open_database(_place(settings), looking=looking) as database:
        given = Choices(settings.learning, settings.language, settings.timezone)
        preferences = Preferences(database, given)
        fresh = FreshStarts(database)
        await preferences.load()
        await fresh.load()
        history, pauses, drafts = History(database), Pauses(database), DraftRows(database)
        yield Storage(
            database=database,
            messages=Messages(database),
            history=history,
            summaries=Summaries(database, history),
            outbox=OutboxRows(database, now, drafts),
            drafts=drafts,
            filings=Filings(database),
            edits=Edits(database),
            people=People(database, "zh", preferences.language),
            fresh=fresh,
            accounts=Accounts(database, now),
            proposals=Proposals(database),
            told=Told(database),
            schedules=Schedules(database),
            talks=Talks(database),
            slow=SlowRows(database),
            blobs=Blobs(settings.home / "blobs"),
            preferences=preferences,
            pauses=pauses,
            queue=Queue(database, pauses, timedelta(hours=settings.notes_after_hours)),
            usage=UsageRows(database),
            beginnings=Beginnings(database),
        )


def _place(settings: Settings) -> Path | sa.URL:
    url = settings.database_url.get_secret_value()
    return sa.make_url(url) if url else settings.home / "kairos.sqlite"
