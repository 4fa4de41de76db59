"""The job after a turn: written, marked and told; put off when it cannot be done now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bot.desk import Desk
from bot.errors import AllowanceSpent, ModelRefused, ModelUnavailable
from bot.jobs.extraction import ExtractionJob
from bot.tools.notes import source_for
from bot.types import Message
from memory.changes import Did, Instruct, Outcome
from memory.errors import ExtractionFailed
from memory.intake import Taken
from tests.bot.desks import Rig


class Extracting:
    """The job, with a note that is as told; keeps for which messages pictures were to be judged again."""

    def __init__(self, rig: Rig, note: Any) -> None:
        self.rig = rig
        self.note = note
        self.changed: list[int] = []
        self.taken_up: list[int] = []
        self.job = ExtractionJob(
            rig.storage.messages, rig.storage.outbox, self._desk, self._changed, self._take_up
        )

    async def _desk(self, burst: Sequence[Message]) -> Desk:
        async def note(message: Message) -> Taken:
            found: Taken = await self.note(self.rig.desk(message), message)
            return found

        return self.rig.desk(*burst, note=note)

    async def _changed(self, message: Message) -> None:
        self.changed.append(message.id)

    async def _take_up(self, row: int) -> None:
        self.taken_up.append(row)


async def rule(desk: Desk, message: Message) -> Taken:
    return Taken(tuple(await desk.memory.apply([Instruct(message.text)], source_for(desk, message.text))))


async def unsure(desk: Desk, message: Message) -> Taken:
    return Taken(questions=((Instruct(message.text), source_for(desk, message.text)),))


async def nothing(desk: Desk, message: Message) -> Taken:
    return Taken(
        (Outcome(Instruct("x"), Did.REFUSED, reason="no"), Outcome(Instruct("y"), Did.KNOWN, after="y"))
    )


async def told(rig: Rig) -> list[str]:
    return [each.text for each in await rig.storage.outbox.unsent("fake")]


async def test_what_is_written_is_told_with_an_undo_and_pictures_are_looked_at_again(rig: Rig) -> None:
    message = await rig.said("回答都要简短", extract=True)
    extracting = Extracting(rig, rule)
    await extracting.job.run(message.id)
    [receipt] = await rig.storage.outbox.unsent("fake")
    assert receipt.text == "✓ 记住了：回答都要简短"
    assert receipt.kind == "receipt"
    assert [button.data for button in receipt.buttons] == ["undo:1"]
    assert extracting.changed == [message.id]
    assert await rig.storage.messages.unextracted() == []


async def test_what_was_read_is_not_read_again(rig: Rig) -> None:
    message = await rig.said("回答都要简短", extract=True)
    extracting = Extracting(rig, rule)
    for _ in range(3):
        await extracting.job.run(message.id)
    assert len(await told(rig)) == 1


async def test_unsure_is_asked(rig: Rig) -> None:
    message = await rig.said("回答都要简短", extract=True)
    extracting = Extracting(rig, unsure)
    await extracting.job.run(message.id)
    [question] = await rig.storage.outbox.unsent("fake")
    assert question.text == "要我一直记住「回答都要简短」吗？"
    assert [button.data for button in question.buttons] == ["yes:1", "no:1"]
    assert extracting.changed == [], "nothing is written yet"
    assert await rig.memory().lines() == []


async def test_known_and_refused_are_not_talked_about(rig: Rig) -> None:
    message = await rig.said("x", extract=True)
    extracting = Extracting(rig, nothing)
    await extracting.job.run(message.id)
    assert await told(rig) == []
    assert await rig.storage.messages.unextracted() == []


@pytest.mark.parametrize(
    "error", [ExtractionFailed("no JSON"), ModelUnavailable("busy"), ModelRefused("key")]
)
async def test_a_failure_marks_nothing(rig: Rig, error: Exception) -> None:
    async def fail(desk: Desk, message: Message) -> Taken:
        raise error

    message = await rig.said("x", extract=True)
    with pytest.raises(ModelRefused if isinstance(error, ModelRefused) else ModelUnavailable):
        await Extracting(rig, fail).job.run(message.id)
    assert [each.id for each in await rig.storage.messages.unextracted()] == [message.id]


async def test_put_off_is_said_once_however_many_wait(rig: Rig) -> None:
    extracting = Extracting(rig, rule)
    waiting = [await rig.said(f"第{i}条规则", extract=True) for i in range(4)]
    for message in waiting:
        await extracting.job.give_up(message.id, "busy")
    assert len(await told(rig)) == 1
    assert "稍后再试" in (await told(rig))[0]
    for message in waiting:  # later it works
        await extracting.job.run(message.id)
    assert len(await told(rig)) == 5
    assert await rig.storage.messages.unextracted() == []


async def test_what_waits_is_taken_up_one_by_one_once_reading_works(rig: Rig) -> None:
    extracting = Extracting(rig, rule)
    waiting = [await rig.said(f"第{i}条规则", extract=True) for i in range(3)]
    for message in waiting[:2]:
        await extracting.job.give_up(message.id, "busy")
    await extracting.job.run(waiting[2].id)
    assert extracting.taken_up == [waiting[0].id]
    await extracting.job.run(waiting[0].id)
    assert extracting.taken_up == [waiting[0].id, waiting[1].id]
    await extracting.job.run(waiting[1].id)
    assert len(extracting.taken_up) == 2


async def test_a_message_nobody_can_read_is_given_up_in_its_second_round_and_said(rig: Rig) -> None:
    async def garbled(desk: Desk, message: Message) -> Taken:
        raise ExtractionFailed("no JSON")

    message = await rig.said("第一条规则", extract=True)
    extracting = Extracting(rig, garbled)
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await extracting.job.run(message.id)
    await extracting.job.give_up(message.id, "no JSON")
    await extracting.job.run(message.id)
    assert await rig.storage.messages.unextracted() == []
    assert (await told(rig))[-1].startswith("「第一条规则」没能整理进记忆")


async def test_a_message_is_never_given_up_while_the_model_is_away(rig: Rig) -> None:
    async def away(desk: Desk, message: Message) -> Taken:
        raise ModelUnavailable("away")

    message = await rig.said("第一条规则", extract=True)
    extracting = Extracting(rig, away)
    await extracting.job.give_up(message.id, "away")
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            await extracting.job.run(message.id)
    assert [each.id for each in await rig.storage.messages.unextracted()] == [message.id]


async def test_without_an_allowance_it_is_put_off_in_silence_and_comes_first_for_its_person(rig: Rig) -> None:
    async def spent(desk: Desk, message: Message) -> Taken:
        raise AllowanceSpent("tomorrow", retry_after=60)

    hers = await rig.said("her words", person="ann", extract=True)
    mine, later = await rig.said("一", extract=True), await rig.said("二", extract=True)
    paused = Extracting(rig, spent)
    for message in (hers, mine):
        await paused.job.run(message.id)
    assert await told(rig) == []
    assert await rig.storage.messages.was_put_off(mine.id)
    reading = Extracting(rig, nothing)
    await reading.job.run(later.id)
    assert reading.taken_up == [mine.id]
    await reading.job.run(mine.id)
    assert reading.taken_up == [mine.id, hers.id]


async def test_what_ended_the_process_each_time_is_not_read_again(rig: Rig) -> None:
    message = await rig.said("第一条规则", extract=True)
    extracting = Extracting(rig, rule)
    for _ in range(2):
        await extracting.job.put_aside(message.id)
    assert await rig.storage.messages.unextracted() == []
    [said] = await told(rig)
    assert said.startswith("把「第一条规则」整理进记忆时，程序五次意外中断")
