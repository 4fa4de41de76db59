"""One person's filed pictures: find them; `edit` changes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path

from bot.storage.archive import Archive
from bot.storage.editing import Editing
from bot.storage.edits import Edits
from bot.storage.filings import LIVE, Filings, Span
from bot.storage.gallery import Gallery, likely, spelled
from bot.storage.records import FilingRow
from bot.storage.sheets import Sheets
from bot.storage.shelf import HEAD
from classifiers.categories import named_kinds
from classifiers.fingerprint import distance
from classifiers.kinds import load, ready
from classifiers.questions import sought
from classifiers.types import Category
from memory.dates import Dated
from memory.index import Hit
from memory.past_dates import find_past
from memory.words import STOP_WORDS, bag, tokens

SAME_MATTER = 0.86  # cosine of a question and a picture's text from which they may speak of one thing
ENDING, LOOK = 1.5, 0.1  # seconds a picture is waited for whose filing may just be ending, and between looks
# bits of 256 (phash) in which pictures differ that look much alike; others differ in some 128
SEEN_ALIKE = 64
SHARED = 0.5  # of 1, the score from which words alone make two pictures speak of one matter
WHOLE = 0.6  # from this fit on every word is in a picture
CANDIDATES = 48  # pictures that are looked at for one search
NEAREST = 3  # shown when no word of the question is in any picture: nearest in meaning
GENERIC = bag(
    "picture pic photo image screenshot shot find show search me send sent where what which last week "
    "yesterday about one that those any have did you file filed number how many look up again from with "
    "图片 截图 照片 图呢 的图 张图 那张 这张 上次 次那 上周 昨天 几张 有没 没有 哪张 哪里 给我 我找 找一 "
    "一下 的截 的照 之前 我发 发的 "
    "的那 过的 存的 看看 帮我 找找 在哪 图在 多少 少张 有多 关于 "
    "什么 我的 我存 存了 有几"
)


class Library:
    """Bound to one person at birth."""

    def __init__(
        self,
        rows: Filings,
        archive: Archive,
        person: str,
        *,
        edits: Edits,
        gallery: Gallery,
        sheets: Sheets,
        now: Callable[[], datetime],
    ) -> None:
        self._rows = rows
        self._archive = archive
        self._person = person
        self._gallery = gallery
        self.sheets = sheets
        self._now = now  # in the person's zone
        self.edit = Editing(rows, archive, person, edits, now)

    async def all(self) -> list[FilingRow]:
        """Every filed picture, by number."""
        return await self._rows.all(self._person)

    async def count(self) -> int:
        """How many there are."""
        return await self._rows.count(self._person)

    async def latest(self, most: int) -> list[FilingRow]:
        """The newest, newest first."""
        return await self._rows.latest(self._person, most)

    async def numbered(self, number: int) -> FilingRow | None:
        """The picture known as `#number`, when it lies in the archive."""
        return await self._rows.numbered(self._person, number)

    async def place(self, row: FilingRow) -> Path | None:
        """Where a picture's file lies; None when the person took it away."""
        return await asyncio.to_thread(self._archive.place, (row.file, *row.leaving))

    async def brought(self, messages: Sequence[int]) -> list[FilingRow]:
        """The pictures in the archive that messages brought; of a duplicate, the one that it is."""
        found: dict[int, FilingRow] = {}
        for message in messages:
            for row in await self._rows.of_message(message):
                known = await self._rows.with_bytes(row.person, row.blob) if row.state == "duplicate" else row
                if known is not None and known.state in LIVE and known.person == self._person:
                    found[known.id] = known
        return list(found.values())

    async def live(self, ids: Sequence[int]) -> list[FilingRow]:
        """Those of these rows that lie in the archive."""
        return await self._rows.of_ids(self._person, ids)

    async def binned(self) -> list[FilingRow]:
        """What lies in the bin, the last put there first."""
        return await self._rows.binned(self._person)

    async def categories(self) -> list[Category]:
        """The person's closed list."""
        return await self._rows.categories(self._person)

    async def newest(self) -> FilingRow | None:
        """The picture sent last, which may still be due; of a duplicate, the one that it is."""
        row = await self._rows.newest(self._person)
        if row is None or row.state != "duplicate":
            return row
        return await self._rows.with_bytes(self._person, row.blob)

    async def wish(self, row: FilingRow, category: str) -> FilingRow:
        """Ask for a category for a picture that is being filed. The row as it is then: due, or filed just before.

        The wish stands where a caption stands, and the filing looks there once more before it ends. A picture that
        ends in this very moment may miss it, so that end is waited for a little.
        """
        await self._rows.update(row.id, caption=f"{row.caption}\n→ {category}".strip())
        for _ in range(round(ENDING / LOOK)):
            row = await self._rows.get(row.id)
            if row.state != "due":
                break
            await asyncio.sleep(LOOK)
        return row

    async def near_categories(self, row: FilingRow, most: int) -> list[Category]:
        """The other categories a picture is likeliest to belong to: the one it nearly went to, those that hold the
        pictures most like it, and then the fullest.
        """
        known, matrix = await self._rows.vectors(self._person)
        likeness: dict[str, float] = {}
        own = next((place for place, each in enumerate(known) if each.id == row.id), None)
        if own is not None:
            for each, cosine in zip(known, matrix @ matrix[own], strict=True):
                likeness[each.category] = max(likeness.get(each.category, 0.0), float(cosine))
        others = [each for each in await self.categories() if each.name != row.category]

        def order(each: Category) -> tuple[bool, float, int]:
            return (each.name != row.runner_up, -likeness.get(each.name, 0.0), -each.count)

        return sorted(others, key=order)[:most]

    async def search(self, words: str, most: int = 8) -> list[FilingRow]:
        """Pictures by the words in them, their titles and categories, or their meaning, best first; those of the days
        that the words name ("last week"). Where the words name nothing but days, the newest.
        """
        await ready()
        days = find_past(words, self._now())
        spans = [self._span(day) for day in days]
        for day in reversed(days):
            words = f"{words[: day.start]} {words[day.end :]}"
        if (days or any(char.isalnum() for char in words)) and not sought(words):
            return await self._rows.latest(self._person, most, within=spans)
        telling = [
            token
            for token in dict.fromkeys(tokens(words))
            if token not in GENERIC and token not in STOP_WORDS
        ]
        among = await self._rows.ids_within(self._person, spans) if spans else None
        subject, kinds, wanted = sought(words) or words, set(named_kinds(words)), spelled(words)
        found: dict[int, tuple[float, float, FilingRow]] = {}  # how well its words fit, its rank, itself

        async def take(hits: Sequence[Hit], more: Sequence[FilingRow] = ()) -> None:
            ranks = {int(hit.id): hit.score for hit in hits}
            new = await self._rows.of_ids(self._person, [id for id in ranks if id not in found])
            for row in (*new, *more):
                fit = _lexical(row, telling, wanted) + _of_kind(row, kinds)
                found.setdefault(row.id, (fit, ranks.get(row.id, 0.0), row))

        await take(
            await self._gallery.worded(subject, CANDIDATES, among),
            await self._of_kinds(kinds, spans, most) if kinds else (),
        )
        if kinds:  # a picture is tagged with what it is, wherever it lies
            names = [load()[kind].name(language) for kind in sorted(kinds) for language in ("zh", "en")]
            of_kind = await self._gallery.worded(" ".join(names), CANDIDATES, among)
            await take([replace(hit, score=0.0) for hit in of_kind])  # the names are ours, not theirs
        whole = sum(fit >= WHOLE for fit, _, _ in found.values())
        if likely(subject) and whole < most:  # OCR may have glued the words elsewhere
            await take(await self._gallery.worded(subject, CANDIDATES, among, glued=True))
        fitting = [each for each in found.values() if each[0] > 0]
        if fitting:
            order = sorted(fitting, key=lambda each: (-each[0], -each[1], -(each[2].number or 0)))
            return [row for _, _, row in order][:most]
        hits = await self._gallery.meant(subject, NEAREST, among)
        near = {int(hit.id): -hit.cosine for hit in hits if hit.cosine >= SAME_MATTER}
        rows = await self._rows.of_ids(self._person, list(near))
        return sorted(rows, key=lambda row: near[row.id])[:most]

    async def like(self, row: FilingRow, most: int = 8) -> list[FilingRow]:
        """The other pictures that look most like one, and then those that speak of the same matter."""
        hashes = dict(await self._rows.hashes(self._person))
        own = hashes.pop(row.id, "")
        looks = {id: distance(own, phash) for id, phash in hashes.items()}
        looks = {id: bits for id, bits in looks.items() if bits <= SEEN_ALIKE}
        said = f"{row.title}\n{row.text[:HEAD]}"
        hits = [hit for hit in await self._gallery.meant(said, CANDIDATES) if int(hit.id) != row.id]
        near = {int(hit.id): place for place, hit in enumerate(hits) if hit.cosine >= SAME_MATTER}
        if not near:  # where this machine has no encoder, words have to do
            near = {int(hit.id): place for place, hit in enumerate(hits) if hit.score > SHARED}
        found = await self._rows.of_ids(self._person, [*looks, *near])
        far = len(near)
        return sorted(found, key=lambda each: (looks.get(each.id, 256), near.get(each.id, far)))[:most]

    def _span(self, day: Dated) -> tuple[datetime, datetime]:
        """The moments of some days, in the person's zone."""
        zone = self._now().tzinfo
        first, end = (
            datetime.combine(each, time(), zone) for each in (day.first, day.last + timedelta(days=1))
        )
        return first, end

    async def _of_kinds(self, kinds: set[str], spans: Sequence[Span], most: int) -> list[FilingRow]:
        """The newest pictures in categories of such kinds."""
        names = [
            each for each in await self._rows.category_names(self._person) if kinds & set(named_kinds(each))
        ]
        return await self._rows.latest(self._person, most, within=spans, categories=names) if names else []


def _of_kind(row: FilingRow, kinds: set[str]) -> float:
    """More than 0 where a kind that is asked for is what the picture is, in whatever words ("小票": 票据, Receipts)."""
    own = named_kinds(f"{row.category} {' '.join(row.tags)}") if kinds else []
    return 0.5 if kinds & set(own) else 0.0


def _lexical(row: FilingRow, telling: list[str], whole: str) -> float:
    """0 when no telling word of the question is in it; words in a title or category count most."""
    head, text = (
        spelled(f"{row.title} {row.category} {' '.join(row.tags)}"),
        spelled(f"{row.summary} {row.text}"),
    )
    asked = [spelled(word) for word in telling if len(word) > 1]
    score = sum((word in head) * 1.0 + (word in text) * 0.6 for word in asked) / max(1, len(telling))
    return score + (1.0 if len(whole) > 1 and (whole in head or whole in text) else 0.0)
