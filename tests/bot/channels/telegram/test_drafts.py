"""An answer shown while it grows is one message, whatever goes wrong with showing it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.channels.telegram import TelegramChannel, drafts
from bot.errors import SendDelayed, SendRefused
from bot.types import Button, Outgoing
from tests.bot.channels.telegram.rig import OWNER, PEOPLE, PNG, QUICK, Rig, out, rig

WHOLE = "Half of it, and **the rest**."


@pytest.fixture(autouse=True)
def unpaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests do not wait for seconds to pass."""
    monkeypatch.setattr(drafts, "PACE", 0.05)


async def drafted(r: Rig, text: str = "Half of") -> Outgoing:
    """A row of the outbox whose beginning is shown."""
    question = await r.said("tell me")
    row = out(WHOLE, reply_to=question.id)
    place = r.channel.place(row)
    assert place.startswith("?")
    await r.channel.show(replace(row, text=text, shown=place))
    return replace(row, shown=place)


@asynccontextmanager
async def another(r: Rig) -> AsyncIterator[TelegramChannel]:
    """The bot after a restart: it knows nothing of this run."""
    channel = TelegramChannel(r.tg.token, r.tg.root, people=PEOPLE, language="en", timings=QUICK)
    yield channel
    await channel.close()


async def deliver(channel: TelegramChannel, row: Outgoing) -> str:
    """Send as the outbox does: again after each delay."""
    for _ in range(10):
        try:
            return await channel.send(row)
        except SendDelayed as delayed:
            await asyncio.sleep(min(delayed.retry_after or 0.01, 0.05))
    raise AssertionError("never delivered")


# ── how it should be ───────────────────────────────────────────────────────────────────────────────────────


async def test_one_message_grows_and_becomes_the_answer() -> None:
    async with rig() as r:
        row = await drafted(r, "Half")
        name = await r.channel.show(replace(row, text="Half **of"))
        row = replace(row, buttons=(Button("Undo", "undo:1"),))
        assert await r.deliver(row) == name
        [sent] = r.tg.sent(OWNER)
        assert (sent.text, sent.formats) == ("Half of it, and the rest.", [("bold", "the rest")])
        assert (sent.reply_to, sent.buttons[0][0]["text"]) == (int(row.reply_to), "Undo")
        assert [text for _, text in sent.seen] == ["Half", "Half **of", "Half of it, and the rest."]


async def test_edits_keep_their_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "PACE", 0.3)
    async with rig() as r:
        await r.deliver(await drafted(r))
        [sent] = r.tg.sent(OWNER)
        (first, _), (second, _) = sent.seen
        assert second - first > 0.25


async def test_what_is_shown_already_is_the_answer() -> None:
    """Telegram says “not modified”."""
    async with rig() as r:
        await r.deliver(await drafted(r, WHOLE))
        [sent] = r.tg.sent(OWNER)
        assert (sent.text, sent.edits) == ("Half of it, and the rest.", 0)


async def test_a_long_answer_goes_on_in_more_messages() -> None:
    words = "\n\n".join(f"paragraph {i} " + "word " * 150 for i in range(14))
    async with rig() as r:
        row = replace(await drafted(r, words[:9000]), text=words)
        await r.deliver(row)
        told = "\n\n".join(sent.text for sent in r.tg.sent(OWNER))
        assert [told.count(f"paragraph {i} ") for i in range(14)] == [1] * 14


async def test_groups_see_only_whole_answers() -> None:
    """They are allowed twenty messages a minute, edits among them."""
    async with rig(listening=False) as r:
        assert r.channel.place(out("x", chat="-1001234567890", reply_to="5")) == ""


