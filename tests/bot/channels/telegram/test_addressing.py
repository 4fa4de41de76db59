"""Groups: who is spoken to is what Telegram says it is, in UTF-16 units; our name is no part of the words."""

from __future__ import annotations

from typing import Any

import pytest

from bot.channels.telegram.addressing import Ours, addressed

ME = "kairos_bot"


def mention(text: str, name: str, kind: str = "mention") -> dict[str, Any]:
    """An entity over a name in a text, as the server counts."""
    before = text[: text.index(name)].encode("utf-16-le")
    return {"type": kind, "offset": len(before) // 2, "length": len(name.encode("utf-16-le")) // 2}


@pytest.mark.parametrize(
    ("text", "name", "heard"),
    [
        ("@kairos_bot what is for lunch?", "@kairos_bot", "what is for lunch?"),
        ("🎩🎩 @Kairos_Bot, 午饭吃什么", "@Kairos_Bot", "🎩🎩 午饭吃什么"),
        ("what do you think, @kairos_bot", "@kairos_bot", "what do you think,"),
        ("a\n@kairos_bot b  c", "@kairos_bot", "a\n b  c"),
        ("@kairos_bot", "@kairos_bot", ""),
        ("@other_bot hello", "@other_bot", None),
        ("@kairos_bot_two hello", "@kairos_bot_two", None),
    ],
)
def test_a_name(text: str, name: str, heard: str | None) -> None:
    for kind in ("entities", "caption_entities"):
        assert addressed({kind: [mention(text, name)]}, text, ME) == heard


@pytest.mark.parametrize("kind", ["code", "pre", "email", "url", "text_link"])
def test_a_name_that_is_none(kind: str) -> None:
    text = "send it to ann@kairos_bot or `@kairos_bot`"
    assert addressed({"entities": [mention(text, "@kairos_bot", kind)]}, text, ME) is None
    assert addressed({}, text, ME) is None


@pytest.mark.parametrize(
    ("text", "name", "heard"),
    [
        ("/status", "/status", "/status"),
        ("/queue@Kairos_Bot retry all", "/queue@Kairos_Bot", "/queue retry all"),
        ("/status@other_bot", "/status@other_bot", None),
        ("say /status", "/status", None),
    ],
)
def test_a_command(text: str, name: str, heard: str | None) -> None:
    assert addressed({"entities": [mention(text, name, "bot_command")]}, text, ME) == heard


@pytest.mark.parametrize(
    ("reply", "thread", "ours"),
    [
        ({"message_id": 5, "from": {"username": "Kairos_Bot"}}, None, True),
        ({"message_id": 5, "from": {"username": "Kairos_Bot"}}, 5, False),
        ({"message_id": 5, "from": {"username": "ann"}}, None, False),
        ({"message_id": 5, "forum_topic_created": {}, "from": {"username": "Kairos_Bot"}}, None, False),
        ({}, None, False),
    ],
)
def test_a_reply(reply: dict[str, Any], thread: int | None, ours: bool) -> None:
    """A21: what every message of a topic carries is no reply."""
    message = {"reply_to_message": reply, "message_thread_id": thread}
    assert addressed(message, "and then?", ME) == ("and then?" if ours else None)


def test_our_name_is_not_known_yet() -> None:
    assert addressed({"entities": [mention("@kairos_bot hi", "@kairos_bot")]}, "@kairos_bot hi", "") is None


def test_the_rest_of_an_album_that_was_for_us_is_for_us() -> None:
    ours = Ours()
    ours.name = ME
    named = "@kairos_bot file these"
    group: dict[str, Any] = {"chat": {"id": -5}, "media_group_id": "7"}
    assert ours.words(group, "") is None
    assert ours.words({**group, "caption_entities": [mention(named, "@kairos_bot")]}, named) == "file these"
    assert ours.words(group, "") == ""
    assert ours.words({**group, "media_group_id": "8"}, "") is None
    assert ours.words({**group, "chat": {"id": -6}}, "") is None
