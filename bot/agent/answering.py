"""One turn: brief the model, let it work with its tools, and put what came of it into words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.agent.briefing import Shown, brief, loaded
from bot.agent.continuing import TIMES
from bot.agent.eyes import Eyes
from bot.agent.loop import Beat, Bounds, Conversed, converse
from bot.agent.promises import Promises
from bot.agent.trimming import fitting
from bot.desk import Desk
from bot.models.model import Model
from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.people import People
from bot.tools import Tool
from bot.types import Answered, Button, Language, Message, Words
from bot.wording import parted, say
from classifiers.errors import PictureError
from classifiers.questions import names_one
from memory.snapshot import Snapshot

FOLLOWS = timedelta(minutes=10)  # how long after a picture a message may be about it
ALBUM = 0.7  # seconds without another picture after which an album is whole
TALKED = 4  # messages that may stand between a picture and words that speak of "this picture"
SAID_EACH = 5  # changes by hand that are told one by one
SHOWN = 4  # pictures in one briefing at most; the rest are in the archive

NO_TEXT = "(no text in it)"


async def always(words: str) -> bool:
    """For a model that is given all there is."""
    return True


@dataclass(frozen=True, slots=True)
class Answering:
    """The main conversation; one for the whole app."""

    model: Model
    tools: Mapping[str, Tool]
    messages: Messages
    outbox: OutboxRows
    filings: Filings
    people: People
    eyes: Eyes
    window: int = 32_000  # tokens that the model takes
    leaves_pictures: bool = (
        False  # the model has nothing to say to a picture that the filing beside does not say
    )
    wants_text: Callable[[str], Awaitable[bool]] = always  # of a picture, to answer these words about it

    async def __call__(self, desk: Desk, burst: Sequence[Message], beat: Beat) -> Answered:
        """Answer a burst at its desk. Raises what the model layer raises."""
        refused = [each.problem for message in burst for each in message.attachments if each.problem]
        if refused and not any(message.text.strip() for message in burst):
            return Answered((Words("\n".join(refused)),), refused[0])
        snapshot = await desk.memory.snapshot()
        history = await self.messages.history(burst[0], after=await self.people.fresh_from(desk.person))
        lately = any(line.files for line in history) or any(message.attachments for message in burst)
        pictures = await self._shown(burst, lately)
        beat()
        offered = [tool.spec for tool in self.tools.values()]
        prompt = fitting(brief(snapshot, history, burst, pictures, desk.now(), offered), self.window)
        promises = Promises(desk, history, shows=any(pictures.values()))
        speaks = not self.leaves_pictures  # the embedded default only says what it did
        conversed = await converse(
            self.model, prompt, self.tools, desk, beat, promises if speaks else None, Bounds(continued=TIMES)
        )
        silent = self.leaves_pictures and any(message.attachments for message in burst)
        answered = _spoken(conversed, snapshot, desk.language, may_be_silent=silent)
        ahead = [*_by_hand(desk), *([Words("\n".join(refused))] if refused else [])]
        return Answered(
            (*ahead, *answered.words), refused[0] if refused else answered.problem, tuple(promises.read)
        )

    async def _shown(self, burst: Sequence[Message], lately: bool) -> dict[int, list[Shown]]:
        """Pictures by the message they belong to; those of an album by the first of its messages.

        `lately`: files came in this talk, so that words may be about those before them.
        """
        shown: dict[int, list[Shown]] = {}
        albums: set[str] = set()
        for message in burst:
            if message.album and message.album in albums:
                continue
            albums.add(message.album)
            shown[message.id] = await self._pictures(message, lately)
        return shown

    async def _pictures(self, message: Message, lately: bool) -> list[Shown]:
        """What the message is about: its own pictures and its album's, those it replies to, or those sent right
        before it."""
        about = (
            await self._album(message)
            if message.attachments
            else await self._replied(message) or (await self._before(message) if lately else [])
        )
        shown: list[Shown] = []
        wanted = bool(about) and await self.wants_text(message.typed)
        for each in about[-SHOWN:]:
            rows = {row.place: row for row in await self.filings.of_message(each.id)}
            for place, attachment in enumerate(each.attachments):
                if len(shown) >= SHOWN:
                    continue
                if not attachment.blob:
                    why = f"(not received: {attachment.problem})"
                    shown.append(Shown(attachment.name or "?", "", instead=why))
                    continue
                row = rows.get(place)
                name = f"#{row.number}" if row and row.number else attachment.name or "?"
                if self.leaves_pictures and not wanted:  # nor does it wait until one is read
                    shown.append(Shown(name, row.text if row else ""))
                    continue
                try:
                    picture = await self.eyes.open(attachment.blob, attachment.name)
                    if self.model.sees:
                        shown.append(Shown(name, "", picture.jpeg))
                    else:
                        reading = await self.eyes.read(picture)
                        shown.append(Shown(name, reading.text, instead=NO_TEXT))
                except PictureError as error:
                    shown.append(Shown(name, "", instead=f"(cannot be read: {error})"))
                except FileNotFoundError:  # filed days ago: its text is what is left in the database
                    shown.append(Shown(name, row.text if row else "", instead=NO_TEXT))
        return shown

    async def _album(self, message: Message) -> list[Message]:
        """The message with its album, which comes one by one: waited for while more keeps coming."""
        found = await self.messages.album(message)
        while message.album and len(found) < SHOWN and not self.leaves_pictures:
            await asyncio.sleep(ALBUM)
            now = await self.messages.album(message)
            if len(now) == len(found):
                break
            found = now
        return found[:SHOWN]

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
        past = (
            TALKED if names_one(message.typed) else 0
        )  # words said since, where a picture is spoken of as one
        while past and before and not before.attachments:
            before, past = await self.messages.before(before), past - 1
        while before and before.attachments and message.at - before.at <= FOLLOWS:
            found.insert(0, before)
            if len(found) == SHOWN or before.text:  # words begin what was sent together
                break
            before = await self.messages.before(before)
        return found


def _by_hand(desk: Desk) -> list[Words]:
    """What the person changed in the files themself: it counts already, and is said once, with an undo."""
    said = _contradicting(desk)
    changes = desk.memory.untold()
    if len(changes) > SAID_EACH:  # a file that was replaced, or taken away
        added = sum(1 for each in changes if each.before is None)
        gone = sum(1 for each in changes if each.after is None)
        counts = {"added": added, "gone": gone, "changed": len(changes) - added - gone}
        return [Words(say(desk.language, "adopted.many", **counts), "notice"), *said]
    seen = []
    for outcome in changes:
        text = outcome.after or outcome.before or ""
        key = "adopted" if outcome.after else "adopted.gone"
        undo = (Button(say(desk.language, "undo"), f"undo:{outcome.entry}"),) if outcome.entry else ()
        seen.append(Words(say(desk.language, key, text=text), "notice", undo))
    return seen + said


def _contradicting(desk: Desk) -> list[Words]:
    """Rules typed by hand of which only one can be obeyed, with their rows in the file."""
    said = []
    for each in desk.memory.contradictions()[:SAID_EACH]:
        key = "contradiction.paused" if each.paused else "contradiction.open"
        values = {"row": each.row, "text": each.text, "other_row": each.other_row, "other": each.other}
        undo = (Button(say(desk.language, "undo"), f"undo:{each.paused}"),) if each.paused else ()
        said.append(Words(say(desk.language, key, **values), "notice", undo))
    return said


def _spoken(conversed: Conversed, snapshot: Snapshot, language: Language, *, may_be_silent: bool) -> Answered:
    """A conversation's end as what the person reads: the model's words, then one receipt a deed, with buttons; each
    picture that is shown is a message of its own, with the line that names it.
    """
    said, _ = parted(conversed.text)  # a receipt that stands there is repeated, or made up
    shown = {result.picture: result.receipt for result in conversed.results if result.picture}
    lines = [said] if said else []
    lines += conversed.unkept
    lines += [line for line in conversed.receipts if line not in said and line not in shown.values()]
    if said and (conversed.cut or conversed.filtered):
        lines.insert(1, say(language, "trouble.cut" if conversed.cut else "trouble.filtered_midway"))
    problem = ""
    if not lines and not shown and not may_be_silent:
        why = "filtered" if conversed.filtered else "spent" if conversed.cut else "empty"
        problem = say(language, f"trouble.{why}")
        lines = [problem]
    read = tuple(dict.fromkeys((*conversed.loaded, *loaded(snapshot))))
    pictures = [Words(line, picture=path) for path, line in shown.items()]
    told = [Words("\n\n".join(lines), buttons=conversed.buttons, loaded=read)] if lines else []
    return Answered((*pictures, *told), problem)
