"""Rows of pictures: numbers, what is due, what is needed."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from bot.storage.records import FilingRow
from bot.types import Upload
from classifiers.types import Reading
from tests.bot.desks import Rig


async def due(rig: Rig, data: bytes = b"p", **more: Any) -> FilingRow:
    message = await rig.said("", Upload(data, "p.png"), answer=False, **more)
    [row] = await rig.storage.filings.of_message(message.id)
    return row


async def test_numbers_given_at_once_are_one_to_n_for_each_person(rig: Rig) -> None:
    rows = [await due(rig, person=person) for person in ("me", "bob") for _ in range(12)]
    numbers = await asyncio.gather(*(rig.storage.filings.number(row.id, row.person) for row in rows))
    assert sorted(numbers[:12]) == sorted(numbers[12:]) == list(range(1, 13))


async def test_a_row_keeps_its_number(rig: Rig) -> None:
    row = await due(rig)
    numbers = await asyncio.gather(*(rig.storage.filings.number(row.id, "me") for _ in range(5)))
    assert numbers == [1] * 5


async def test_only_what_lies_in_the_archive_has_a_number_to_ask_for(rig: Rig) -> None:
    filings = rig.storage.filings
    row = await due(rig)
    await filings.number(row.id, "me")
    await filings.update(row.id, state="failed", file="archive/x/y #1.png")
    assert await filings.numbered("me", 1) is None
    filed = await rig.filed("Trips", "Boarding pass")
    assert filed.number == 2
    found = await filings.numbered("me", 2)
    assert found is not None
    assert found.id == filed.id
    assert await filings.numbered("bob", 2) is None


async def test_due_of_one_person(rig: Rig) -> None:
    mine, bobs = await due(rig), await due(rig, person="bob")
    assert [row.id for row in await rig.storage.filings.due()] == [mine.id, bobs.id]
    assert [row.id for row in await rig.storage.filings.due("bob")] == [bobs.id]


async def test_bytes_are_needed_while_work_is_due_has_failed_or_is_young(rig: Rig) -> None:
    filings, moment = rig.storage.filings, rig.clock.now + timedelta(days=1)
    waiting, failed, done = await due(rig, b"1"), await due(rig, b"2"), await due(rig, b"3")
    await filings.update(failed.id, state="failed")
    await filings.update(done.id, state="filed")
    again = await due(rig, b"3")  # the same picture once more, not looked at yet
    assert await filings.needed(moment) == {waiting.blob, failed.blob, done.blob}
    await filings.update(again.id, state="duplicate")
    assert await filings.needed(moment) == {waiting.blob, failed.blob}
    assert done.blob in await filings.needed(rig.clock.now)


async def test_categories_are_one_of_a_kind_and_counted(rig: Rig) -> None:
    await asyncio.gather(*(rig.storage.filings.add_category("me", "Trips") for _ in range(6)))
    await rig.filed("Trips", "one")
    await rig.filed("Trips", "two")
    await rig.filed("Trips", "bob's", person="bob")
    [trips] = await rig.storage.filings.categories("me")
    assert (trips.name, trips.count) == ("Trips", 2)


async def test_judged_by_other_rules_since_a_message(rig: Rig) -> None:
    filings = rig.storage.filings
    before = await rig.filed("A", "before")
    rule = await rig.said("a rule")
    stale = await rig.filed("A", "after", rules_seen="old")
    await rig.filed("A", "fresh", rules_seen="new")
    await rig.filed("A", "moved by hand", rules_seen="old", corrected=True)
    await rig.filed("A", "bob's", person="bob", rules_seen="old")
    assert before.rules_seen != "new"
    assert [row.id for row in await filings.filed_since("me", rule.id, "new")] == [stale.id]


async def test_a_text_is_read_once(rig: Rig) -> None:
    assert await rig.storage.filings.reading("b") is None
    for text in ("first", "second"):
        await rig.storage.filings.keep_reading("b", Reading(text, 1, 0.9, "rapidocr", 1.0))
    assert await rig.storage.filings.reading("b") == Reading("second", 1, 0.9, "rapidocr", 1.0)
