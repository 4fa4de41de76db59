"""A chat under another name: everything of it is found there, and new numbers are heard."""

from __future__ import annotations

from bot.storage.moving import move_chat
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
