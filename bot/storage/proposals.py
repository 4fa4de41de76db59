"""Changes to memory that wait for a yes."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.records import Proposal
from bot.storage.tables import proposals
from memory import Change, Source
from memory.changes import Instruct, Kind, Learn, Origin, Restore, Retire, Revise

REFILE = "Refile"  # what a proposal of moves that a new filing rule would make is stored as
_KINDS: dict[str, type[Change]] = {each.__name__: each for each in (Instruct, Learn, Revise, Retire, Restore)}


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def change_to_json(change: Change) -> dict[str, object]:
    """A change as plain JSON values."""
    return {"op": type(change).__name__, **{key: _plain(value) for key, value in asdict(change).items()}}


def change_from_json(values: dict[str, object]) -> Change:
    """The inverse of `change_to_json`."""
    fields = dict(values)
    kind = _KINDS[str(fields.pop("op"))]
    if isinstance(fields.get("until"), str):
        fields["until"] = date.fromisoformat(str(fields["until"]))
    if fields.get("origin") is not None:
        fields["origin"] = Origin(str(fields["origin"]))
    if fields.get("kind") is not None:
        fields["kind"] = Kind(str(fields["kind"]))
    if isinstance(fields.get("also"), list):
        fields["also"] = tuple(map(str, fields["also"]))  # type: ignore[call-overload]
    return kind(**fields)  # type: ignore[arg-type]  # the fields are what `change_to_json` wrote


def source_from_json(values: dict[str, object]) -> Source:
    """A source as it was stored."""
    fields = {key: str(value) for key, value in values.items() if key != "at"}
    return Source(at=datetime.fromisoformat(str(values["at"])), **fields)


def _proposal(row: sa.Row[Any]) -> Proposal:
    return Proposal(row.id, row.person, row.conversation, row.change, row.source, row.question, row.at)


class Proposals:
    """Open questions of each person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: str, change: Change, source: Source, question: str, at: datetime) -> int:
        """Keep a change until the person says yes or no; returns its id."""
        values = {key: _plain(value) for key, value in asdict(source).items()}
        result = await self._database.do(
            proposals.insert().values(
                person=person,
                conversation=source.conversation,
                change=change_to_json(change),
                source=values,
                question=question,
                state="open",
                at=at,
            )
        )
        return int(result.inserted_primary_key[0])  # type: ignore[index]

    async def owe(
        self, person: str, conversation: str, message: int, entry: int, rule: str, at: datetime
    ) -> int:
        """Keep a filing rule that is to be tried on what was filed before, once for each entry of the journal; returns
        its id, 0 when it was kept already."""
        known = await self._database.rows(sa.select(proposals.c.change).where(proposals.c.person == person))
        if any(row.change.get("op") == REFILE and row.change.get("entry") == entry for row in known):
            return 0
        source = {"message": str(message), "quote": "", "by": "person", "conversation": conversation}
        result = await self._database.do(
            proposals.insert().values(
                person=person,
                conversation=conversation,
                change={"op": REFILE, "entry": entry, "rule": rule, "moves": []},
                source={**source, "at": at.isoformat()},
                question="",
                state="due",
                at=at,
            )
        )
        return int(result.inserted_primary_key[0])  # type: ignore[index]

    async def due(self, row_id: int) -> Proposal | None:
        """A rule that is still to be tried."""
        rows = await self._database.rows(
            sa.select(proposals).where(proposals.c.id == row_id, proposals.c.state == "due")
        )
        return _proposal(rows[0]) if rows else None

    async def untried(self) -> list[int]:
        """The ids of all rules that are still to be tried."""
        rows = await self._database.rows(sa.select(proposals.c.id).where(proposals.c.state == "due"))
        return [int(row.id) for row in rows]

    @staticmethod
    def asking(row_id: int, change: dict[str, object], question: str) -> sa.Update:
        """The statement that opens the question a trial came to, for the transaction that puts it."""
        return (
            proposals.update()
            .where(proposals.c.id == row_id)
            .values(change=change, question=question, state="open")
        )

    async def close(self, row_id: int, state: str) -> None:
        """Close one that was never put."""
        await self._database.do(proposals.update().where(proposals.c.id == row_id).values(state=state))

    async def open(self, person: str) -> list[Proposal]:
        """What waits, newest first."""
        rows = await self._database.rows(
            sa.select(proposals)
            .where(proposals.c.person == person, proposals.c.state == "open")
            .order_by(proposals.c.id.desc())
        )
        return [_proposal(row) for row in rows]

    async def was_put(self, person: str, text: str, source: Source | None = None) -> bool:
        """Whether a change with these words, or from the very words of `source`, was ever put to the person."""
        rows = await self._database.rows(
            sa.select(proposals.c.change, proposals.c.source).where(proposals.c.person == person)
        )
        said = None if source is None else (source.by, source.message, source.quote)
        return any(
            row.change.get("text") == text
            or (row.source.get("by"), row.source["message"], row.source["quote"]) == said
            for row in rows
        )

    async def settle(self, row_id: int, person: str, state: str) -> bool:
        """Close one as "accepted" or "declined"; False when it was not open or is another person's."""
        result = await self._database.do(
            proposals.update()
            .where(proposals.c.id == row_id, proposals.c.person == person, proposals.c.state == "open")
            .values(state=state)
        )
        return bool(result.rowcount)
