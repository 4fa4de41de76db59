"""The tables of the database: what is due, what was said, where pictures lie.

A row's state is the truth about what is due; a job or a task is only the hand that does it.
Times are aware datetimes stored as ISO text in UTC, so that they sort and read the same on every database.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

from memory.words import storable

metadata = sa.MetaData()


# Servers sort by the rules of some language, SQLite by the characters' numbers, as these do; and SQLite's whole
# numbers have 64 bits.
_BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
Integer = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


class Moment(TypeDecorator[datetime]):
    """An aware datetime as ISO text in UTC."""

    impl = sa.String(32).with_variant(sa.String(32, collation="C"), "postgresql")
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> str | None:
        return None if value is None else value.astimezone(UTC).isoformat()

    def process_result_value(self, value: str | None, dialect: Any) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


class Text(TypeDecorator[str]):
    """Text without what models and terminals send and not every database can hold: halves of characters
    (surrogates), and zeros.
    """

    impl = _BYTEWISE
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        return None if value is None else storable(value).replace("\0", "?")


messages = sa.Table(
    "messages",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("channel", Text, nullable=False),
    sa.Column("chat", Text, nullable=False),
    sa.Column("outside_id", Text, nullable=False),  # the channel's own id
    sa.Column("person", Text, nullable=False),
    sa.Column("text", Text, nullable=False),
    sa.Column("attachments", sa.JSON, nullable=False),
    sa.Column("album", Text, nullable=False, server_default=""),
    sa.Column("reply_to", Text, nullable=False, server_default=""),
    sa.Column("quoted", Text, nullable=False, server_default=""),
    sa.Column("forwarded", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("pressed", Text, nullable=False, server_default=""),
    sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()),  # others read along there
    sa.Column("at", Moment, nullable=False),
    sa.Column("answered", sa.Boolean, nullable=False),  # False = its turn is due
    sa.Column("extracted", sa.Boolean, nullable=False),  # False = memory has not read it yet
    sa.Column("put_off", sa.Boolean, nullable=False, server_default=sa.false()),  # reading it failed for now
    sa.Column("loaded", sa.JSON, nullable=False, server_default="[]"),  # memory lines in its briefing
    sa.Column("problem", Text, nullable=False, server_default=""),  # why handling it did not end well
    sa.UniqueConstraint("channel", "chat", "outside_id", name="heard_once"),
    sa.Index("messages_of_person", "person", "id"),
    sa.Index("messages_due", "answered", "extracted"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("channel", Text, nullable=False),
    sa.Column("chat", Text, nullable=False),
    sa.Column("person", Text, nullable=False),
    sa.Column("text", Text, nullable=False),
    sa.Column("kind", Text, nullable=False),  # answer, receipt, notice
    sa.Column("buttons", sa.JSON, nullable=False, server_default="[]"),
    sa.Column("picture", Text, nullable=False, server_default=""),
    sa.Column("reply_to", Text, nullable=False, server_default=""),
    sa.Column("about", Integer, nullable=True),  # messages.id
    sa.Column("at", Moment, nullable=False),
    sa.Column("state", Text, nullable=False),  # unsent, sent, refused
    sa.Column("sent_id", Text, nullable=False, server_default=""),
    sa.Column("problem", Text, nullable=False, server_default=""),
    sa.Index("outbox_due", "state", "id"),
    sa.Index("outbox_of_chat", "channel", "chat", "id"),
    sa.Index("outbox_about", "about"),
    sa.Index("outbox_of_person", "person", "id"),
)

filings = sa.Table(
    "filings",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("number", Integer, nullable=True),  # what the person sees; given when it is shelved
    sa.Column("message", Integer, nullable=False),  # messages.id it came with
    sa.Column("place", Integer, nullable=False),  # which of the message's attachments
    sa.Column("blob", Text, nullable=False),
    sa.Column("name", Text, nullable=False),
    sa.Column("caption", Text, nullable=False, server_default=""),
    sa.Column("at", Moment, nullable=False),
    sa.Column("state", Text, nullable=False),  # due, or a classifiers.Ended, or failed, deleted
    sa.Column("attempt", Integer, nullable=False, server_default="0"),
    sa.Column("category", Text, nullable=False, server_default=""),
    sa.Column("title", Text, nullable=False, server_default=""),
    sa.Column("summary", Text, nullable=False, server_default=""),
    sa.Column("tags", sa.JSON, nullable=False, server_default="[]"),
    sa.Column("text", Text, nullable=False, server_default=""),
    sa.Column("rule", Text, nullable=True),
    sa.Column("rules_seen", Text, nullable=False, server_default=""),
    sa.Column("why", Text, nullable=False, server_default=""),
    sa.Column("confidence", sa.Float, nullable=False, server_default="1"),
    sa.Column("runner_up", Text, nullable=True),
    sa.Column("corrected", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("sha256", Text, nullable=False, server_default=""),
    sa.Column("phash", Text, nullable=False, server_default=""),
    sa.Column("vector", sa.LargeBinary, nullable=True),  # float32, unit length, of the text's head
    sa.Column("file", Text, nullable=False, server_default=""),  # relative to the person's folder
    # files it lay in before, not yet removed
    sa.Column("leaving", sa.JSON, nullable=False, server_default="[]"),
    sa.Column("problem", Text, nullable=False, server_default=""),
    sa.Column("renamed", sa.Boolean, nullable=False, server_default=sa.false()),  # the person gave the title
    sa.Column("binned_at", Moment, nullable=True),  # when it was put into the bin
    sa.Column("receipt", Text, nullable=False, server_default=""),  # its line in an album's receipt to come
    # counts the changes of a person's rows
    sa.Column("touched", Integer, nullable=False, server_default="0"),
    sa.UniqueConstraint("person", "number", name="number_of_person"),
    sa.UniqueConstraint("message", "place", name="filed_once"),
    sa.Index("filings_due", "state"),
    sa.Index("filings_bytes", "person", "sha256"),
    sa.Index("filings_touched", "person", "touched"),
    sa.Index("filings_by_day", "person", "at"),
)

categories = sa.Table(
    "categories",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("name", Text, nullable=False),
    sa.Column("description", Text, nullable=False, server_default=""),
    sa.Column("aliases", sa.JSON, nullable=False, server_default="[]"),
    sa.UniqueConstraint("person", "name", name="category_of_person"),
)

picture_edits = sa.Table(
    "picture_edits",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("kind", Text, nullable=False),  # move, rename, delete, restore, merge
    sa.Column("steps", sa.JSON, nullable=False),  # [{filing, before, after}], a picture each
    sa.Column("merged", sa.JSON(none_as_null=True), nullable=True),  # of a merge: the category that is gone
    sa.Column("at", Moment, nullable=False),
    sa.Column("undone", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("edits_of_person", "person", "id"),
)

readings = sa.Table(
    "readings",
    metadata,
    sa.Column("blob", Text, primary_key=True),
    sa.Column("text", Text, nullable=False),
    sa.Column("lines", Integer, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("engine", Text, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
)

proposals = sa.Table(
    "proposals",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("conversation", Text, nullable=False),
    sa.Column("change", sa.JSON, nullable=False),
    sa.Column("source", sa.JSON, nullable=False),
    sa.Column("question", Text, nullable=False),
    sa.Column("state", Text, nullable=False),  # due, open, accepted, declined, void
    sa.Column("at", Moment, nullable=False),
    sa.Index("proposals_open", "person", "state"),
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("name", Text, primary_key=True),
    sa.Column("language", Text, nullable=False),  # of what they last wrote: zh, en
)

fresh_starts = sa.Table(
    "fresh_starts",
    metadata,
    sa.Column("person", Text, primary_key=True),
    sa.Column("channel", Text, primary_key=True),
    sa.Column("chat", Text, primary_key=True),
    sa.Column(
        "after", Integer, nullable=False
    ),  # messages.id of the /new: the conversation there begins after it
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("channel", Text, primary_key=True),
    sa.Column("user", Text, primary_key=True),  # the channel's own id of it
    sa.Column("chat", Text, nullable=False),  # where it is spoken to alone
    sa.Column("name", Text, nullable=False, server_default=""),  # as it calls itself: somebody else's words
    sa.Column("state", Text, nullable=False),  # asked, allowed, declined, revoked
    sa.Column("person", Text, nullable=False, server_default=""),  # people.name, once it is allowed
    sa.Column("at", Moment, nullable=False),  # when its state began
    sa.Column("language", Text, nullable=False),  # of its first words: zh, en
)

codes = sa.Table(
    "codes",
    metadata,
    sa.Column("digest", Text, primary_key=True),  # of a one-time code; the code itself is kept nowhere
    sa.Column("until", Moment, nullable=False),
    sa.Column("tries", Integer, nullable=False),  # wrong ones that are left
)

told = sa.Table(
    "told",
    metadata,
    sa.Column("person", Text, primary_key=True),
    sa.Column("matter", Text, primary_key=True),  # full: how full the rules are
    sa.Column("level", Integer, nullable=False),
)

schedules = sa.Table(
    "schedules",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("number", Integer, nullable=False),  # what the person calls it; 0 = the nightly one
    sa.Column("cron", Text, nullable=False),  # five fields, on the person's clock
    sa.Column("prompt", Text, nullable=False),  # what to do; "" = tend what is new
    sa.Column("message", Integer, nullable=False),  # messages.id that asked for it: what it says goes there
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Column("due", Moment, nullable=False),  # when its next run starts
    sa.UniqueConstraint("person", "number", name="schedule_of_person"),
)

cultivations = sa.Table(
    "cultivations",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("schedule", Integer, nullable=True),  # schedules.id; NULL = asked for by hand
    sa.Column("message", Integer, nullable=False),  # messages.id that it is about
    sa.Column("prompt", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),  # when it became due
    sa.Column("state", Text, nullable=False),  # due, done, failed
    sa.Column("problem", Text, nullable=False, server_default=""),
    sa.Index("cultivations_due", "state", "id"),
    sa.Index("cultivations_about", "message"),
)

note_cursors = sa.Table(
    "note_cursors",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("channel", Text, nullable=False),
    sa.Column("chat", Text, nullable=False),
    sa.Column("newest", Integer, nullable=False),  # messages.id of the last one heard there
    sa.Column("newest_at", Moment, nullable=False),
    sa.Column("read_to", Integer, nullable=False),  # messages.id up to which it is distilled into notes
    sa.Column("tries", Integer, nullable=False, server_default="0"),  # failed readings in a row
    sa.Column("retry_at", Moment, nullable=True),
    sa.Column("asked", sa.Boolean, nullable=False, server_default=sa.false()),  # read it now, quiet or not
    sa.Column("failed", Integer, nullable=False, server_default="0"),  # messages that were given up
    sa.UniqueConstraint("person", "channel", "chat", name="cursor_of_conversation"),
)

notes = sa.Table(
    "notes",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("conversation", Text, nullable=False),
    sa.Column("message", Integer, nullable=False),  # messages.id that holds the quote
    sa.Column("sitting", Text, nullable=False),
    sa.Column("content", Text, nullable=False),
    sa.Column("situation", Text, nullable=False, server_default=""),
    sa.Column("quote", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("until", sa.String(10), nullable=False),  # ISO date of the last day it is weighed
    sa.Column("made", Moment, nullable=False),
    sa.Index("notes_of_person", "person", "until"),
)

consolidations = sa.Table(
    "consolidations",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False, unique=True),
    sa.Column("wanted", Moment, nullable=True),  # when it is due; NULL = nothing new
    sa.Column("weighed", Integer, nullable=False, server_default="0"),  # notes.id up to which none is new
    sa.Column("tries", Integer, nullable=False, server_default="0"),
    sa.Column("problem", Text, nullable=False, server_default=""),
)

summaries = sa.Table(
    "summaries",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("channel", Text, nullable=False),
    sa.Column("chat", Text, nullable=False),
    sa.Column("starts", Integer, nullable=False),  # messages.id after which talk is shown in its own words
    sa.Column("read_to", Integer, nullable=False),  # messages.id up to which the text tells it
    sa.Column("due", Integer, nullable=False),  # up to which it is to tell it; beyond `read_to`: due
    sa.Column("text", Text, nullable=False, server_default=""),
    sa.UniqueConstraint("person", "channel", "chat", name="summary_of_conversation"),
)

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("about", Integer, primary_key=True, autoincrement=False),  # messages.id whose answer it begins
    sa.Column("shown", Text, nullable=False),  # the channel's name for it
)

pauses = sa.Table(
    "pauses",
    metadata,
    sa.Column("matter", Text, primary_key=True),  # model:<host>, or <kind of job>:<row>
    sa.Column("until", Moment, nullable=False),
    sa.Column("why", Text, nullable=False, server_default=""),
)

usage = sa.Table(
    "usage",
    metadata,
    sa.Column("id", Integer, primary_key=True),
    sa.Column("person", Text, nullable=False),
    sa.Column("purpose", Text, nullable=False),  # chat, check, or a kind of background work
    sa.Column("model", Text, nullable=False),
    sa.Column("estimated", sa.Boolean, nullable=False),  # the server did not count; we did
    sa.Column("slot", Moment, nullable=False),  # beginning of the quarter of an hour it is added up in
    sa.Column("calls", Integer, nullable=False),
    sa.Column("input", Integer, nullable=False),  # tokens, those from the cache included
    sa.Column("cached", Integer, nullable=False),
    sa.Column("output", Integer, nullable=False),
    sa.UniqueConstraint("person", "slot", "purpose", "model", "estimated", name="usage_once"),
)

preferences = sa.Table(
    "preferences",
    metadata,
    sa.Column("person", Text, primary_key=True),
    sa.Column("name", Text, primary_key=True),  # a field of `preferences.Choices`
    sa.Column("value", Text, nullable=False),
)

beginnings = sa.Table(
    "beginnings",
    metadata,
    sa.Column("kind", Text, primary_key=True),  # turn, or a kind of job
    sa.Column("row", Integer, primary_key=True, autoincrement=False),  # messages.id, or the job's row
    sa.Column("times", Integer, nullable=False),  # it was begun without an end
    sa.Column("stopped", Integer, nullable=False),  # of these: cut short by a clean stop
)
