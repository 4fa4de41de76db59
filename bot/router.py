"""Where every message comes in: stored first, then handed to the hands that are due to it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

import structlog

from bot.errors import HomeUnwritable, PersonRefused
from bot.storage.blobs import Blobs
from bot.storage.messages import Messages, message_of
from bot.types import Attachment, FileKind, Incoming, Message, Upload, may_be_person
from classifiers.papers import is_paper

log = structlog.get_logger(__name__)

Wake = Callable[[Message], None]
"""This message has a turn due."""

File = Callable[[Message], Awaitable[None]]
"""This message brought files to be filed."""

Revise = Callable[[Message, str], Awaitable[bool]]
"""These are a message's words from now on; False when it is too late for that."""

Late = Callable[[Message], Awaitable[None]]
"""A message was changed too late: say so."""

_MOST_LATE = 1000  # late changes and parts remembered, so that one delivered twice counts once
_MOST_AT_ONCE = 4096  # UTF-16 units; what is longer came in parts, and is not changed by one of them


async def always_late(message: Message, text: str) -> bool:
    """For those whose messages stay as they came."""
    return False


async def nobody_told(message: Message) -> None:
    """For those who tell nobody."""


class Router:
    """`receive` is what channels call. It returns when the message is stored, not when it is answered."""

    def __init__(
        self,
        messages: Messages,
        blobs: Blobs,
        *,
        wake: Wake,
        file: File,
        now: Callable[[], datetime],
        revise: Revise = always_late,
        late: Late = nobody_told,
    ) -> None:
        self._messages = messages
        self._blobs = blobs
        self._wake = wake
        self._file = file
        self._now = now
        self._revise = revise
        self._late = late
        # a server's database may have stored them though it could not say so; nobody was woken for them
        self._doubtful: set[tuple[str, str, str]] = set()
        self._counted: OrderedDict[tuple[int, str], None] = OrderedDict()

    async def receive(self, incoming: Incoming) -> bool:
        """Store a message with what it makes due; False when it was heard before.

        Raises:
            HomeUnwritable: nothing could be stored; the channel then keeps it for later.
            PersonRefused: nobody can have that name.
        """
        if not may_be_person(incoming.person):
            raise PersonRefused()
        if incoming.edited:
            return await self._edit(incoming)
        if incoming.continues:
            if (heard := await self._continue(incoming)) is not None:
                return heard
            incoming = replace(incoming, text=incoming.text.strip())
        attachments = [await self._keep(upload) for upload in incoming.uploads]
        shown = [replace(await self._keep(upload), shown=True) for upload in incoming.shows]
        words = bool(incoming.text.strip() or incoming.pressed)
        spoken = any(each.kind == "voice" and each.blob for each in attachments)
        told = any(each.problem or each.kind != "picture" for each in attachments)  # by a turn, words or none
        to_file = [place for place, each in enumerate(attachments) if each.blob and each.kind == "picture"]
        name = (incoming.channel, incoming.chat, incoming.id)
        try:
            message = await self._messages.store(
                incoming,
                [*attachments, *shown],
                at=incoming.at or self._now(),
                answer=words or told,
                extract=(spoken or bool(incoming.text.strip()))
                and not (incoming.command or incoming.forwarded),
                to_file=to_file,
            )
        except HomeUnwritable:
            self._doubtful.add(name)
            raise
        if name in self._doubtful:
            row = None if message is not None else await self._messages.find(*name)
            message = message_of(row) if row is not None else message
            self._doubtful.discard(name)
        if message is None:
            log.info("heard before", action="message_repeated", channel=incoming.channel, id=incoming.id)
            return False
        log.info(
            "message", action="message_stored", row=message.id, channel=incoming.channel, files=len(to_file)
        )
        # a late part of an album: what is being answered about it begins anew
        if words or told or message.album:
            self._wake(message)
        if to_file:
            await self._file(message)
        return True

    async def _edit(self, incoming: Incoming) -> bool:
        """A message heard before reads otherwise now. False: nothing follows from that."""
        row = await self._messages.find(incoming.channel, incoming.chat, incoming.id)
        if row is None or row.person != incoming.person:
            log.info("an edit of what was never heard", action="edit_unknown", channel=incoming.channel)
            return False
        if row.text == incoming.text:  # a link's preview came, a location moved, or it was delivered twice
            return False
        message = message_of(row)
        whole = len(row.text.encode("utf-16-le", "replace")) // 2 <= _MOST_AT_ONCE
        if whole and await self._revise(message, incoming.text):
            log.info("edited", action="message_edited", row=row.id, channel=incoming.channel)
            return True
        if (row.id, incoming.text) not in self._counted:
            log.info("edited too late", action="edit_late", row=row.id, channel=incoming.channel)
            await self._late(message)
            self._count(row.id, incoming.text)
        return False

    async def _continue(self, incoming: Incoming) -> bool | None:
        """The rest of a message heard before. None: it is one of its own, since that was answered or is not there."""
        row = await self._messages.find(incoming.channel, incoming.chat, incoming.continues)
        if row is None or row.person != incoming.person:
            return None
        if (row.id, incoming.id) in self._counted:
            return False
        known = await self._messages.find(incoming.channel, incoming.chat, incoming.id)
        if known is not None or not await self._revise(message_of(row), row.text + incoming.text):
            return None
        self._count(row.id, incoming.id)
        log.info("continued", action="message_continued", row=row.id, channel=incoming.channel)
        return True

    def _count(self, row: int, what: str) -> None:
        self._counted[row, what] = None
        if len(self._counted) > _MOST_LATE:
            self._counted.popitem(last=False)

    async def _keep(self, upload: Upload) -> Attachment:
        if upload.problem:
            return Attachment("", upload.name, 0, upload.problem)
        kind: FileKind = "paper" if is_paper(upload.data, upload.name) else "picture"
        if upload.voice:
            kind = "voice"
        return Attachment(await self._blobs.put(upload.data), upload.name, len(upload.data), kind=kind)
