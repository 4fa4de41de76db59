"""Slow memory, first step: what a talk that has gone quiet showed about the person, as notes.

A note is no memory: it is a candidate that consolidation weighs with others and with what is remembered. It quotes
what the person typed in one message. A reading holds at most `WINDOW` characters and never cuts a message; what is
too long for one is read sentence by sentence. An answer that cannot be read is asked for again, then the stretch is
halved, then it fails: it is never "nothing to note".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from memory.answers import rows_in
from memory.changes import Learn, Source, Speaker
from memory.clauses import sentences
from memory.dates import find_dates, iso_day
from memory.dating import dated
from memory.errors import ExtractionFailed
from memory.extractor import Ask, prompt, windows
from memory.fence import fenced
from memory.grounding import borne, only_asks, quoted
from memory.guard import refusal
from memory.handed import of_others_words
from memory.language import language_of
from memory.own_words import own_words
from memory.phrasing import supposes
from memory.secret_shapes import secret_in
from memory.speech_acts import relays
from memory.utterance import Utterance
from memory.words import content as content_of
from memory.words import covered, squeeze

WINDOW = 4_000  # characters of talk that one reading holds, neighbours included
VALID = timedelta(days=60)  # how long a note that names no end takes part
_LATEST = timedelta(days=400)  # a day later than that is a slip
_NEW = 3_000  # of them, at most, for what is new
_BESIDE = 400  # and for neighbours, on either side
_SHOWN = 200  # characters of somebody else's words in between
_LONGEST = 500  # characters of a note
_EXAMPLES = {"zh": "notes_examples_zh", "en": "notes_examples_en"}


@dataclass(frozen=True, slots=True)
class Note:
    """Something a talk showed, with the words that showed it."""

    content: str  # one plain sentence
    situation: str  # project, person or occasion it belongs to; "" = everywhere
    at: datetime  # aware; when it was said
    quote: str  # verbatim, from one message that the person typed
    conversation: str
    message: str
    sitting: str  # the stretch of talk it was said in; what two of them show is more than a mood
    until: date  # last day it takes part in consolidation
    id: int = 0  # its row


@dataclass(frozen=True, slots=True)
class Spoken:
    """One row of the talk that is read."""

    utterance: Utterance
    new: bool  # the person's own and not read yet; else a neighbour
    sitting: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What one request reads: a stretch of the talk, or a piece of one message that is too long for a request."""

    talk: Sequence[Spoken]
    start: int
    end: int  # exclusive
    piece: str = ""  # of the one message, where it is read in pieces
    last: bool = True  # nothing of its last message is left to be read

    @property
    def new(self) -> list[Spoken]:
        """The messages that may be quoted."""
        return [each for each in self.talk[self.start : self.end] if each.new]


def readings(talk: Sequence[Spoken], most: int = _NEW) -> list[Reading]:
    """All that is new, in order, in readings that fit."""
    out: list[Reading] = []
    start, size = 0, 0
    for i, each in enumerate(talk):
        row = len(_row(each))
        if size and size + row > most:
            out.append(Reading(talk, start, i))
            start, size = i, 0
        if each.new and row > most:
            pieces = windows(own_words(each.utterance.text), most - 100) or [""]
            out += [Reading(talk, i, i + 1, p, last=n == len(pieces)) for n, p in enumerate(pieces, 1)]
            start, size = i + 1, 0
        else:
            size += row + 1
    out.append(Reading(talk, start, len(talk)))
    return [reading for reading in out if reading.new]


class NoteTaker:
    """Reads talk with a model; stores nothing."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def distil(self, talk: Sequence[Spoken], now: datetime) -> AsyncIterator[tuple[list[Note], str]]:
        """(notes, id of the message up to which all is read), stretch by stretch, to be stored as they come.

        Raises:
            ExtractionFailed: the next message cannot be read, not even alone.
            Exception: what the model layer raises.
        """
        kept: list[Note] = []
        waiting = readings(talk)
        while waiting:
            reading = waiting.pop(0)
            try:
                kept += await self.read(reading, now)
            except ExtractionFailed:
                halves = _halves(reading)
                if not halves:
                    raise
                waiting = [*halves, *waiting]
                continue
            if reading.last:
                yield kept, reading.new[-1].utterance.message
                kept = []

    async def read(self, reading: Reading, now: datetime) -> list[Note]:
        """The notes of one reading; what is not borne out by the words is left out.

        Raises:
            ExtractionFailed: the answer could not be read, even after asking again.
        """
        own = "\n".join(own_words(each.utterance.text) for each in reading.new)
        if not any(c.isalnum() for c in own):
            return []
        system = await asyncio.to_thread(instructions, language_of(own) or "en")
        user = request(reading, now)
        answer = await self._ask(system, user)
        try:
            rows = rows_in(answer, "notes")
            problem = _misquoted(rows, reading)
        except ExtractionFailed as error:
            rows, problem = None, str(error)
        if problem:
            again = await asyncio.to_thread(prompt, "notes_again")
            again = again.replace("{problem}", problem).replace("{answer}", answer[-WINDOW:])
            try:
                rows = rows_in(await self._ask(system, f"{user}\n\n{again}"), "notes")
            except ExtractionFailed:
                if rows is None:
                    raise
        notes = [_note(row, reading, now) for row in rows or []]
        return list({(n.message, squeeze(n.quote), squeeze(n.content)): n for n in notes if n}.values())


def instructions(language: str) -> str:
    """What to note and how to answer, with examples in the language of the talk."""
    return prompt("notes").replace("{examples}", prompt(_EXAMPLES[language]).strip())


def request(reading: Reading, now: datetime) -> str:
    """The talk, fenced as data; only the person's new messages bear numbers."""
    talk = reading.talk
    before = [_row(replace(each, new=False)) for each in talk[max(0, reading.start - 4) : reading.start]]
    after = [_row(replace(each, new=False)) for each in talk[reading.end : reading.end + 2]]
    rows = [_row(each, reading.piece) for each in talk[reading.start : reading.end]]
    parts = (
        ("EARLIER", "earlier", _fitting(before, last=True)),
        ("TALK", "talk", rows),
        ("LATER", "later", _fitting(after)),
    )
    shown = [fenced(name, tag, each) for name, tag, each in parts if each]
    return "\n\n".join([*shown, f"Today is {now:%A %Y-%m-%d}."])


