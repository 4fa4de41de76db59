"""The job that files one picture: classify it by the rules of this moment, and send the receipt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import structlog

from bot.storage.blobs import Blobs
from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.records import FilingRow
from bot.types import Button, Language, Message, Words
from bot.wording import say
from classifiers.types import Ended, Filed

log = structlog.get_logger(__name__)

Classify = Callable[[FilingRow, bytes, str, Language], Awaitable[Filed]]
"""File one picture of a person: (row, bytes, what they said about it, their language)."""

BEFORE = timedelta(minutes=10)  # how long words said before a picture may be about it


@dataclass(frozen=True, slots=True)
class FilingJob:
    """Everything the job needs; one for the whole app."""

    rows: Filings
    messages: Messages
    outbox: OutboxRows
    blobs: Blobs
    classify: Classify
    wish: Callable[
        [str], Awaitable[str]
    ]  # words → the same when they are a one-off wish about a picture, else ""
    language: Callable[[str], Awaitable[Language]]

    async def run(self, row_id: int) -> None:
        """File row `row_id`, unless that is done already.

        A row that has a category already is judged again because rules changed; only a move is worth a word.
        """
        row = await self.rows.get(row_id)
        if row.state != "due":
            return
        await self.rows.update(row_id, attempt=row.attempt + 1)
        message = await self.messages.get(row.message)
        language = await self.language(row.person)
        data = await self.blobs.get(row.blob)
        caption = row.caption or await self._said_before(message)
        filed = await self.classify(row, data, caption, language)
        await self.rows.update(
            row_id, state=filed.ended.value, problem=filed.sentence, rules_seen=filed.rules_seen
        )
        if not (row.category and filed.filing and filed.filing.category == row.category):
            await self.outbox.add(message, await self._receipt(row, filed, language))
        log.info(
            "filed",
            action="picture_filed",
            row=row_id,
            ended=filed.ended.value,
            number=filed.number,
            **filed.timings,
        )

    async def _said_before(self, message: Message) -> str:
        """A one-off wish typed right before a picture without words ("just this once, put it under Misc")."""
        before = await self.messages.before(message)
        if before is None or before.attachments or message.at - before.at > BEFORE:
            return ""
        return await self.wish(before.text)

    async def _receipt(self, row: FilingRow, filed: Filed, language: Language) -> Words:
        filing, number = filed.filing, filed.number
        if filed.ended is Ended.REFUSED:
            return Words(say(language, "filed.failed", why=filed.sentence), "receipt")
        if filed.ended is Ended.KEPT_UNREAD:
            return Words(say(language, "filed.kept", number=number, why=filed.sentence), "receipt")
        if filed.ended is Ended.DUPLICATE:
            known = await self.rows.numbered(row.person, filed.duplicate_of or 0)
            category, title = (known.category, known.title) if known else ("", "")
            words = say(
                language, "filed.duplicate", number=filed.duplicate_of, category=category, title=title
            )
            return Words(words, "receipt")
        assert filing is not None
        key = "filed.again" if row.category else "filed"
        words = say(language, key, number=number, category=filing.category, title=filing.title)
        asides = [say(language, "filed.rule", rule=filing.rule)] if filing.rule else []
        buttons: tuple[Button, ...] = ()
        if filing.runner_up:
            asides.append(say(language, "filed.unsure", other=filing.runner_up))
            buttons = (Button(f"→ {filing.runner_up}", f"move:{number}:{filing.runner_up}"[:60]),)
        if filed.similar_to:
            asides.append(say(language, "filed.similar", number=filed.similar_to))
        if filed.note:
            asides.append(filed.note)
        opening, closing = ("（", "）") if language == "zh" else (" (", ")")
        tail = opening + ("；" if language == "zh" else "; ").join(asides) + closing if asides else ""
        return Words(words + tail, "receipt", buttons)

    async def give_up(self, row_id: int, why: str) -> None:
        """Mark it failed and say so; the bytes stay."""
        row = await self.rows.get(row_id)
        language = await self.language(row.person)
        why = why or say(language, "filing.unknown")
        await self.rows.update(row_id, state="failed", problem=why)
        message = await self.messages.get(row.message)
        await self.outbox.add(message, Words(say(language, "filed.failed", why=why), "receipt"))
