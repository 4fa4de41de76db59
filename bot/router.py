"""Where every message comes in: stored first, then handed to the hands that are due to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from bot.errors import PersonRefused
from bot.storage.blobs import Blobs
from bot.storage.messages import Messages
from bot.types import Attachment, Incoming, Message, Upload, may_be_person

log = structlog.get_logger(__name__)

Wake = Callable[[str], None]
"""This person has a turn due."""

File = Callable[[Message], Awaitable[None]]
"""This message brought files to be filed."""


class Router:
    """`receive` is what channels call. It returns when the message is stored, not when it is answered."""

    def __init__(
        self, messages: Messages, blobs: Blobs, *, wake: Wake, file: File, now: Callable[[], datetime]
    ) -> None:
        self._messages = messages
        self._blobs = blobs
        self._wake = wake
        self._file = file
        self._now = now

    async def receive(self, incoming: Incoming) -> bool:
        """Store a message with what it makes due; False when it was heard before.

        Raises:
            HomeUnwritable: nothing could be stored; the channel then keeps it for later.
            PersonRefused: nobody can have that name.
        """
        if not may_be_person(incoming.person):
            raise PersonRefused()
        attachments = [await self._keep(upload) for upload in incoming.uploads]
        words = bool(incoming.text.strip() or incoming.pressed)
        broken = any(attachment.problem for attachment in attachments)
        to_file = [place for place, attachment in enumerate(attachments) if attachment.blob]
        message = await self._messages.store(
            incoming,
            attachments,
            at=incoming.at or self._now(),
            answer=words or broken,
            extract=bool(incoming.text.strip()) and not incoming.command and not incoming.forwarded,
            to_file=to_file,
        )
        if message is None:
            log.info("heard before", action="message_repeated", channel=incoming.channel, id=incoming.id)
            return False
        log.info(
            "message", action="message_stored", row=message.id, channel=incoming.channel, files=len(to_file)
        )
        if words or broken:
            self._wake(incoming.person)
        if to_file:
            await self._file(message)
        return True

    async def _keep(self, upload: Upload) -> Attachment:
        if upload.problem:
            return Attachment("", upload.name, 0, upload.problem)
        return Attachment(await self._blobs.put(upload.data), upload.name, len(upload.data))
