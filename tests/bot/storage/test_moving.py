"""A chat under another name: everything of it is found there, and new numbers are heard."""

from __future__ import annotations

import sqlalchemy as sa

from bot.storage.moving import move_chat
from bot.storage.tables import note_cursors
from bot.types import Answered, Words
from tests.bot.desks import Rig


async def test_all_that_was_said_goes_along_and_numbers_begin_anew(rig: Rig) -> None:
    old = await rig.said("the trip is in May", chat="-5", id="7")
    await rig.said("elsewhere", chat="-6", id="7")
    await rig.storage.outbox.answer([old], Answered((Words("noted"),)))
    [sent] = await rig.storage.outbox.unsent("fake")
    await rig.storage.outbox.mark(sent.id, "sent", sent_id="8")
    waits = await rig.said("and the hotel?", chat="-5", id="9")
    await rig.storage.outbox.answer([waits], Answered((Words("booked"),)))

    await move_chat(rig.storage.database, "fake", "-5", "-1005")

    assert await rig.storage.messages.find("fake", "-5", "7") is None
    new = await rig.said("when is it?", chat="-1005", id="7")
    history = await rig.storage.history.before(new, after=0)
    assert [line.text for line in history] == ["the trip is in May", "noted", "and the hotel?", "booked"]
    [unsent] = await rig.storage.outbox.unsent("fake")
    assert (unsent.chat, unsent.reply_to) == ("-1005", "")
    reply = await rig.said("what?", chat="-1005", id="10", reply_to="8")
    assert await rig.storage.outbox.replied(reply) is None, "8 is another message there"
    assert await rig.storage.messages.find("fake", "-6", "7") is not None


async def test_what_was_said_under_the_new_name_before_the_move_is_heard_stays_too(rig: Rig) -> None:
    """Updates of two chats come in any order; a move that failed would be brought again for ever."""
    storage = rig.storage
    first = await rig.said("one", chat="-5")
    await storage.fresh.begin(first)
    await _summed_up(rig, "-5", first.id, "what was before")
    await storage.slow.look()
    early = await rig.said("two", chat="-1005")
    await storage.fresh.begin(early)
    await _summed_up(rig, "-1005", early.id, "little")
    await storage.slow.look()

    await move_chat(storage.database, "fake", "-5", "-1005")
    await storage.fresh.load()

    assert storage.fresh.after("me", "fake", "-1005") == early.id
    asked = await rig.said("three", chat="-1005")
    summary, lines = await storage.summaries.opening(asked, 0)
    assert (summary.text, summary.read_to) == ("what was before", first.id)
    assert [line.text for line in lines] == ["two"]
    [cursor] = await storage.database.rows(sa.select(note_cursors))
    assert (cursor.chat, cursor.newest) == ("-1005", early.id)


async def _summed_up(rig: Rig, chat: str, to: int, text: str) -> None:
    about = await rig.storage.messages.get(to)
    summary, _ = await rig.storage.summaries.opening(about, 0)
    await rig.storage.summaries.owe(summary, to)
    [row] = await rig.storage.summaries.owed()
    await rig.storage.summaries.keep(await rig.storage.summaries.get(row), text, to)


async def test_parts_that_have_arrived_are_not_sent_again_after_a_move(rig: Rig) -> None:
    asked = await rig.said("tell me all", chat="-5")
    await rig.storage.outbox.answer([asked], Answered((Words("long"),)))
    [half] = await rig.storage.outbox.unsent("fake")
    await rig.storage.outbox.part(half.id, "+2:17")
    await move_chat(rig.storage.database, "fake", "-5", "-1005")
    [half] = await rig.storage.outbox.unsent("fake")
    assert (half.chat, half.shown) == ("-1005", "+2:17")
