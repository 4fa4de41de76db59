"""When an answer is shown while it grows, where it is written down, and that its end takes it over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import pytest
import sqlalchemy as sa

from bot import growing
from bot.agent.loop import Beat
from bot.channels.outbox import Outbox
from bot.drafts import Drafts
from bot.errors import SendDelayed, SendError, SendRefused
from bot.growing import Growing
from bot.storage import tables
from bot.storage.database import Database, T
from bot.storage.drafts import DraftRows
from bot.storage.outbox import OutboxRows
from bot.tools import Result
from bot.types import Answered, Message, Outgoing, Words
from tests.bot.desks import Rig
from tests.fakes.app import eventually
from tests.fakes.channel import FakeChannel


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds are hundredths."""
    monkeypatch.setattr(growing, "FIRST", 0.02)
    monkeypatch.setattr(growing, "PACE", 0.02)


class Showing(FakeChannel):
    """A channel with drafts; keeps what was shown."""

    def __init__(
        self, failing: Callable[[Outgoing], SendError | None] | None = None, place: str = "?7"
    ) -> None:
        super().__init__()
        self._refusing = failing or (lambda outgoing: None)
        self._place = place
        self._names = count(8)
        self.shown: list[Outgoing] = []
        self.withdrawn: list[str] = []
        self.asked = asyncio.Event()  # to show something

    def place(self, outgoing: Outgoing) -> str:
        return self._place

    async def show(self, outgoing: Outgoing) -> str:
        self.asked.set()
        if trouble := self._refusing(outgoing):
            raise trouble
        self.shown.append(outgoing)
        return str(next(self._names)) if outgoing.shown.startswith("?") else outgoing.shown

    async def withdraw(self, outgoing: Outgoing) -> None:
        self.withdrawn.append(outgoing.shown)

    @property
    def texts_shown(self) -> list[str]:
        """In order."""
        return [each.text for each in self.shown]


async def answered(
    rig: Rig, channel: FakeChannel, *said: str, pause: float = 0.5
) -> tuple[Message, list[object]]:
    """A turn that says these words so far, one after the other, and what its watcher heard."""
    message = await rig.said("tell me")
    news: list[object] = []

    async def answer(burst: object, beat: Beat) -> Answered:
        for text in said:
            asked = channel.asked if isinstance(channel, Showing) else asyncio.Event()
            asked.clear()
            beat(text)
            with suppress(TimeoutError):
                await asyncio.wait_for(asked.wait(), pause)
            await asyncio.sleep(min(pause, 0.05))  # what was shown is known by then
        beat(Result("done"))
        return Answered((Words("whole"),))

    watches = rig.storage.preferences.watches
    shown = Growing(answer, Drafts(rig.storage.messages, rig.storage.drafts, {"fake": channel}), watches)

    def heard(each: Result | str | None = None) -> None:
        news.append(each)

    await rig.storage.outbox.answer([message], await shown([message], heard))
    return message, news


async def unsent(rig: Rig) -> Outgoing:
    [row] = await rig.storage.outbox.unsent("fake")
    return row


async def test_it_grows_and_the_answer_takes_it_over(rig: Rig) -> None:
    channel = Showing()
    await answered(rig, channel, "a", "a b", "a b c")
    assert channel.texts_shown == ["a", "a b", "a b c"]
    assert [each.shown for each in channel.shown] == ["?7", "8", "8"]
    assert channel.shown[0].reply_to == "m1"
    assert ((await unsent(rig)).text, (await unsent(rig)).shown) == ("whole", "8")
    assert rig.storage.drafts.of([await rig.storage.messages.get(1)]) == {}


async def test_who_does_not_want_to_watch_gets_the_whole_answer(rig: Rig) -> None:
    channel, preferences = Showing(), rig.storage.preferences
    await preferences.choose("me", "streaming", "off")
    await answered(rig, channel, "a", "a b", "a b c")
    assert channel.shown == []
    assert ((await unsent(rig)).text, (await unsent(rig)).shown) == ("whole", "")


async def test_a_quick_answer_is_shown_only_whole(rig: Rig) -> None:
    channel = Showing()
    await answered(rig, channel, "a", "a b", pause=0.0)
    assert channel.shown == []
    assert (await unsent(rig)).shown == ""


async def test_what_is_not_for_showing_waits(rig: Rig) -> None:
    channel = Showing()
    await answered(rig, channel, "<think>hm", "I've saved that.", "a")
    assert channel.texts_shown == ["a"]


async def test_who_sees_words_come_is_not_told_that_we_wait(rig: Rig) -> None:
    """Words count as news for the turn only where they are seen."""
    _, seen = await answered(rig, Showing(), "a", "a b", "a b c")
    assert [each for each in seen if isinstance(each, str)] == ["a b", "a b c"]
    _, unseen = await answered(rig, FakeChannel(), "a", "a b")
    assert [type(each) for each in unseen] == [type(None), type(None), Result]


async def test_a_chat_without_drafts(rig: Rig) -> None:
    channel = Showing(place="")
    await answered(rig, channel, "a", "a b")
    assert channel.shown == []
    assert (await unsent(rig)).shown == ""


