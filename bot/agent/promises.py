"""An answer that claims a deed with nothing behind it: found, sent back once, and then said to be untrue.

What makes a claim true: a tool of this turn that did it; memory, where the line is there already; a receipt shown
before, where the answer speaks of that; the filing that pictures set off by themselves; and what reading the message
for memory writes. The last one is therefore done at once when an answer says "saved", instead of after the turn: the
person reads the claim and its receipt together, or the claim and that it is not so.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from bot.agent.claims import Claim, claims
from bot.desk import Desk
from bot.errors import ModelError
from bot.storage.records import HistoryLine
from bot.tools.deeds import Deed
from bot.tools.noting import told
from bot.tools.tool import Result
from bot.types import Language
from bot.wording import parted, say, saying
from memory.errors import ExtractionFailed
from memory.never import forbidden
from memory.words import content, covered

log = structlog.get_logger(__name__)

BACK = (Path(__file__).parent.parent / "prompts" / "unkept.md").read_text(encoding="utf-8").strip()
_HELD = 0.7  # share of a line that claim and message hold between them, to be the line that is meant
# seconds that an answer waits for memory to read what it says was saved; then the job after it does
NOTE = 10.0
_MEMORY = frozenset({Deed.KEPT, Deed.FORGOTTEN})
_ASKED = re.compile(r"[?？]\s*$|[吗么没呢][。!！～~]*\s*$")
_NAMES = {
    Deed.KEPT: "something was stored in memory",
    Deed.FORGOTTEN: "something was removed from memory",
    Deed.PICTURE: "a picture was filed, moved, renamed or deleted",
    Deed.UNDONE: "something was undone",
    Deed.SCHEDULED: "a reminder or date was set",
    Deed.SENT: "a message was sent to somebody",
    Deed.SEARCHED: "memory, pictures or talk were searched",
    Deed.BROWSED: "the web was searched",
    Deed.OUTSIDE: "something was arranged in the world",
}
_RECEIPTS = {
    Deed.KEPT: ("kept", "replaced", "known"),
    Deed.FORGOTTEN: ("removed",),
    Deed.PICTURE: (
        *("filed", "filed.again", "filed.album", "filed.restored", "filed.unfiled", "filed.unfiled.again"),
        *("moved", "moved.many", "renamed", "deleted", "deleted.many", "merged", "bin.restored"),
    ),
    Deed.UNDONE: (
        *("restored", "undone", "moved.back", "renamed.back", "deleted.back", "merged.back"),
        *("bin.restored", "folder.undone"),
    ),
}


@dataclass(eq=False, slots=True)
class Promises:
    """What the answer of one turn may claim."""

    desk: Desk
    history: Sequence[HistoryLine] = ()
    shows: bool = False  # pictures are part of this turn: they file themselves, and the model reads them
    read: list[int] = field(default_factory=list)  # messages that were read for memory because of a claim
    _later: bool = False  # reading failed; it is done again after the turn

    async def unkept(self, text: str, done: Collection[Deed]) -> tuple[list[Deed], list[Result]]:
        """(kinds of deeds that an answer claims and that did not happen, what reading for memory did just now)."""
        open_ = [claim for claim in claims(parted(text)[0]) if not await self._true(claim, set(done))]
        noted: list[Result] = []
        if not self.read and not self._later and any(claim.deed in _MEMORY for claim in open_):
            noted = await self._note()
            if any(result.deed or result.already for result in noted):
                open_ = [claim for claim in open_ if claim.deed not in _MEMORY]
        deeds = list(dict.fromkeys(claim.deed for claim in open_))
        if deeds:
            log.info("claimed, not done", action="promise_unkept", deeds=[deed.value for deed in deeds])
        return deeds, noted

    def back(self, deeds: Iterable[Deed]) -> str:
        """What the model is told."""
        return BACK.replace("{deeds}", "; ".join(_NAMES[deed] for deed in deeds))

    def honest(self, deeds: Iterable[Deed], language: Language) -> list[str]:
        """The lines that stand under an answer that claims them all the same."""
        typed = [message.typed for message in self.desk.burst if message.typed]
        why = next((reason for text in typed if (reason := forbidden(text, language))), "")
        lines: list[str] = []
        for deed in deeds:
            later = self._later and deed in _MEMORY and not why
            lines.append(say(language, "promise.later" if later else f"promise.{deed.value}"))
            lines += [why] if why and deed is Deed.KEPT else []
        return list(dict.fromkeys(lines))

    async def _true(self, claim: Claim, done: set[Deed]) -> bool:
        if done & {claim.deed, *claim.kept_by}:
            return True
        if self.shows and claim.deed in (Deed.PICTURE, Deed.SEARCHED):
            return True
        if (claim.earlier or self._asked()) and self._shown(claim):
            return True
        return claim.deed is Deed.KEPT and await self._stands(claim)

    def _asked(self) -> bool:
        """Whether the person only asks: then the answer may tell of what was done before."""
        typed = [message.typed.strip() for message in self.desk.burst if message.typed]
        return bool(typed) and all(_ASKED.search(text) for text in typed)

    def _shown(self, claim: Claim) -> bool:
        """Whether a receipt of such a deed was shown in the talk before."""
        keys = [key for deed in (claim.deed, *claim.kept_by) for key in _RECEIPTS.get(deed, ())]
        receipt = saying(keys)
        lines = (line for line in self.history if line.ours)
        receipts = (
            row for line in lines for row in (line.text.split("\n") if line.shown else parted(line.text)[1])
        )
        return any(receipt.match(row.strip()) for row in receipts)

    async def _stands(self, claim: Claim) -> bool:
        """Whether memory holds what the answer says it holds."""
        said = content("\n".join([claim.words, *(message.typed for message in self.desk.burst)]))
        return any(covered(content(line.text), said) >= _HELD for _, line in await self.desk.memory.lines())

    async def _note(self) -> list[Result]:
        """Read this turn's messages for memory now; one that fails is left to the job after the turn."""
        results: list[Result] = []
        for message in self.desk.burst:
            if self.desk.note is None or not message.typed or message.command:
                continue
            try:
                async with asyncio.timeout(NOTE):
                    noted = await self.desk.note(message)
            except (ExtractionFailed, ModelError, TimeoutError) as error:
                log.info("not read yet", action="promise_later", row=message.id, error=str(error))
                self._later = True
                continue
            self.read.append(message.id)
            results += await told(self.desk, noted)
        return results