async def test_an_answer_with_a_picture_takes_the_place_of_its_draft(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(PNG)
    async with rig() as r:
        row = replace(await drafted(r), picture=str(path))
        await r.deliver(row)
        [sent] = r.tg.sent(OWNER)
        assert (sent.method, sent.text) == ("sendPhoto", "Half of it, and the rest.")


async def test_two_that_grow_in_one_chat_are_two() -> None:
    """An answer, and the count of an album beside it: both had their place before either was sent."""
    async with rig() as r:
        question = await r.said("tell me")
        rows = [out(f"{name}, whole", reply_to=question.id) for name in ("one", "two")]
        rows = [replace(row, shown=r.channel.place(row)) for row in rows]
        for row in rows:
            await r.channel.show(replace(row, text=row.text[:3]))
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["one", "two"]
        for row in reversed(rows):
            await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["one, whole", "two, whole"]


# ── what goes wrong while it grows ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["429", "502", "500", "drop_before", "drop_after", "garbage", "hang", "403"])
async def test_a_draft_that_cannot_begin_costs_nothing(kind: str) -> None:
    async with rig() as r:
        r.tg.fault("sendMessage", kind, retry_after=0)
        question = await r.said("tell me")
        row = out(WHOLE, reply_to=question.id)
        row = replace(row, shown=r.channel.place(row))
        with pytest.raises((SendDelayed, SendRefused)):
            await r.channel.show(replace(row, text="Half"))
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest."]


async def test_a_draft_whose_sending_was_never_answered_goes_on_growing() -> None:
    async with rig() as r:
        r.tg.fault("sendMessage", "drop_after")
        question = await r.said("tell me")
        row = out(WHOLE, reply_to=question.id)
        row = replace(row, shown=r.channel.place(row))
        with pytest.raises(SendDelayed):
            await r.channel.show(replace(row, text="Half"))
        await r.channel.show(replace(row, text="Half of"))
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of"]
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest."]


@pytest.mark.parametrize("kind", ["429", "502", "500", "drop_before", "drop_after", "garbage", "hang"])
async def test_an_edit_that_fails_leaves_one_whole_answer(kind: str) -> None:
    async with rig() as r:
        row = await drafted(r)
        r.tg.fault("editMessageText", kind, times=2, retry_after=0)
        with pytest.raises(SendDelayed):
            await r.channel.show(replace(row, text="Half of it"))
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest."]


async def test_a_flood_limit_while_it_grows_is_waited_out_by_its_end() -> None:
    async with rig() as r:
        row = await drafted(r)
        r.tg.fault("editMessageText", "429", retry_after=20)
        with pytest.raises(SendDelayed):
            await r.channel.show(replace(row, text="Half of it"))
        edits = r.tg.count("editMessageText")
        for _ in range(3):
            with pytest.raises(SendDelayed) as delayed:
                await r.channel.send(row)
            assert 15 < (delayed.value.retry_after or 0) <= 20
        assert r.tg.count("editMessageText") == edits, "a chat that wants rest gets it"
        assert r.tg.count("sendMessage") == 1


async def test_a_draft_the_person_deleted_is_sent_whole() -> None:
    async with rig() as r:
        row = await drafted(r)
        r.tg.messages.clear()
        with pytest.raises(SendRefused):
            await r.channel.show(replace(row, text="Half of it"))
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest."]


async def test_a_draft_that_can_no_longer_be_edited_does_not_stay_beside_the_answer() -> None:
    async with rig() as r:
        row = await drafted(r)
        r.tg.fault("editMessageText", "400", None, description="Bad Request: message can't be edited")
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest."]


async def test_formats_that_an_edit_refuses_are_left_away() -> None:
    async with rig() as r:
        row = await drafted(r)
        r.tg.fault("editMessageText", "400", description="Bad Request: can't parse entities: oh no")
        await r.deliver(row)
        [sent] = r.tg.sent(OWNER)
        assert (sent.text, sent.formats) == ("Half of it, and the rest.", [])


async def test_a_lost_message_is_not_taken_to_be_a_draft_that_was_found() -> None:
    """Both were sent without an answer, and only the draft had arrived."""
    async with rig() as r:
        question = await r.said("tell me")
        notice, row = out("Nothing to stop."), out(WHOLE, reply_to=question.id)
        row = replace(row, shown=r.channel.place(row))
        for sending, kind in ((r.channel.send(notice), "drop_before"), (r.channel.show(row), "drop_after")):
            r.tg.fault("sendMessage", kind)
            with pytest.raises(SendDelayed):
                await sending
        await r.channel.show(replace(row, text="Half of"))
        await r.deliver(notice)
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest.", "Nothing to stop."]


async def test_the_parts_of_an_answer_before_it_are_not_taken_for_a_draft_that_was_lost() -> None:
    """Asked before that answer arrived, shown by a process that has heard and sent nothing yet."""
    long = "\n\n".join(f"Paragraph {n}. " + "words " * 300 for n in range(4))
    async with rig() as r:
        question = await r.said("tell me")
        last = await r.deliver(out(long))
        before = [sent.text for sent in r.tg.sent(OWNER)]
        row = replace(out(WHOLE, reply_to=question.id), arrived=(last,))
        async with another(r) as channel:
            row = replace(row, shown=channel.place(row))
            r.tg.fault("sendMessage", "drop_before")
            with pytest.raises(SendDelayed):
                await channel.show(replace(row, text="Half"))
            await deliver(channel, row)
        assert len(before) > 1
        assert [sent.text for sent in r.tg.sent(OWNER)] == [*before, "Half of it, and the rest."]


async def test_what_is_sent_beside_a_draft_stays_itself() -> None:
    async with rig() as r:
        r.tg.fault("sendMessage", "drop_after")
        question = await r.said("tell me")
        row = out(WHOLE, reply_to=question.id)
        row = replace(row, shown=r.channel.place(row))
        with pytest.raises(SendDelayed):
            await r.channel.show(replace(row, text="Half"))
        await r.deliver(out("a receipt"))
        await r.deliver(row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest.", "a receipt"]


# ── after a crash ──────────────────────────────────────────────────────────────────────────────────────────


async def test_a_draft_with_a_known_id_becomes_the_answer_after_a_crash() -> None:
    async with rig() as r:
        row = await drafted(r)
        [half] = r.tg.sent(OWNER)
        async with another(r) as channel:
            await channel.show(replace(row, text="Half of it", shown=str(half.id)))
            await deliver(channel, replace(row, shown=str(half.id)))
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest."]


async def test_a_draft_whose_id_was_not_written_down_is_found_after_a_crash() -> None:
    async with rig() as r:
        row = await drafted(r)
        await r.deliver(out("a receipt"))
        _, receipt = r.tg.sent(OWNER)
        async with another(r) as channel:
            await deliver(channel, replace(row, arrived=(str(receipt.id),)))
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["Half of it, and the rest.", "a receipt"]


async def test_parts_that_arrived_before_a_crash_are_not_sent_again() -> None:
    words = "\n\n".join(f"paragraph {i} " + "word " * 150 for i in range(20))
    async with rig() as r:
        noted: list[str] = []

        async def arrived(outgoing: Outgoing, shown: str) -> None:
            noted.append(shown)

        r.channel.on_part(arrived)
        row = out(words)
        r.tg.fault("sendMessage", "502", None, skip=2)
        with pytest.raises(SendDelayed):
            await r.channel.send(row)
        r.tg.heal()
        assert noted == [f"+1:{r.tg.sent(OWNER)[0].id}", f"+2:{r.tg.sent(OWNER)[1].id}"]
        async with another(r) as channel:
            last = await deliver(channel, replace(row, shown=noted[-1]))
        assert last == str(r.tg.sent(OWNER)[-1].id)
        told = "\n\n".join(sent.text for sent in r.tg.sent(OWNER))
        assert [told.count(f"paragraph {i} ") for i in range(20)] == [1] * 20


async def test_a_draft_that_was_never_sent_is_not_found_and_nothing_else_is_touched() -> None:
    async with rig() as r:
        await r.deliver(out("an older answer"))
        question = await r.said("tell me")
        row = out(WHOLE, reply_to=question.id)
        row = replace(row, shown=r.channel.place(row))
        async with another(r) as channel:
            await deliver(channel, row)
        assert [sent.text for sent in r.tg.sent(OWNER)] == ["an older answer", "Half of it, and the rest."]
