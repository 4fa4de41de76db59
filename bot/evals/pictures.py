"""`kairos eval pictures`: every file of a manifest filed by the bot's own job, in an archive of its own."""

from __future__ import annotations

import asyncio
import struct
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.agent.eyes import Eyes
from bot.evals import bare as bare_ocr
from bot.evals.footprint import Peak
from bot.evals.manifest import Entry, bytes_of, read_manifest, searchable
from bot.evals.report import Report, percentile, read_json, share
from bot.filer import Filer
from bot.household import Household
from bot.jobs.filing import FilingJob
from bot.minds import Minds
from bot.progress import Progress
from bot.router import Router
from bot.settings import Settings
from bot.storage import Storage, open_storage
from bot.storage.records import FilingRow
from bot.types import Incoming, Language, Message, Upload
from bot.wording import language_of

PERSON, AFTER = "me", "after"  # whose pictures are judged; who sends a good one after each odd one
FAILED = "failed"

_NAMES = {
    "files": ("文件", "files"),
    "labelled": ("有标签的图片", "pictures with a label"),
    "right": ("　归类正确", "  filed right"),
    "accuracy": ("准确率", "accuracy"),
    "must_find": ("应能找到的文字", "texts that must be found"),
    "found": ("　找到", "  found"),
    "must_find_recall": ("文字召回率", "recall of texts"),
    "odd": ("刁钻的文件", "odd files"),
    "odd_ok": ("　处理得当", "  handled well"),
    "outcomes": ("结果", "outcomes"),
    "seconds_p50": ("每张秒数（中位）", "seconds a picture, p50"),
    "seconds_p95": ("每张秒数（95%）", "seconds a picture, p95"),
    "bare_ratio": ("与裸 RapidOCR 之比", "times bare RapidOCR"),
    "peak_mb": ("内存峰值 MB", "peak memory, MB"),
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How one file ended."""

    outcome: str
    category: str = ""
    title: str = ""
    text: str = ""
    seconds: float = 0.0
    problem: str = ""


class Desk:
    """The bot's path of a picture, from its arrival to the shelf."""

    def __init__(
        self, settings: Settings, storage: Storage, minds: Minds, now: Callable[[], datetime]
    ) -> None:
        household = Household(settings, storage, minds, Progress(), now)
        eyes = Eyes(minds.reader.open, minds.reader.read, storage.blobs, storage.filings)
        filer = Filer(storage, minds, household, eyes)
        self._rows = storage.filings
        self._stored: Message | None = None
        self._router = Router(storage.messages, storage.blobs, wake=lambda _: None, file=self._keep, now=now)
        self._job = FilingJob(
            rows=storage.filings,
            messages=storage.messages,
            outbox=storage.outbox,
            blobs=storage.blobs,
            classify=filer.classify,
            wish=minds.wish,
            language=storage.people.language,
        )
        self._sent = 0

    async def _keep(self, message: Message) -> None:
        self._stored = message

    async def send(self, person: str, data: bytes, name: str) -> Ended:
        """One picture arrives and is filed; a crash in it ends as the job engine would end it."""
        began = time.perf_counter()
        [ended] = await asyncio.gather(self._file(person, data, name), return_exceptions=True)
        if isinstance(ended, BaseException):
            if not isinstance(ended, Exception):
                raise ended
            problem = f"{type(ended).__name__}: {ended}"
            return Ended(FAILED, seconds=round(time.perf_counter() - began, 3), problem=problem)
        return ended

    async def _file(self, person: str, data: bytes, name: str) -> Ended:
        self._sent += 1
        self._stored = None
        upload = Upload(data, name)
        await self._router.receive(Incoming("eval", person, str(self._sent), person, uploads=(upload,)))
        assert self._stored is not None
        [row] = await self._rows.of_message(self._stored.id)
        began = time.perf_counter()
        await self._job.run(row.id)
        seconds = round(time.perf_counter() - began, 3)
        row = await self._rows.get(row.id)
        shown = await self._original(row)
        return Ended(row.state, shown.category, shown.title, shown.text, seconds, row.problem)

    async def _original(self, row: FilingRow) -> FilingRow:
        """Of a duplicate, the item that it is."""
        if row.state != "duplicate":
            return row
        return await self._rows.with_bytes(row.person, row.blob) or row


@asynccontextmanager
async def open_desk(
    settings: Settings, minds: Minds, categories: Sequence[tuple[str, str]]
) -> AsyncIterator[Desk]:
    """A desk whose people have these (name, description) as their categories."""
    zone = await asyncio.to_thread(settings.zone)

    def now() -> datetime:
        return datetime.now(zone)

    async with open_storage(settings, now) as storage:
        for person in (PERSON, AFTER):
            for name, description in categories:
                await storage.filings.add_category(person, name, description)
        yield Desk(settings, storage, minds, now)


class Tally:
    """Sums over files."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.times: list[float] = []

    def count(self, entry: Entry, ended: Ended, after: str | None) -> list[str]:
        """One file; returns what is wrong with it."""
        text = searchable(ended.text)
        missing = [each for each in entry.must_find if searchable(each) not in text]
        misfiled = bool(entry.labels) and ended.category not in entry.labels
        allowed = ended.outcome in (entry.outcomes or {"filed"})
        good = allowed and not missing and after in (None, "filed")
        self.outcomes[ended.outcome] += 1
        if ended.outcome == "filed":
            self.times.append(ended.seconds)
        self.counts.update(
            files=1,
            labelled=bool(entry.labels),
            right=bool(entry.labels) and not misfiled,
            must_find=len(entry.must_find),
            found=len(entry.must_find) - len(missing),
            odd=entry.odd,
            odd_ok=entry.odd and good,
        )
        faults = [f"lacks {each}" for each in missing]
        faults += [f"in {ended.category or '–'}, not {'/'.join(sorted(entry.labels))}"] if misfiled else []
        faults += [] if allowed else [f"{ended.outcome}, not {'/'.join(sorted(entry.outcomes)) or 'filed'}"]
        return faults + ([] if after in (None, "filed") else [f"a good picture after it: {after}"])

    def totals(self, **more: Any) -> dict[str, Any]:
        """The line of totals."""
        keys = ("files", "labelled", "right", "must_find", "found", "odd", "odd_ok")
        numbers = {key: int(self.counts[key]) for key in keys}
        return {
            "totals": "pictures",
            **numbers,
            "accuracy": share(numbers["right"], numbers["labelled"]),
            "must_find_recall": share(numbers["found"], numbers["must_find"]),
            "odd_rate": share(numbers["odd_ok"], numbers["odd"]),
            "outcomes": dict(sorted(self.outcomes.items())),
            "seconds_p50": percentile(self.times, 0.5),
            "seconds_p95": percentile(self.times, 0.95),
            "seconds_total": round(sum(self.times), 1),
            **more,
        }


async def run(
    folder: Path, settings: Settings, minds: Minds, *, as_json: bool, bare: bool, language: Language
) -> dict[str, Any]:
    """File everything, print what happened; returns the totals. Raises `CaseFileError`."""
    manifest = await asyncio.to_thread(read_json, folder / "manifest.json", language)
    categories, entries = read_manifest(manifest, folder, language)
    spoken = language_of(" ".join(name for name, _ in categories)) or "zh"
    settings = settings.model_copy(update={"language": spoken})
    report, tally = Report(len(entries), as_json, language), Tally()
    good, done = _drawn(), list[tuple[Entry, Ended]]()
    fastest = float("inf")
    async with Peak() as peak, open_desk(settings, minds, categories) as desk:
        # the reader starts now, not within the first picture's time
        await desk.send(AFTER, good, "first.png")
        for place, entry in enumerate(entries):
            data = await asyncio.to_thread(bytes_of, folder, entry.file)
            name = Path(entry.file).name
            ended = await desk.send(PERSON, data, name) if data is not None else Ended("missing")
            after = None
            if entry.odd:
                after = (await desk.send(AFTER, good + str(place).encode(), "good.png")).outcome
            elif data is not None and ended.outcome == "filed" and ended.seconds < fastest:
                good, fastest = data, ended.seconds
            faults = tally.count(entry, ended, after)
            done.append((entry, Ended(ended.outcome, seconds=ended.seconds)))
            report.row(_row(entry, ended, after), _words(entry, ended, faults))
    ratio = await _against_bare(folder, done) if bare else None
    totals = tally.totals(
        brain=minds.main.name, bare_ratio=ratio, peak_mb=peak.megabytes, end_mb=peak.last_megabytes
    )
    report.totals(totals, _NAMES)
    return totals


def _drawn() -> bytes:
    """A small striped PNG: the good picture where the manifest has none that was filed."""
    width, height = 320, 200
    rows = b"".join(
        b"\0" + bytes(255 - 90 * ((x // 20 + y // 20) % 2) for x in range(width)) for y in range(height)
    )
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


async def _against_bare(folder: Path, done: Sequence[tuple[Entry, Ended]]) -> float | None:
    """Seconds of filing over seconds of bare RapidOCR, on the files that both could do."""
    filed = [(entry, ended) for entry, ended in done if ended.outcome == "filed"]
    bare = await bare_ocr.seconds([folder / entry.file for entry, _ in filed])
    both = [(ended.seconds, alone) for (_, ended), alone in zip(filed, bare, strict=True) if alone]
    return share(sum(ours for ours, _ in both), sum(alone for _, alone in both))


def _row(entry: Entry, ended: Ended, after: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "file": entry.file,
        "outcome": ended.outcome,
        "category": ended.category,
        "title": ended.title,
        "text": ended.text,
        "seconds": ended.seconds,
    }
    if after is not None:
        row["after"] = after  # how a good picture ended that was sent right after this one
    return row | ({"problem": ended.problem} if ended.problem else {})


def _words(entry: Entry, ended: Ended, faults: Sequence[str]) -> str:
    where = f"{ended.outcome} [{ended.category}] {ended.title}".strip()
    return f"{'✗' if faults else '✓'} {entry.file}: {where}" + "".join(f"\n    {each}" for each in faults)
