"""One picture, from bytes to its place: seen before? → open → read → the rules *as they are now* → judge → shelve."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import structlog

from classifiers import kinds
from classifiers.categories import UNSORTED, clean_name, find, is_unfiled
from classifiers.errors import ReadingFailed, Unreadable
from classifiers.ports import Core, Judge, Read, Shelf
from classifiers.titles import clean_title
from classifiers.types import Case, Ended, Filed, Filing, Language, Picture, Reading
from classifiers.wishes import read_wish

log = structlog.get_logger()

Open = Callable[[bytes, str], Awaitable[Picture]]
"""Decode a file. Raises `Unreadable`."""


@dataclass(frozen=True, slots=True)
class Judges:
    """Who judges: the model-free one always, one by a model where there is a model.

    `permanent` are the errors of the model layer that will never pass by themselves (a refusal, a wrong key):
    the model-free judge then decides. Every other error of the model goes to the caller, so that the job is
    tried again.
    """

    offline: Judge
    model: Judge | None = None
    # the model sees the picture itself, so that one whose text cannot be read can be judged
    sees: bool = False
    permanent: tuple[type[Exception], ...] = field(default=())
    reads: Judge | None = None  # a model too, by the words in a picture alone
    limit: float | None = None  # seconds that the model may take; then the model-free judge decides


class ImageClassifier:
    """Files one person's pictures. `core` is that person's `memory.core`, uncalled; it is never kept."""

    def __init__(self, core: Core, shelf: Shelf, judges: Judges, *, open: Open, read: Read) -> None:
        self._core = core
        self._shelf = shelf
        self._judges = judges
        self._open = open
        self._read = read

    async def file(
        self, data: bytes, name: str = "", *, caption: str = "", language: Language = "zh", wish: str = ""
    ) -> Filed:
        """File one picture.

        Args:
            data: the file as it was sent; never altered.
            name: display text only.
            caption: the person's own words with it; "这张先放杂项" beats the rules, for this picture only.
            wish: a category that the caller knows the person asked for, for this picture only.

        Returns:
            How it ended; a file that is no picture is an end too, with a sentence for the person.

        Raises:
            whatever the model layer raises for a failure that may pass: try again later, nothing was shelved.
        """
        await kinds.ready()
        clock = _Clock()
        sha256 = await asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest())
        if data and (known := await self._shelf.seen(sha256)) is not None:
            return Filed(Ended.DUPLICATE, number=known, duplicate_of=known, timings=clock.seconds)
        try:
            with clock.step("prepare"):
                picture = await self._open(data, name)
        except Unreadable as error:
            return await self._unreadable(error, data, sha256, name, language, clock)
        try:
            with clock.step("read"):
                reading = await self._read(picture)
        except ReadingFailed as error:
            reading = Reading("")
            log.warning("picture could not be read", action="filing.unread", sha256=sha256)
            if not self._judges.sees and not caption and not wish:
                return await self._unread(picture, reading, error.sentence(language), name, language, clock)
        return await self._place(picture, reading, caption, language, wish, clock)

    async def _place(
        self, picture: Picture, reading: Reading, caption: str, language: Language, wish: str, clock: _Clock
    ) -> Filed:
        similar = await self._shelf.alike(picture, reading.text)
        known = await self._shelf.categories()
        categories = tuple(each for each in known if not is_unfiled(each.name))  # that is none to choose
        near = (
            await self._shelf.nearest(f"{caption}\n{reading.text}".strip(), 5)
            if reading.text or caption
            else ()
        )
        nearest = tuple(each for each in near if not is_unfiled(each.category))
        rules = await self._core()  # now, not when the job was made: a rule said a second ago counts
        case = Case(picture, reading, rules, categories, nearest, caption, language)
        with clock.step("judge"):
            filing = await self._judge(case)
            filing = self._grant(filing, wish or read_wish(caption, [c.name for c in categories]) or "", case)
        filing = _tidy(filing, language)
        with clock.step("shelve"):
            number = await self._shelf.put(picture, reading, filing)
        log.info(
            "filed", action="filing.done", number=number, judged_by=filing.judged_by, rule=bool(filing.rule)
        )
        return Filed(
            Ended.FILED,
            number=number,
            filing=filing,
            text=reading.text,
            rules_seen=version_of(rules),
            similar_to=similar,
            note=picture.note,
            timings=clock.seconds,
        )

    async def _judge(self, case: Case) -> Filing:
        if self._judges.model is None:
            return await self._judges.offline(case)
        try:
            async with asyncio.timeout(self._judges.limit) as waiting:
                return await self._judges.model(case)
        except TimeoutError:
            if not waiting.expired():
                raise  # of the model's own
            log.warning("model is silent", action="filing.model_silent", seconds=self._judges.limit)
            return await self._judges.offline(case)
        except self._judges.permanent as error:
            log.warning("model cannot judge", action="filing.model_refused", error=type(error).__name__)
            return await self._judges.offline(case)

    def _grant(self, filing: Filing, wish: str, case: Case) -> Filing:
        """What the person asked for this one picture beats every rule, for this one picture."""
        if not wish:
            return filing
        found = find(wish, case.categories)
        category = found.name if found else clean_name(wish)
        if not category:
            return filing
        why = {"zh": "按你这次说的放。", "en": "As you asked for this one."}[case.language]
        return replace(
            filing,
            category=category,
            is_new=found is None,
            rule=None,
            confidence=1.0,
            runner_up=None,
            why=why,
        )

    async def _unreadable(
        self, error: Unreadable, data: bytes, sha256: str, name: str, language: Language, clock: _Clock
    ) -> Filed:
        sentence = error.sentence(language)
        log.info("file is no readable picture", action="filing.unreadable", keep=error.keep, sha256=sha256)
        if not error.keep:
            return Filed(Ended.REFUSED, sentence=sentence, timings=clock.seconds)
        picture = Picture(
            sha256, b"", 0, 0, error.extension.strip(".").upper(), error.extension, original=data
        )
        return await self._unread(picture, Reading(""), sentence, name, language, clock)

    async def _unread(
        self, picture: Picture, reading: Reading, sentence: str, name: str, language: Language, clock: _Clock
    ) -> Filed:
        title = clean_title(name.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0])
        filing = Filing(
            category=UNSORTED[language],
            title=title or {"zh": "未能读取的文件", "en": "Unread file"}[language],
            summary=sentence,
            confidence=0.0,
            is_new=find(UNSORTED[language], await self._shelf.categories()) is None,
            why=sentence,
            judged_by="none",
        )
        with clock.step("shelve"):
            number = await self._shelf.put(picture, reading, filing)
        return Filed(
            Ended.KEPT_UNREAD,
            number=number,
            filing=filing,
            sentence=sentence,
            note=picture.note,
            timings=clock.seconds,
        )


def version_of(rules: str) -> str:
    """A short name for the rules as they were when a picture was judged."""
    return hashlib.sha256(rules.encode()).hexdigest()[:12]


def _tidy(filing: Filing, language: Language) -> Filing:
    category = clean_name(filing.category) or UNSORTED[language]
    title = clean_title(filing.title) or {"zh": "未命名", "en": "Untitled"}[language]
    return replace(filing, category=category, title=title)


class _Clock:
    """Seconds spent in each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(time.perf_counter() - started, 4)
