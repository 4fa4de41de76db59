"""An answer that takes its time is seen while it grows, in one message, and ends as one answer whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot import growing
from bot.channels.telegram import drafts
from bot.models import streaming
from tests.fakes.model_server import Answer, FakeModelServer, Request, calls
from tests.flows.lives import lives, play
from tests.flows.phone import FRIEND, OWNER, Phone, telegram
from tests.flows.test_hostile import NOTHING
from tests.flows.test_telegram_trouble import endpoint

WORDS = "The tower was built in 1889, for a fair. It is 330 metres high, and made of iron."


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything ten times as fast as for people."""
    monkeypatch.setattr(growing, "FIRST", 0.1)
    monkeypatch.setattr(growing, "PACE", 0.1)
    monkeypatch.setattr(drafts, "PACE", 0.1)
    monkeypatch.setattr(streaming, "QUIET", 0.05)


def slowly(text: str = WORDS, pause: float = 0.03) -> Answer:
    """About four signs at a time."""
    return Answer(text, pause=pause)


def talking(*answers: Answer) -> Callable[[Request], Answer | str]:
    """A model that says these to its person, in turn, and keeps nothing."""
    left = list(answers)
    return lambda request: (left.pop(0) if len(left) > 1 else left[0]) if request.tools else NOTHING


async def asked(home: Path, *answers: Answer, spoil: Callable[[Phone], None] = lambda _: None) -> Phone:
    """What is on the phone after one question."""
    async with FakeModelServer(talking(*answers)) as server, telegram(home, **endpoint(server)) as phone:
        spoil(phone)
        await phone.say("tell me about the tower")
        return phone


@pytest.mark.usefixtures("hurried")
async def test_a_slow_answer_is_seen_while_it_grows(home: Path) -> None:
    phone = await asked(home, slowly())
    [sent] = phone.tg.sent(OWNER)
    assert sent.text == WORDS
    texts = [text for _, text in sent.seen]
    assert len(texts) > 2
    assert all(WORDS.startswith(text) for text in texts)
    gaps = [after - before for (before, _), (after, _) in zip(sent.seen, sent.seen[1:], strict=False)]
    assert min(gaps) > 0.09, "no two edits within a second"
    assert phone.tg.count("sendMessage") == 1


async def test_quick_answers_know_nothing_of_it(home: Path) -> None:
    phone = await asked(home, Answer(WORDS))
    assert [(sent.text, sent.edits) for sent in phone.tg.sent(OWNER)] == [(WORDS, 0)]
    assert phone.tg.count("editMessageText") == 0


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("method", ["editMessageText", "sendMessage"])
@pytest.mark.parametrize("kind", ["429", "502", "drop_before", "drop_after", "garbage", "hang"])
async def test_trouble_on_the_way_leaves_one_answer(home: Path, method: str, kind: str) -> None:
    phone = await asked(home, slowly(), spoil=lambda phone: phone.tg.fault(method, kind, retry_after=1))
    assert phone.texts() == [WORDS]


@pytest.mark.usefixtures("hurried")
async def test_a_flood_limit_while_it_grows_leaves_no_half(home: Path) -> None:
    """The fifth edit meets RetryAfter: the person waits, and then sees one answer."""
    phone = await asked(
        home, slowly(), spoil=lambda phone: phone.tg.fault("editMessageText", "429", skip=3, retry_after=2)
    )
    assert phone.texts() == [WORDS]
    [sent] = phone.tg.sent(OWNER)
    (before, _), (after, _) = sent.seen[-2:]
    assert after - before > 1.9


@pytest.mark.usefixtures("hurried")
async def test_a_model_that_breaks_off_begins_anew_in_the_same_message(home: Path) -> None:
    broken = Answer("Something else altogether, cut", pause=0.05, drop="midway")
    phone = await asked(home, broken, slowly())
    assert phone.texts() == [WORDS]


@pytest.mark.usefixtures("hurried")
async def test_what_it_says_before_a_tool_gives_way_to_the_answer(home: Path) -> None:
    looking = Answer("Let me look that up in my notes.", calls=[("read_memory", {})], pause=0.05)
    phone = await asked(home, looking, slowly())
    assert phone.texts() == [WORDS]
    [sent] = phone.tg.sent(OWNER)
    assert any(text.startswith("Let me") for _, text in sent.seen)