async def test_trouble_that_passes_is_tried_again_at_the_same_place(rig: Rig) -> None:
    troubles: list[SendError] = [SendDelayed("later")]
    channel = Showing(lambda outgoing: troubles.pop() if troubles else None)
    await answered(rig, channel, "a", "a b")
    assert [(each.text, each.shown) for each in channel.shown] == [("a b", "?7")]
    assert (await unsent(rig)).shown == "8"


async def test_a_refusal_ends_the_showing_and_not_the_answer(rig: Rig) -> None:
    asked: list[str] = []

    def refuse(outgoing: Outgoing) -> SendError:
        asked.append(outgoing.text)
        return SendRefused("gone")

    await answered(rig, Showing(refuse), "a", "a b", "a b c")
    assert asked == ["a"]
    assert ((await unsent(rig)).text, (await unsent(rig)).shown) == ("whole", "?7")


async def test_what_an_earlier_process_had_shown_grows_on_and_becomes_the_answer(rig: Rig) -> None:
    message = await rig.said("tell me")
    await rig.storage.drafts.begin(message, "?7")
    await rig.storage.drafts.found(message, "12")
    later = DraftRows(rig.storage.database)
    await later.load()
    assert later.of([message]) == {message.id: "12"}
    channel = Showing()

    async def answer(burst: object, beat: Beat) -> Answered:
        beat("anew")
        await asyncio.sleep(0.3)
        return Answered(())

    await Growing(answer, Drafts(rig.storage.messages, later, {"fake": channel}))(
        [message], lambda news=None: None
    )
    assert [(each.text, each.shown) for each in channel.shown] == [("anew", "12")]


async def test_a_draft_becomes_the_answer_and_not_what_is_said_beside_it(rig: Rig) -> None:
    message = await rig.said("tell me")
    await rig.storage.drafts.begin(message, "?7")
    words = (
        Words("by hand", "notice"),
        Words("#3", picture="/a.png"),
        Words("whole"),
        Words("crowded", "notice"),
    )
    await rig.storage.outbox.answer([message], Answered(words))
    rows = await rig.storage.outbox.unsent("fake")
    assert [(row.text, row.shown) for row in rows] == [
        ("by hand", ""), ("#3", ""), ("whole", "?7"), ("crowded", ""),
    ]  # fmt: skip


async def test_an_unsent_answer_knows_what_has_arrived_beside_its_draft(rig: Rig) -> None:
    message = await rig.said("tell me")
    await rig.storage.drafts.begin(message, "?7")
    await rig.storage.outbox.add(message, Words("a receipt", "receipt"))
    await rig.storage.outbox.mark((await unsent(rig)).id, "sent", sent_id="9")
    await rig.storage.outbox.answer([message], Answered((Words("whole"),)))
    assert (await unsent(rig)).arrived == ("9",)


async def test_an_answer_that_comes_while_its_draft_begins_takes_it_over(rig: Rig) -> None:
    """Else the half of it would stay beside the whole; a `/stop` may come in any moment."""
    stored, go = asyncio.Event(), asyncio.Event()

    class Late(Database):
        """What is written is known to who wrote it only later."""

        def __init__(self) -> None: ...

        async def read(self, work: Callable[[sa.Connection], T]) -> T:
            return await rig.storage.database.read(work)

        async def write(self, work: Callable[[sa.Connection], T]) -> T:
            result = await rig.storage.database.write(work)
            stored.set()
            await go.wait()
            return result

    rows, channel, message = DraftRows(Late()), Showing(), await rig.said("tell me")
    outbox = OutboxRows(rig.storage.database, rig.clock, rows)
    drafts = Drafts(rig.storage.messages, rows, {"fake": channel})
    showing = asyncio.create_task(drafts.show(channel, message, "half"))
    await stored.wait()
    await outbox.answer([message], Answered((Words("stopped"),)))
    go.set()
    await showing
    assert channel.texts_shown == ["half"]
    assert [(each.text, each.shown) for each in await outbox.unsent("fake")] == [("stopped", "?7")]
    assert rows.of([message]) == {}
    assert await rig.storage.database.rows(sa.select(tables.drafts)) == []


async def test_of_several_that_were_begun_one_becomes_the_answer_and_the_others_go(rig: Rig) -> None:
    """As when a burst fell silent, its messages are tried by themselves, and a `/stop` ends both."""
    channel, burst = Showing(), [await rig.said("one"), await rig.said("two")]
    drafts = Drafts(rig.storage.messages, rig.storage.drafts, {"fake": channel})
    for each in burst:
        await drafts.show(channel, each, f"half of {each.text}")
    assert [each.shown for each in channel.shown] == ["?7", "?7"]
    await rig.storage.outbox.answer(burst, Answered((Words("stopped"),)))
    rows = await rig.storage.outbox.unsent("fake")
    assert [(each.text, each.shown, each.taken_back) for each in rows] == [
        ("stopped", "8", False),
        ("", "9", True),
    ]
    outbox = Outbox(rig.storage.outbox, {"fake": channel}, lambda: None)
    sending = asyncio.create_task(outbox.run())
    await eventually(lambda: channel.withdrawn and channel.sent)
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    assert (channel.withdrawn, [each.text for each in channel.sent]) == (["9"], ["stopped"])
    assert await rig.storage.outbox.unsent("fake") == []
    assert await rig.storage.database.rows(sa.select(tables.drafts)) == []
