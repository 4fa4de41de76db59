"""What a message is about, as the model gets it: pictures and documents that came with it, before it, or that it
replies to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.agent.briefing import NO_TEXT, Shown
from bot.agent.eyes import Eyes
from bot.models.model import Model
from bot.models.quoting import asks
from bot.models.tokens import tokens
from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.records import FilingRow
from bot.types import Attachment, Message
from classifiers.errors import PictureError
from classifiers.ocr import TEXT_LAYER
from classifiers.questions import names_one, points_at_one

FOLLOWS = timedelta(minutes=10)  # how long after a picture a message may be about it
ALBUM = 1.5  # seconds without another picture after which an album is whole
TALKED = 4  # messages that may stand between a document, or a picture, and words that speak of "this picture"
PAPERS = 0.4  # share of the model's window that documents may take
SHOWN = 4  # files in one briefing at most; the rest are in the archive


@dataclass(frozen=True, slots=True)
class Showing:
    """Finds and opens what a burst is about; one for the whole app."""

    messages: Messages
    outbox: OutboxRows
    filings: Filings
    eyes: Eyes
    model: Model
    window: int  # tokens that it takes
    leaves_pictures: bool  # it has nothing to say to a picture that the filing beside does not say
    wants_text: Callable[[str], Awaitable[bool]]  # of a picture, to answer these words about it

    async def of(self, burst: Sequence[Message], lately: bool) -> dict[int, list[Shown]]:
        """Files by the message they belong to; those of an album by the first of its messages.

        `lately`: files came in this talk, so that words may be about those before them.
        """
        shown: dict[int, list[Shown]] = {}
        albums: set[str] = set()
        for message in burst:
            if message.album and message.album in albums:
                continue
            albums.add(message.album)
            shown[message.id] = await self._about(message, lately)
        return shown

    async def _about(self, message: Message, lately: bool) -> list[Shown]:
        """The message's own files and its album's, those it replies to, or those sent right before it."""
        if message.attachments:
            about = await self._album(message)
        else:
            about = await self._replied(message)
            if message.shows and not any(each.attachments for each in about):
                about = [replace(message, attachments=message.shows)]
            about = about or (await self._before(message) if lately else [])
        wanted = bool(about) and await self.wants_text(message.typed)
        files = [
            (each, place)
            for each in about
            for place, file in enumerate(each.attachments)
            if file.kind != "voice"
        ]
        room = round(self.window * PAPERS) // max(1, min(len(files), SHOWN))
        shown: list[Shown] = []
        for each, place in files[:SHOWN]:
            rows = {row.place: row for row in await self.filings.of_message(each.id)}
            shown.append(await self._shown(each.attachments[place], rows.get(place), wanted, room))
        if len(files) > SHOWN:
            shown[-1] = replace(shown[-1], more=len(files) - SHOWN)
        return shown

    async def _shown(self, attachment: Attachment, row: FilingRow | None, wanted: bool, room: int) -> Shown:
        if not attachment.blob:
            return Shown(attachment.name or "?", "", instead=f"(not received: {attachment.problem})")
        if attachment.kind == "paper":
            return await self._paper(attachment, room)
        name = f"#{row.number}" if row and row.number else attachment.name or "?"
        if self.leaves_pictures and not wanted:  # nor does it wait until one is read
            return Shown(name, row.text if row else "")
        try:
            return await self._picture(attachment, row, name, room)
        except PictureError as error:
            return Shown(name, "", instead=f"(cannot be read: {error})")
        except FileNotFoundError:  # taken out of the archive: its text is what is left in the database
            return Shown(name, row.text if row else "", instead=NO_TEXT)

    async def _picture(self, attachment: Attachment, row: FilingRow | None, name: str, room: int) -> Shown:
        picture = await self.eyes.open(attachment.blob, attachment.name, row)
        jpeg = picture.jpeg if self.model.sees else None
        if len(picture.page_text.strip()) >= TEXT_LAYER:  # of all its pages, where a look shows the first
            return _cut(Shown(name, picture.page_text, jpeg, paper=True), room)
        note = ""
        if picture.format == "PDF" and picture.frames > 1:
            note = f"only page 1 of the {picture.frames} pages of {name}: they are pictures, the others were not read"
        if jpeg is not None:
            return Shown(name, "", jpeg, note=note)
        return Shown(name, (await self.eyes.read(picture)).text, instead=NO_TEXT, note=note)

    async def _paper(self, attachment: Attachment, room: int) -> Shown:
        try:
            reading = await self.eyes.paper(attachment.blob, attachment.name)
        except PictureError as error:
            return Shown(attachment.name, "", instead=f"(cannot be read: {error})", refused=error)
        except FileNotFoundError:
            return Shown(attachment.name, "", instead="(no longer there)")
        return _cut(Shown(attachment.name, reading.text, paper=True), room)

    async def _album(self, message: Message) -> list[Message]:
        """The message with its album, which comes one by one: waited for while more keeps coming."""
        found = await self.messages.album(message)
        while message.album and len(found) < SHOWN and not self.leaves_pictures:
            await asyncio.sleep(ALBUM)
            now = await self.messages.album(message)
            if len(now) == len(found):
                break
            found = now
        return found

    async def _replied(self, message: Message) -> list[Message]:
        if not message.reply_to:
            return []
        place = (message.channel, message.chat, message.reply_to)
        row = await self.messages.find(*place)
        ours = None if row is not None else await self.outbox.about(*place)
        found = row.id if row is not None else ours[0] if ours else None
        replied = [await self.messages.get(found)] if found is not None else []
        return [each for each in replied if each.person == message.person]

    async def _before(self, message: Message) -> list[Message]:
        found: list[Message] = []
        before = await self.messages.before(message)
        talked = 0  # messages since
        while before and not before.attachments and talked < TALKED:
            before, talked = await self.messages.before(before), talked + 1
        if talked and before and not (names_one(message.typed) or _is_paper(before)):
            return []  # only a document goes on being talked about without being named
        meant = names_one(message.typed) or points_at_one(message.typed) or asks(message.typed)
        if before and self._was_seen(before) and not meant:
            return []
        while before and before.attachments and message.at - before.at <= FOLLOWS:
            found.insert(0, before)
            if len(found) == SHOWN or before.text:  # words begin what was sent together
                break
            before = await self.messages.before(before)
        return found

    def _was_seen(self, message: Message) -> bool:
        """Whether its picture had a turn, with words: from then on its text in the history will do, unless more is
        asked about it. (The embedded default looks at pictures only when it is asked.)
        """
        return bool(message.text.strip()) and not _is_paper(message) and not self.leaves_pictures


def _is_paper(message: Message) -> bool:
    return any(each.kind == "paper" for each in message.attachments)


def _cut(shown: Shown, room: int) -> Shown:
    """A text cut to about `room` tokens, with how much of it is left out."""
    counted = tokens(shown.text)
    if counted <= room:
        return shown
    kept = len(shown.text) * room // counted
    return replace(shown, text=shown.text[:kept], left_out=len(shown.text) - kept)
