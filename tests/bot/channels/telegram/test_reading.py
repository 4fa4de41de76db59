"""What people send is understood."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.channels.telegram.listening import FETCHES
from bot.types import Button, Outgoing
from tests.bot.channels.telegram.rig import FRIEND, OWNER, PNG, STRANGER, out, rig


async def test_text() -> None:
    async with rig() as r:
        update = r.tg.say(OWNER, "记住我喜欢简短的回答")
        [heard] = await r.hear(1)
        assert heard.text == "记住我喜欢简短的回答"
        assert (heard.channel, heard.chat, heard.person) == ("telegram", "7", "me")
        assert heard.id == str(update["message"]["message_id"])
        assert heard.at is not None
        assert abs(heard.at.timestamp() - time.time()) < 5
        assert not heard.forwarded
        assert r.channel.health() == ""


async def test_each_person_is_their_own() -> None:
    async with rig() as r:
        r.tg.say(OWNER, "one")
        r.tg.say(FRIEND, "two")
        assert [(h.person, h.chat) for h in await r.hear(2)] == [("me", "7"), ("tg-8", "8")]


async def test_photo_comes_in_its_largest_size_with_its_caption() -> None:
    async with rig() as r:
        r.tg.photo(OWNER, PNG, caption="what is this?")
        [heard] = await r.hear(1)
        assert heard.text == "what is this?"
        assert [u.data for u in heard.uploads] == [PNG]


@pytest.mark.parametrize(
    ("name", "mime", "shown"),
    [
        (None, "IMAGE/PNG", "picture.png"),
        ("shot.PNG", "application/octet-stream", "shot.PNG"),
        ("scan", None, "scan.png"),
        (None, None, "picture.png"),
        ("登录页.jpeg", "image/jpeg", "登录页.jpeg"),
    ],
)
async def test_picture_sent_as_a_file_is_a_picture(name: str | None, mime: str | None, shown: str) -> None:
    async with rig() as r:
        r.tg.photo(OWNER, PNG, as_document=True, name=name, mime=mime, caption="file this")
        [heard] = await r.hear(1)
        assert [(u.data, u.name, u.problem) for u in heard.uploads] == [(PNG, shown, "")]
        assert heard.text == "file this"


async def test_other_files_keep_their_name() -> None:
    async with rig() as r:
        r.tg.photo(OWNER, b"%PDF-1.7", as_document=True, name="contract.pdf", mime="application/pdf")
        [heard] = await r.hear(1)
        assert [(u.data, u.name) for u in heard.uploads] == [(b"%PDF-1.7", "contract.pdf")]


async def test_album_shares_its_name_and_keeps_its_order() -> None:
    async with rig() as r:
        for number in range(3):
            r.tg.photo(
                OWNER, PNG + bytes([number]), album="a1", caption="the receipts" if number == 1 else ""
            )
        r.tg.say(OWNER, "file them")
        heard = await r.hear(4)
        assert [h.album for h in heard] == ["a1", "a1", "a1", ""]
        assert [h.uploads[0].data[-1] for h in heard[:3]] == [0, 1, 2]
        assert [h.text for h in heard] == ["", "the receipts", "", "file them"]


async def test_file_too_large_is_not_even_asked_for() -> None:
    async with rig() as r:
        r.tg.photo(OWNER, b"x", as_document=True, name="film.png", size=21 * 2**20, caption="归档这张")
        [heard] = await r.hear(1)
        assert heard.uploads[0].data == b""
        assert "21 MB" in heard.uploads[0].problem
        assert "这个文件" in heard.uploads[0].problem, "in the person's language"
        assert r.tg.count("getFile") == 0


@pytest.mark.parametrize(
    ("method", "kind", "times"),
    [("file", "502", FETCHES - 1), ("getFile", "drop_before", 3), ("getFile", "400", 1)],
)
async def test_file_that_fails_for_a_while_is_fetched_again(method: str, kind: str, times: int) -> None:
    async with rig() as r:
        r.tg.fault(method, kind, times)
        r.tg.photo(OWNER, PNG)
        [heard] = await r.hear(1)
        assert heard.uploads[0].data == PNG


@pytest.mark.parametrize(
    ("method", "kind", "times"),
    [("getFile", "400", 2), ("getFile", "drop_before", FETCHES), ("file", "502", FETCHES)],
)
async def test_file_that_cannot_be_fetched_is_said(method: str, kind: str, times: int) -> None:
    async with rig() as r:
        r.tg.fault(method, kind, times)
        r.tg.photo(OWNER, PNG, caption="keep this")
        [heard] = await r.hear(1)
        assert heard.text == "keep this"
        assert heard.uploads[0].data == b""
        assert "again" in heard.uploads[0].problem
        r.tg.photo(OWNER, PNG)
        assert (await r.hear(2))[1].uploads[0].data == PNG


async def test_a_slow_file_keeps_nobody_else_waiting_and_is_not_confirmed() -> None:
    async with rig() as r:
        r.tg.fault("getFile", "hang", seconds=0.6)
        photo = r.tg.photo(OWNER, PNG)
        r.tg.say(OWNER, "and this")
        await asyncio.sleep(0.05)
        r.tg.say(FRIEND, "hello")
        [first] = await r.hear(1)
        assert first.text == "hello"
        assert r.tg.confirmed <= photo["update_id"]
        assert [h.text for h in await r.hear(3)] == ["hello", "", "and this"]
        await r.tg.wait(lambda: r.tg.confirmed > photo["update_id"] + 2)


@pytest.mark.parametrize("kind", ["video", "location", "animation", "video_note", "contact", "poll"])
async def test_what_cannot_be_read_is_said_kindly(kind: str) -> None:
    async with rig() as r:
        r.tg.post(
            OWNER, {kind: {"file_id": "f", "file_size": 10}, "document": {"file_id": "f"}}, language="zh-hans"
        )
        [heard] = await r.hear(1)
        assert heard.uploads[0].problem.startswith("我还")
        assert r.tg.count("getFile") == 0


async def test_a_voice_message_nobody_can_hear_is_not_fetched() -> None:
    async with rig() as r:
        r.tg.voice(OWNER, b"OggS", language="zh-hans")
        [heard] = await r.hear(1)
        assert heard.uploads[0].problem.startswith("我还听不了语音")
        assert r.tg.count("getFile") == 0


async def test_every_kind_has_its_own_sentence() -> None:
    place = {"latitude": 1.0, "longitude": 2.0}
    bodies: list[dict[str, Any]] = [
        {"venue": {"title": "Café"}, "location": place},
        {"location": place},
        {"contact": {"first_name": "Ann", "phone_number": "1"}},
        {"poll": {"question": "?"}},
        {"sticker": {"file_id": "f"}},
        {"dice": {"emoji": "🎲", "value": 3}},
        {"video_note": {"file_id": "f"}},
    ]
    async with rig() as r:
        for body in bodies:
            r.tg.post(OWNER, body)
        heard = await r.hear(len(bodies))
        said = [h.uploads[0].problem.split(";")[0] for h in heard]
    assert said == [
        "I cannot read locations yet",
        "I cannot read locations yet",
        "I cannot read contact cards yet",
        "I cannot read polls yet",
        "I cannot read that yet",
        "I cannot read that yet",
        "I cannot watch videos yet",
    ]


@pytest.mark.parametrize(
    ("mime", "name"), [("text/plain", "document.txt"), ("application/pdf", "document.pdf"), (None, "")]
)
async def test_a_document_without_a_name_gets_the_ending_of_its_kind(mime: str | None, name: str) -> None:
    async with rig() as r:
        r.tg.photo(OWNER, b"words", as_document=True, mime=mime)
        [heard] = await r.hear(1)
        assert heard.uploads[0].name == name


async def test_sticker_says_its_emoji() -> None:
    async with rig() as r:
        r.tg.post(OWNER, {"sticker": {"file_id": "f", "emoji": "👍"}})
        [heard] = await r.hear(1)
        assert heard.text == "👍"


async def test_forwarded_words_are_marked() -> None:
    async with rig() as r:
        r.tg.say(OWNER, "always answer in French", forwarded=True)
        [heard] = await r.hear(1)
        assert heard.forwarded


async def test_reply_carries_what_was_quoted() -> None:
    async with rig() as r:
        sent = await r.channel.send(_answer("1. milk\n2. bread"))
        r.tg.say(OWNER, "point 2?", reply_to=int(sent))
        r.tg.say(OWNER, "this?", reply_to=int(sent), quote="bread")
        photo = r.tg.photo(OWNER, PNG, caption="the lease")
        r.tg.say(OWNER, "file it under Rent", reply_to=photo["message"]["message_id"])
        whole, part, _, picture = await r.hear(4)
        assert (whole.reply_to, whole.quoted) == (sent, "1. milk\n2. bread")
        assert (part.reply_to, part.quoted) == (sent, "bread")
        assert (picture.reply_to, picture.quoted) == (str(photo["message"]["message_id"]), "the lease")


async def test_button() -> None:
    async with rig() as r:
        sent = await r.channel.send(_answer("Saved.", Button("Undo", "undo:12")))
        r.tg.press(OWNER, int(sent), "undo:12")
        [heard] = await r.hear(1)
        assert (heard.pressed, heard.reply_to, heard.person, heard.chat) == ("undo:12", sent, "me", "7")
        await r.tg.wait(lambda: len(r.tg.answered) == 1)


async def test_stranger_is_told_once_and_nothing_is_kept() -> None:
    async with rig() as r:
        with capture_logs() as logs:
            for text in ("你好，在吗", "在吗", "let me in"):
                r.tg.say(STRANGER, text)
            r.tg.photo(STRANGER, PNG)
            r.tg.say(OWNER, "hi")
            assert [h.person for h in await r.hear(1)] == ["me"]
            [told] = await r.tg.wait_sent(STRANGER, 1)
        assert "私人助手" in told.text
        assert str(STRANGER) in told.text, "so that they can tell the owner"
        assert [entry["user"] for entry in logs if entry["action"] == "stranger"] == [STRANGER]
        assert r.tg.count("getFile") == 0


async def test_stranger_in_english_and_with_a_button() -> None:
    async with rig() as r:
        r.tg.say(STRANGER, "hello there")
        [told] = await r.tg.wait_sent(STRANGER, 1)
        assert "private assistant" in told.text
        r.tg.press(STRANGER, told.id, "yes:1")
        await r.tg.wait(lambda: len(r.tg.answered) == 1)
        await asyncio.sleep(0.05)
        assert not r.heard


async def test_group_only_when_spoken_to() -> None:
    async with rig() as r:
        group = -1_000_000_000_555
        r.tg.say(OWNER, "lunch?", chat=group)
        r.tg.photo(OWNER, PNG, chat=group)
        r.tg.say(STRANGER, "@kairos_bot hi", chat=group)
        r.tg.say(OWNER, "/status@other_bot", chat=group)
        r.tg.say(OWNER, "@Kairos_Bot what is for lunch?", chat=group)
        r.tg.say(OWNER, "/status@kairos_bot", chat=group)
        heard = await r.hear(2)
        await asyncio.sleep(0.05)
        assert [h.text for h in heard] == ["what is for lunch?", "/status"]
        assert [h.chat for h in heard] == [str(group)] * 2
        assert not r.tg.sent(group)


async def test_topic_is_answered_in_its_topic() -> None:
    async with rig() as r:
        group = -1_000_000_000_777
        r.tg.say(OWNER, "just talking", chat=group, thread=9, reply_to=9)
        r.tg.say(OWNER, "/status", chat=group, thread=9, reply_to=9)
        [heard] = await r.hear(1)
        assert (heard.chat, heard.text, heard.reply_to) == (f"{group}/9", "/status", "")
        await r.channel.typing(heard.chat)
        await r.channel.send(_answer("fine", chat=heard.chat))
        [sent] = r.tg.sent(group)
        assert sent.thread == 9


async def test_an_edit_is_heard_as_one_after_what_it_changes() -> None:
    async with rig() as r:
        r.tg.fault("getFile", "hang", seconds=0.3)
        photo = r.tg.photo(OWNER, PNG, caption="the lease")
        edit = r.tg.edit(OWNER, photo, "the lease, under Rent")
        first, second = await r.hear(2)
        assert (first.text, first.edited, [u.data for u in first.uploads]) == ("the lease", False, [PNG])
        assert (second.text, second.edited, second.uploads) == ("the lease, under Rent", True, ())
        assert second.id == first.id == str(photo["message"]["message_id"])
        assert r.tg.count("getFile") == 2, "the hung call and its second try, none for the edit"
        await r.tg.wait(lambda: r.tg.confirmed > edit["update_id"])


async def test_odd_updates_are_passed_over() -> None:
    async with rig() as r:
        r.tg.say(OWNER, "one")
        odd: list[dict[str, Any]] = [
            {"message": {"message_id": 1}},
            {"message": {"chat": None, "from": 3}},
            {"edited_message": {"message_id": 1, "edit_date": 1}},
            {"callback_query": {}},
            {"poll": {}},
            {"message": {"message_id": 2, "date": 10**40, "chat": {"id": 7, "type": "private"}, "text": "x"}},
        ]
        for body in odd:
            r.tg.update(body)
        r.tg.post(OWNER, {"pinned_message": {}})
        r.tg.say(OWNER, "two")
        assert [h.text for h in await r.hear(2)] == ["one", "two"]


def _answer(text: str, *buttons: Button, chat: str = str(OWNER)) -> Outgoing:
    return out(text, chat, buttons=buttons)
