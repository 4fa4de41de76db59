"""An answer shown while it grows: one message of ours, edited, that becomes the whole answer in the end.

Its name is a place first, `?120:-5`: what is said of message 5, with an id above 120 that is nobody else's; and then
its id. With the place alone it can be found after a lost answer, or a crash between its sending and the record of it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.channels.telegram.calls import BadRequest, Call
from bot.channels.telegram.ids import Ids
from bot.channels.telegram.parts import Part
from bot.errors import SendError, SendRefused
from bot.types import Language, Outgoing

log = structlog.get_logger(__name__)

PACE = 1.0  # seconds between two edits in a chat, at least
MOST_DRAFTS = 1000  # remembered


@dataclass(slots=True)
class _Draft:
    number: int | None = None  # None = its sending was not answered


class Drafts:
    """The drafts of one bot. The caller holds the chat's lock."""

    def __init__(
        self, call: Call, ids: Ids, language: Language, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._call = call
        self._ids = ids
        self._language: Language = language
        self._now = now
        self._drafts: OrderedDict[tuple[int, str], _Draft] = OrderedDict()  # by chat and place
        self._edited: dict[int, float] = {}  # chats, when a draft was last shown there

    def place(self, outgoing: Outgoing, chat: int) -> str:
        """A name for the message that will be sent next; "" where none may be shown that grows: groups are allowed
        twenty messages a minute, edits among them.
        """
        # of what has arrived in parts the last one is known: all that is there is older than this
        there = [int(each) for each in (outgoing.reply_to, *outgoing.arrived) if each.isdigit()]
        before = self._ids.newest(chat) or max(there, default=0)
        return f"?{before}:{outgoing.id}" if chat > 0 and before else ""

    def fresh(self, chat: int, shown: str) -> bool:
        """Whether nothing was tried at this place yet."""
        return shown.startswith("?") and (chat, shown) not in self._drafts

    def begun(self, chat: int, shown: str, number: int | None) -> None:
        """It was sent: as this message, or without an answer."""
        self._drafts[chat, shown] = _Draft(number)
        self._edited[chat] = self._now()
        if len(self._drafts) > MOST_DRAFTS:
            self._drafts.popitem(last=False)

    async def grow(self, outgoing: Outgoing, part: Part, chat: int) -> int:
        """Give a draft more words; returns its id. Raises `SendRefused` when it is gone."""
        number = await self._edit(outgoing, part, chat)
        if number is None:
            raise SendRefused("the message that showed the answer is gone")
        self.begun(chat, outgoing.shown, number)
        return number

    def rest(self, chat: int) -> float:
        """Seconds until a draft in this chat may be edited again."""
        return max(0.0, self._edited.pop(chat, float("-inf")) + PACE - self._now())

    async def become(self, outgoing: Outgoing, part: Part, chat: int) -> int | None:
        """Make a draft the whole answer, or its first part; returns its id. None when it cannot become that and is
        gone: then the part is yet to be sent.
        """
        words = Part(part.text or "…", part.entities, buttons=part.buttons)
        number = await self._edit(outgoing, words, chat)
        if number is None or part.file is None:
            return number
        await self._remove(chat, number)
        return None

    async def withdraw(self, outgoing: Outgoing, chat: int) -> None:
        """Take a draft away."""
        number = await self._edit(outgoing, Part("…", []), chat)
        if number is not None:
            await self._remove(chat, number)

    async def _edit(self, outgoing: Outgoing, part: Part, chat: int) -> int | None:
        draft = self._drafts.get((chat, outgoing.shown))
        if outgoing.shown.isdigit():
            number = int(outgoing.shown)
        elif draft is not None and draft.number is not None:
            number = draft.number
        else:
            known = [int(each) for each in outgoing.arrived if each.isdigit()]
            return await self._ids.find(
                self._call, part, chat, int(outgoing.shown[1:].partition(":")[0]), known
            )
        while True:
            try:
                await self._call(part.edit, {"chat_id": chat, "message_id": number} | part.content())
            except BadRequest as refused:
                why = str(refused).lower()
                if "not modified" in why:
                    return number
                if not part.simpler(why, self._language):
                    log.info("a draft is gone", action="draft_gone", chat=chat, error=str(refused))
                    await self._remove(chat, number)
                    return None
            else:
                return number

    async def _remove(self, chat: int, number: int) -> None:
        """What cannot become the answer does not stand beside it either."""
        try:
            await self._call("deleteMessage", {"chat_id": chat, "message_id": number})
        except SendError as error:
            log.info("a draft was not removed", action="draft_left", chat=chat, error=str(error))