def _fitting(rows: list[str], *, last: bool = False) -> list[str]:
    """As many neighbours as may go along, the nearest kept."""
    kept, left = list[str](), _BESIDE
    for row in reversed(rows) if last else rows:
        left -= len(row)
        if left < 0:
            break
        kept.append(row)
    return kept[::-1] if last else kept


def _row(each: Spoken, piece: str = "") -> str:
    utterance = each.utterance
    if each.new:
        return f"[{utterance.message}] {utterance.at:%Y-%m-%d %H:%M} person: {piece or utterance.text}"
    who = "somebody else" if utterance.role is Speaker.TOOL else utterance.role.value
    return f"{who}: {' '.join(utterance.text.split())[:_SHOWN]}"


def _halves(reading: Reading) -> list[Reading]:
    """The same in two, between messages; none for a single one."""
    places = [i for i in range(reading.start, reading.end) if reading.talk[i].new]
    if len(places) < 2:
        return []
    middle = places[len(places) // 2]
    return [replace(reading, end=middle), replace(reading, start=middle)]


def _misquoted(rows: Sequence[dict[str, Any]], reading: Reading) -> str:
    """What is wrong with the first quote that no message holds, "" when all do."""
    for row in rows:
        quote = str(row.get("quote") or "")
        if _said(row, reading) is None:
            return f"{quote!r} does not stand in the person's message {row.get('message')!r}"
    return ""


def _said(row: dict[str, Any], reading: Reading) -> tuple[Spoken, str] | None:
    """The message that a note quotes, and the quote as it stands there."""
    number = str(row.get("message") or "").strip("[]# ")
    quote, content = str(row.get("quote") or ""), _plain(row.get("content"))
    named = [each for each in reading.new if each.utterance.message == number]
    for each in [*named, *(each for each in reading.new if each not in named)]:
        own = own_words(each.utterance.text)
        found = quoted(quote, own, content if each in named else "")
        if found and squeeze(found) in squeeze(own):
            return each, found
    return None


def _note(row: dict[str, Any], reading: Reading, now: datetime) -> Note | None:
    """A note that the words bear out, or None."""
    said = _said(row, reading)
    content, situation = _plain(row.get("content")), _plain(row.get("situation"))
    if said is not None:
        at = said[0].utterance.at
        content = dated(content, at, language_of(content) or "en", weekdays=False)
    if said is None or not content or len(content) + len(situation) > _LONGEST:
        return None
    each, quote = said
    utterance, own = each.utterance, own_words(each.utterance.text)
    source = Source(utterance.conversation, utterance.message, utterance.at, own, quote, "notes")
    around = [part.text for part in sentences(own) if squeeze(quote) in squeeze(part.text)]
    if only_asks(quote) or any(map(secret_in, (quote, content, situation, *around))):
        return None
    for part in around:
        language = language_of(part) or "en"
        if relays(part, language) or supposes(part, language):  # somebody else's wish; a thought played with
            return None
    if of_others_words(own, quote):
        return None
    if (
        not borne(content, own, situation, dated(own, utterance.at, language_of(own) or "en"))
        or refusal(Learn(content), source, "en") is not None
    ):
        return None
    talk = "\n".join(s.utterance.text for s in reading.talk if s.utterance.role is Speaker.PERSON)
    if covered(content_of(situation), content_of(talk)) < 1:  # a project nobody named
        situation = ""
    until = _last_day(row, own, utterance.at)
    return Note(
        content,
        situation,
        utterance.at,
        quote,
        utterance.conversation,
        utterance.message,
        each.sitting,
        until,
    )


def _last_day(row: dict[str, Any], own: str, at: datetime) -> date:
    """The day that was named as the last one, where the person named it; models fill in one everywhere."""
    until, day = iso_day(row.get("until")), at.date()
    named = {end for found in find_dates(own, at) for end in (found.first, found.last)}
    return until if until in named and day <= until <= day + _LATEST else day + VALID


def _plain(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