@pytest.mark.usefixtures("hurried")
async def test_a_table_that_grew_looks_like_one_that_came_whole(home: Path) -> None:
    table = "The towers:\n\n| name | metres |\n|---|---|\n| Eiffel | `330` |\n| 东方明珠 | 468 |\n"
    async with (
        FakeModelServer(talking(slowly(table), Answer(table))) as server,
        telegram(home, **endpoint(server)) as phone,
    ):
        await phone.say("tell me about the towers")
        await phone.say("tell me again")
        grown, whole = phone.tg.sent(OWNER)
    assert len(grown.seen) > 2
    assert len(whole.seen) == 1
    assert (grown.text, grown.entities) == (whole.text, whole.entities)
    assert "|" not in grown.text


@pytest.mark.usefixtures("hurried")
async def test_a_claim_is_not_seen_before_it_is_looked_at(home: Path) -> None:
    lie = Answer("The tower is high.\nI've moved the picture to Towers, and that is done.", pause=0.03)
    phone = await asked(home, lie, Answer("The tower is high."))
    [sent] = phone.tg.sent(OWNER)
    assert sent.text == "The tower is high."
    assert not any("moved" in text for _, text in sent.seen)


@pytest.mark.usefixtures("hurried")
async def test_nobody_who_sees_words_come_is_told_that_we_wait(home: Path) -> None:
    async with (
        FakeModelServer(talking(slowly(pause=0.05))) as server,
        telegram(home, **endpoint(server), first_word=0.6) as phone,
    ):
        await phone.say("tell me about the tower")
        assert phone.texts() == [WORDS]


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("unknown", [False, True], ids=["its id is known", "its sending was not answered"])
async def test_killed_while_it_grows_it_becomes_the_answer(home: Path, unknown: bool) -> None:
    def slow(request: Request) -> Answer | str:
        return slowly("heard: are you there?", 0.5) if request.tools else play(request)

    async with lives(home, slow) as run:
        run.start()
        await run.listening()
        if unknown:
            run.tg.fault("sendMessage", "drop_after", None)
        run.tg.say(OWNER, "are you there?")
        await run.until(
            lambda: run.texts() and (unknown or run.rows("select 1 from drafts where shown not like '?%'"))
        )
        run.kill()
        [half] = run.texts()
        assert half != "heard: are you there?"
        assert half in "heard: are you there?"
        run.tg.heal()
        run.model.say(play)
        run.start()
        await run.until(lambda: run.settled() and run.texts() == ["heard: are you there?"])
        assert run.rows("select 1 from drafts") == []
        assert await run.end() == 0
    assert run.texts() == ["heard: are you there?"]


async def test_calls_without_words_show_nothing(home: Path) -> None:
    phone = await asked(home, calls(("read_memory", {})), Answer(WORDS))
    assert phone.texts() == [WORDS]
    assert phone.tg.count("editMessageText") == 0


@pytest.mark.usefixtures("hurried")
async def test_an_edit_while_an_answer_grows_and_another_message_waits_leaves_one_answer(home: Path) -> None:
    """Both messages are one turn from then on, and what was shown about the first becomes the answer to both."""

    def reply(request: Request) -> Answer | str:
        if not request.tools:
            return NOTHING
        return slowly("Both: 1889, and 330 metres high.") if "how high" in request.last else slowly(pause=0.1)

    async with FakeModelServer(reply) as server, telegram(home, **endpoint(server)) as phone:
        asked = phone.tg.say(OWNER, "when was the towr built?")
        await phone.tg.wait(lambda: any("The tower" in text for text in phone.texts()), 10)
        more = phone.tg.say(OWNER, "and how high is it?")
        phone.tg.edit(OWNER, asked, "when was the tower built?")
        await phone.ended(more)
        assert phone.texts() == ["Both: 1889, and 330 metres high."]


@pytest.mark.usefixtures("hurried")
async def test_who_is_revoked_in_the_middle_of_a_turn_gets_no_answer(home: Path) -> None:
    """Nor keeps the half of one; the owner's own goes on."""

    def reply(request: Request) -> Answer | str:
        return (slowly(pause=0.1) if "tower" in request.last else "fine") if request.tools else NOTHING

    async with FakeModelServer(reply) as server, telegram(home, **endpoint(server)) as phone:
        question = phone.tg.say(FRIEND, "tell me about the tower")
        await phone.tg.wait(lambda: any("The tower" in text for text in phone.texts(FRIEND)), 10)
        [done] = await phone.say(f"/people revoke {FRIEND}")
        assert done.text.startswith(f"Done: {FRIEND} can no longer talk")
        edits = sum(sent.edits for sent in phone.tg.sent(FRIEND))
        with capture_logs() as logs:
            await phone.ended(question)
        assert phone.texts(FRIEND) == []
        assert edits <= 2, "it stopped growing when it was taken back"
        assert [each["error"] for each in logs if each["action"] == "send_refused"] == [
            "its person may not talk with us any more"
        ]
        assert [sent.text for sent in await phone.say("hello")] == ["fine"]
