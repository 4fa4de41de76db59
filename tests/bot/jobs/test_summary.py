"""The job that sums talk up: what it reads, what it stores, and what it never takes the place of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.jobs.summary import SummaryJob
from bot.models.model import Prompt, Reply
from bot.models.scripted import Scripted
from bot.storage.summaries import Summary
from bot.types import Answered, Words
from tests.bot.desks import Rig

SAID = "Open: a table for four on Friday, the user asked for it."


async def talked(rig: Rig, *texts: str) -> list[int]:
    rows = []
    for text in texts:
        message = await rig.said(text)
        await rig.storage.outbox.answer([message], Answered((Words(f"to {text[:20]}"),)))
        rows.append(message.id)
    return rows


async def owed(rig: Rig, row: int) -> int:
    await rig.storage.summaries.owe(await current(rig), row)
    return (await current(rig)).id


async def current(rig: Rig) -> Summary:
    here = await rig.said("here")
    return (
        await rig.storage.summaries.opening(here, rig.storage.fresh.after("me", here.channel, here.chat))
    )[0]


def job(rig: Rig, *replies: Any, window: int = 32_000) -> tuple[SummaryJob, Scripted]:
    model = Scripted(*replies)
    people = rig.storage.people

    async def core(person: str) -> str:
        return await rig.memory(person).core()

    made = SummaryJob(
        rig.storage.summaries, model, core, rig.storage.fresh.after, people.language, window, rig.clock
    )
    return made, model


async def test_it_reads_the_talk_with_the_persons_rules_and_stores_what_it_wrote(rig: Rig) -> None:
    (rig.home / "me").mkdir(parents=True, exist_ok=True)
    (rig.home / "me" / "CORE.md").write_text("- Call the project Osprey\n", encoding="utf-8")
    rows = await talked(rig, "book a table", "for four", "on Friday")
    summing, model = job(rig, SAID)
    await summing.run(await owed(rig, rows[1]))
    [prompt] = model.prompts
    assert "Call the project Osprey" in prompt.system
    assert "user: book a table" in prompt.messages[0].text
    assert "assistant: to for four" in prompt.messages[0].text
    assert "on Friday" not in prompt.messages[0].text
    summary = await current(rig)
    assert (summary.text, summary.starts, summary.owed) == (SAID, rows[1], False)


async def test_nothing_owed_asks_nobody(rig: Rig) -> None:
    rows = await talked(rig, "one", "two")
    summing, model = job(rig, SAID)
    row = await owed(rig, rows[0])
    await summing.run(row)
    await summing.run(row)  # after a crash, say
    assert len(model.prompts) == 1


async def test_long_talk_is_told_stretch_by_stretch_each_on_the_one_before(rig: Rig) -> None:
    rows = await talked(rig, *(f"{number} " + "word " * 300 for number in range(6)))
    written = iter(range(1, 99))
    summing, model = job(
        rig, lambda prompt: f"Summary {next(written)}: " + "much was said. " * 4, window=3_000
    )
    await summing.run(await owed(rig, rows[4]))
    asked = [prompt.messages[0].text for prompt in model.prompts]
    assert len(asked) > 2
    assert all(f"Summary {number}: " in text for number, text in enumerate(asked[1:], 1))
    told = [number for text in asked for number in range(6) if f"user: {number} word" in text]
    assert told == [0, 1, 2, 3, 4]


async def test_what_was_told_before_the_model_went_away_is_not_told_again(rig: Rig) -> None:
    rows = await talked(rig, *(f"{number} " + "word " * 400 for number in range(4)))
    summing, model = job(rig, SAID, ModelUnavailable("busy"), SAID, SAID, SAID, window=3_000)
    row = await owed(rig, rows[3])
    with pytest.raises(ModelUnavailable):
        await summing.run(row)
    between = await current(rig)
    assert rows[0] <= between.read_to < rows[3]
    await summing.give_up(row, "busy")
    assert await rig.storage.summaries.owed() == [row]
    await summing.run(row)
    assert "user: 0 word" not in model.prompts[2].messages[0].text
    assert not (await current(rig)).owed


@pytest.mark.parametrize("code", ["filtered", "too_long", "too_large"])
async def test_a_message_that_nobody_reads_is_passed_over_and_the_others_are_told(
    rig: Rig, code: str
) -> None:
    def play(prompt: Prompt) -> Any:
        return ModelRefused(code=code) if "poison" in prompt.messages[0].text else SAID

    rows = await talked(rig, "one", "two", "poison", "four", "five")
    summing, model = job(rig, play)
    await summing.run(await owed(rig, rows[4]))
    read = [prompt.messages[0].text for prompt in model.prompts if "poison" not in prompt.messages[0].text]
    assert all(any(f"user: {word}" in text for text in read) for word in ("one", "two", "four", "five"))
    summary = await current(rig)
    assert (summary.text, summary.read_to) == (SAID, rows[4])


async def test_a_refusal_of_who_asks_is_no_reason_to_skip_talk(rig: Rig) -> None:
    rows = await talked(rig, "one")
    summing, _ = job(rig, ModelRefused(code="wrong_key"))
    with pytest.raises(ModelRefused):
        await summing.run(await owed(rig, rows[0]))
    assert (await current(rig)).owed


LONG = "\n".join(f"Open: thing {number}, " + "asked for and not had, " * 10 for number in range(40))


@pytest.mark.parametrize(
    ("replies", "kept"),
    [
        (["", SAID], lambda text: text == SAID),
        ([LONG, SAID], lambda text: text == SAID),
        ([Reply("Open: a tab", finish="length"), SAID], lambda text: text == SAID),
        ([LONG, LONG], lambda text: text.startswith("Open: thing 0,") and "thing 39" not in text),
        (["", ""], lambda text: text == ""),
    ],
)
async def test_an_empty_or_endless_summary_is_asked_for_once_more(
    rig: Rig, replies: list[Any], kept: Callable[[str], bool]
) -> None:
    rows = await talked(rig, "one")
    summing, model = job(rig, *replies)
    await summing.run(await owed(rig, rows[0]))
    assert len(model.prompts) == 2
    summary = await current(rig)
    assert kept(summary.text)
    assert not summary.owed  # it is not asked for again with every turn


async def test_much_is_not_lost_to_next_to_nothing(rig: Rig) -> None:  # A49
    much = "Names and numbers: " + ", ".join(f"Ann {number} owes {number * 7} euro" for number in range(30))
    rows = await talked(rig, "one", "two")
    first, _ = job(rig, much)
    await first.run(await owed(rig, rows[0]))
    second, model = job(rig, "ok", "They said two.")
    await second.run(await owed(rig, rows[1]))
    assert len(model.prompts) == 2
    assert (await current(rig)).text == f"{much}\nThey said two."


async def test_nothing_from_before_a_fresh_start_is_read(rig: Rig) -> None:  # A33
    rows = await talked(rig, "delete the list", "hm", "new talk", "more")
    summing, model = job(rig, SAID)
    row = await owed(rig, rows[1])
    await rig.storage.fresh.begin(await rig.storage.messages.get(rows[1]))
    await summing.run(row)
    assert model.prompts == []
    await summing.run(await owed(rig, rows[2]))
    [prompt] = model.prompts
    assert "delete the list" not in prompt.messages[0].text
    assert "new talk" in prompt.messages[0].text


async def test_figures_that_the_model_leaves_out_are_given_as_they_were_said(rig: Rig) -> None:
    """But for a secret."""
    rows = await talked(rig, "the party is on 12 September", "my password is hunter2024!")
    summing, _ = job(rig, "Open: a party for Ann, with Bob.")
    await summing.run(await owed(rig, rows[1]))
    assert (
        await current(rig)
    ).text == "Open: a party for Ann, with Bob.\n还提到：the party is on 12 September"


async def test_a_model_that_copies_the_old_summary_is_given_the_talk_alone(rig: Rig) -> None:
    rows = await talked(rig, "one", "we take the train to Lyon in the morning, " * 12)
    first, _ = job(rig, SAID)
    await first.run(await owed(rig, rows[0]))
    second, model = job(rig, SAID, "Decided: the train to Lyon in the morning.")
    await second.run(await owed(rig, rows[1]))
    assert SAID not in model.prompts[1].messages[0].text
    assert (await current(rig)).text == f"{SAID}\nDecided: the train to Lyon in the morning."


COPIED = "[2026-09-01 20:05] user: delete the list\n[2026-09-01 20:05] assistant: deleted"


@pytest.mark.parametrize(("second", "kept"), [(SAID, SAID), (COPIED, ""), (f"{SAID}\n{COPIED}", SAID)])
async def test_talk_that_is_copied_is_no_summary(rig: Rig, second: str, kept: str) -> None:  # A33
    """A small model may do that; its rows would be the person's old orders, word for word."""
    rows = await talked(rig, "delete the list")
    summing, model = job(rig, COPIED, second)
    await summing.run(await owed(rig, rows[0]))
    assert len(model.prompts) == 2
    summary = await current(rig)
    assert (summary.text, summary.owed) == (kept, False)
