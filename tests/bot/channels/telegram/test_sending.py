"""Every answer arrives once, whole and readable: asserted on what the server stored, never on what was sent."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from structlog.testing import capture_logs

from bot.channels.telegram import TelegramChannel
from bot.errors import SendDelayed, SendRefused
from bot.types import Button
from tests.bot.channels.telegram.rig import FRIEND, OWNER, PEOPLE, PNG, QUICK, Rig, out, rig
from tests.fakes.telegram_rules import units
from tests.fakes.telegram_server import FakeTelegram

LONG = "\n\n".join(f"Paragraph {n}. " + "words and more words " * 40 for n in range(12))


def texts(r: Rig, chat: int = OWNER) -> list[str]:
    return [sent.text for sent in r.tg.sent(chat)]


async def test_markdown_arrives_as_formats() -> None:
    async with rig(listening=False) as r:
        sent_id = await r.channel.send(out("**已存档** #1【代码笔记】 `x < y` <ann@x.com> & more"))
        [sent] = r.tg.sent(OWNER)
        assert sent_id == str(sent.id)
        assert sent.text == "已存档 #1【代码笔记】 x < y <ann@x.com> & more"
        assert sent.formats == [("bold", "已存档"), ("code", "x < y")]


async def test_table_arrives_readable() -> None:
    async with rig(listening=False) as r:
        await r.channel.send(out("| a | 名 |\n|---|---|\n| 1 | `二` |\n"))
        [sent] = r.tg.sent(OWNER)
        assert sent.formats == [("pre", sent.text)]
        assert "|" not in sent.text
        assert "二" in sent.text


@pytest.mark.parametrize("sign", ["!", "&", "<", ".", "🎩"])
async def test_nothing_grows_by_being_escaped(sign: str) -> None:
    """A text of just the length that fits is one message, and one sign more is two."""
    room = 4096 // units(sign)
    async with rig(listening=False) as r:
        await r.channel.send(out(sign * room))
        assert texts(r) == [sign * room]
        await r.channel.send(out(sign * (room + 1)))
        assert "".join(texts(r)[1:]) == sign * (room + 1)
        assert len(texts(r)) == 3


async def test_the_same_words_look_the_same_whoever_says_them() -> None:
    """Answers, receipts and notices leave by one way."""
    table = "| a | 名 | c |\n|---|---|---|\n| 1 | `二` | **x** |\n| 3 | 四 | <b@c.d> & |\n"
    async with rig() as r:
        kinds: tuple[Literal["answer", "receipt", "notice"], ...] = ("answer", "receipt", "notice")
        for kind in kinds:
            await r.channel.send(replace(out(table), kind=kind))
        one, *others = [(sent.text, sent.entities) for sent in r.tg.sent(OWNER)]
        assert others == [one, one]
        assert "|" not in one[0]
        assert "<b@c.d> &" in one[0]


async def test_long_answer_arrives_whole_in_order() -> None:
    async with rig(listening=False) as r:
        last = await r.channel.send(out(LONG, buttons=(Button("撤销", "undo:1"),), reply_to=""))
        sent = r.tg.sent(OWNER)
        assert len(sent) > 1
        assert " ".join(t.text for t in sent).split() == LONG.split()
        assert all(units(t.text) <= 4096 for t in sent)
        assert str(sent[-1].id) == last
        assert [bool(t.buttons) for t in sent] == [False] * (len(sent) - 1) + [True]


async def test_answer_replies_to_the_question_even_when_that_was_deleted() -> None:
    async with rig() as r:
        asked = await r.said("hi")
        await r.channel.send(out("hello", reply_to=asked.id))
        await r.channel.send(out("gone", reply_to="999999"))
        assert [sent.reply_to for sent in r.tg.sent(OWNER)] == [int(asked.id), None]


async def test_buttons_short_ones_side_by_side_and_bad_ones_left_out() -> None:
    async with rig(listening=False) as r:
        buttons = (
            Button("记住", "yes:1"),
            Button("不用", "no:1"),
            Button("A rather long label of a button", "more:1"),
            Button("too much data", "x" * 65),
            Button(" ", "blank"),
        )
        await r.channel.send(out("Shall I?", buttons=buttons))
        [sent] = r.tg.sent(OWNER)
        labels = [[b["text"] for b in row] for row in sent.buttons]
        assert labels == [["记住", "不用"], ["A rather long label of a button"]]


@pytest.mark.parametrize("text", ["", "\n", " \u200b"])
async def test_empty_answer_is_a_sentence(text: str) -> None:
    async with rig(listening=False) as r:
        await r.channel.send(out(text))
        assert texts(r) == ["(The answer was empty.)"]


async def test_picture_with_caption(tmp_path: Path) -> None:
    picture = tmp_path / "登录页 #1.png"
    picture.write_bytes(PNG)
    async with rig(listening=False) as r:
        await r.channel.send(out("**here**", picture=str(picture), buttons=(Button("ok", "ok"),)))
        [sent] = r.tg.sent(OWNER)
        assert sent.method == "sendPhoto"
        assert sent.file is not None
        assert sent.file.data == PNG
        assert (sent.text, sent.formats) == ("here", [("bold", "here")])
        assert sent.buttons


async def test_caption_too_long_goes_on_as_text(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(PNG)
    async with rig(listening=False) as r:
        text = "字" * 1024 + "🎩 and more"
        await r.channel.send(out(text, picture=str(picture), buttons=(Button("ok", "ok"),)))
        photo, rest = r.tg.sent(OWNER)
        assert photo.text + rest.text == text
        assert (bool(photo.buttons), bool(rest.buttons)) == (False, True)


async def test_picture_that_is_no_photo_goes_as_a_file(tmp_path: Path) -> None:
    tall = tmp_path / "tall.png"
    tall.write_bytes(PNG[:16] + (100).to_bytes(4) + (9999).to_bytes(4) + PNG[24:])
    async with rig(listening=False) as r:
        await r.channel.send(out("tall", picture=str(tall)))
        [sent] = r.tg.sent(OWNER)
        assert (sent.method, sent.text) == ("sendDocument", "tall")


async def test_missing_picture_never_costs_the_words(tmp_path: Path) -> None:
    async with rig(listening=False) as r:
        await r.channel.send(out("the words", picture=str(tmp_path / "gone.png")))
        await r.channel.send(out("", picture=str(tmp_path)))
        told = " ".join(texts(r))
        assert "the words" in told
        assert told.count("could not be sent") == 2


# ---- refused


async def test_formats_that_are_refused_are_left_away() -> None:
    async with rig(listening=False) as r:
        r.tg.fault("sendMessage", "400", description="Bad Request: can't parse entities: unexpected end")
        await r.channel.send(out("**a** & `b`"))
        [sent] = r.tg.sent(OWNER)
        assert (sent.text, sent.entities) == ("a & b", [])


@pytest.mark.parametrize("closed", [False, True])
async def test_topic_that_is_gone_or_closed_is_answered_in_the_chat(tmp_path: Path, closed: bool) -> None:
    """A picture stays one: it was not what was refused."""
    (tmp_path / "a.png").write_bytes(PNG)
    async with rig(listening=False) as r:
        if closed:
            r.tg.threads.add((OWNER, 5))
            r.tg.closed.add((OWNER, 5))
        await r.channel.send(out("hello", f"{OWNER}/5"))
        await r.channel.send(out("look", f"{OWNER}/5", picture=str(tmp_path / "a.png")))
        assert [(sent.method, sent.text, sent.thread) for sent in r.tg.sent(OWNER)] == [
            ("sendMessage", "hello", None),
            ("sendPhoto", "look", None),
        ]


async def test_refused_for_good() -> None:
    async with rig(listening=False) as r:
        r.tg.blocked.add(OWNER)
        with pytest.raises(SendRefused):
            await r.channel.send(out("hi"))
        with pytest.raises(SendRefused):
            await r.channel.send(out("hi", "12345"))
        with pytest.raises(SendRefused):
            await r.channel.send(out("hi", "not a chat"))
        await r.channel.send(out("hi", str(FRIEND)))


async def test_revoked_token_delays_and_turns_health_red() -> None:
    async with rig() as r:
        await r.said("hi")
        r.tg.fault("*", "401", times=None)
        with pytest.raises(SendDelayed):
            await r.channel.send(out("hi"))
        await r.tg.wait(lambda: "token" in r.channel.health())


# ---- once, whatever the network does


@pytest.mark.parametrize("kind", ["429", "502", "500", "drop_before", "drop_after", "garbage"])
@pytest.mark.parametrize("text", ["one short answer", LONG], ids=["short", "long"])
async def test_delivered_once_with_its_text_undoubled(kind: str, text: str) -> None:
    async with rig() as r:
        await r.said("hi")
        r.tg.fault("sendMessage", kind, times=2, skip=1 if text == LONG else 0, retry_after=1)
        outgoing = out(text)
        if kind == "429":
            with pytest.raises(SendDelayed) as delayed:
                await r.channel.send(outgoing)
            assert delayed.value.retry_after == pytest.approx(1.0)
            r.tg.heal()
            await asyncio.sleep(1.0)
        await r.deliver(outgoing)
        assert " ".join(texts(r)).split() == text.split()
        assert all(not sent.edits for sent in r.tg.sent(OWNER)), "the question changed nothing"


async def test_lost_answer_of_a_picture_is_found_too(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(PNG)
    async with rig() as r:
        await r.said("hi")
        r.tg.fault("sendPhoto", "drop_after")
        sent_id = await r.deliver(out("**here**", picture=str(picture), buttons=(Button("ok", "ok"),)))
        [sent] = r.tg.sent(OWNER)
        assert sent_id == str(sent.id)


async def test_lost_answer_is_found_among_other_chats() -> None:
    async with rig() as r:
        await r.said("hi")
        r.tg.fault("sendMessage", "drop_after", chat=OWNER)
        outgoing = out("mine")
        with pytest.raises(SendDelayed):
            await r.channel.send(outgoing)
        for number in range(3):
            r.tg.say(FRIEND, f"noise {number}")
            await r.channel.send(out(f"noise {number}", str(FRIEND)))
        await r.deliver(outgoing)
        assert texts(r) == ["mine"]
        assert texts(r, FRIEND) == ["noise 0", "noise 1", "noise 2"]


async def test_what_was_sent_before_the_start_is_never_touched() -> None:
    """Nothing is known of older ids, so nothing is asked: at worst twice, never lost, never overwritten."""
    async with FakeTelegram() as tg:
        tg.say(OWNER, "hi")
        old = TelegramChannel(tg.token, tg.root, people=PEOPLE, timings=QUICK)
        await old.send(out("receipt"))
        await old.close()
        new = TelegramChannel(tg.token, tg.root, people=PEOPLE, timings=QUICK)
        tg.fault("sendMessage", "drop_before")
        answer = out("answer")
        with pytest.raises(SendDelayed):
            await new.send(answer)
        await new.send(answer)
        await new.close()
        assert [(sent.text, sent.edits) for sent in tg.sent(OWNER)] == [("receipt", 0), ("answer", 0)]


async def test_server_that_hangs_is_given_up() -> None:
    async with rig() as r:
        await r.said("hi")
        r.tg.fault("sendMessage", "hang")
        began = time.monotonic()
        with pytest.raises(SendDelayed):
            await r.channel.send(out("hi"))
        assert time.monotonic() - began < 3


async def test_unreachable_server() -> None:
    channel = TelegramChannel("1:x", "http://127.0.0.1:9", people=PEOPLE, timings=QUICK)
    with pytest.raises(SendDelayed):
        await channel.send(out("hi"))
    await channel.typing(str(OWNER))
    await channel.close()


# ---- RetryAfter


async def test_a_flooded_chat_waits_alone_and_status_traffic_stops() -> None:
    async with rig(listening=False) as r:
        r.tg.fault("sendMessage", "429", times=1, chat=OWNER, retry_after=1000)
        for _ in range(3):
            with pytest.raises(SendDelayed) as delayed:
                await r.channel.send(out("hi"))
            assert delayed.value.retry_after == pytest.approx(1000, abs=5)
            await r.channel.typing(str(OWNER))
        assert (r.tg.count("sendMessage"), r.tg.count("sendChatAction")) == (1, 0), "one call, then silence"
        began = time.monotonic()
        await r.channel.send(out("hello", str(FRIEND)))
        assert time.monotonic() - began < 0.5
        assert texts(r, FRIEND) == ["hello"]


async def test_one_hanging_chat_does_not_hold_up_another() -> None:
    async with rig(listening=False) as r:
        r.tg.fault("sendMessage", "hang", chat=OWNER)
        slow = asyncio.create_task(r.channel.send(out("slow")))
        await asyncio.sleep(0.05)
        await asyncio.wait_for(r.channel.send(out("quick", str(FRIEND))), 0.5)
        with pytest.raises(SendDelayed):
            await slow


async def test_parts_of_two_answers_are_not_mixed() -> None:
    async with rig(listening=False) as r:
        r.tg.delay = 0.02
        await asyncio.gather(r.channel.send(out(LONG)), r.channel.send(out("second")))
        assert texts(r)[-1] == "second"


@pytest.mark.parametrize("kind", ["429", "502", "401", "400", "drop_before", "hang"])
async def test_typing_never_costs_anything(kind: str) -> None:
    async with rig(listening=False) as r:
        r.tg.fault("sendChatAction", kind, retry_after=1)
        with capture_logs() as logs:
            await r.channel.typing(str(OWNER))
            await r.channel.typing("nonsense")
        assert not [entry for entry in logs if entry["log_level"] in ("warning", "error")]
        assert r.channel.health() == ""


async def test_commands_in_the_menu() -> None:
    async with rig(listening=False) as r:
        await r.channel.offer_commands([("/memory", "你记得什么"), ("undo", "撤销")], "zh")
        assert [c["command"] for c in r.tg.commands["zh"]] == ["memory", "undo"]
        await r.channel.offer_commands([("BAD", "x")])
        assert "" not in r.tg.commands


async def test_a_menu_for_groups_and_one_for_a_single_chat() -> None:
    async with rig(listening=False) as r:
        await r.channel.offer_commands([("/help", "list")], shared=True)
        assert r.tg.scoped == {("all_group_chats", ""): [{"command": "help", "description": "list"}]}
        r.tg.say(OWNER, "hello")
        chat = f"chat {OWNER}", ""
        await r.channel.offer_commands([("/help", "看")], chat=str(OWNER))
        assert r.tg.scoped[chat] == [{"command": "help", "description": "看"}]
        await r.channel.offer_commands([], chat=str(OWNER))
        assert chat not in r.tg.scoped
        # refused: said in the log, never raised
        await r.channel.offer_commands([("/help", "看")], chat="404")
        assert len(r.tg.scoped) == 1
