"""Cultivation through the whole assistant: by command, by schedule, and killed in the middle."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.models.model import Call, Prompt, Reply
from bot.models.scripted import Scripted
from tests.bot.desks import until
from tests.fakes.channel import FakeChannel
from tests.fakes.model_answers import Answer, Request, calls, hangs
from tests.flows.lives import OWNER, lives

PAGE = "topics/people/noah.md"


def page_of(talk: str) -> str:
    """The page that a model makes of what it is shown: each message that names Noah becomes a line."""
    found = re.findall(r"^#(\d+) [^:]+:\d\d \w+: (Noah [^\n]+)$", talk, re.MULTILINE)
    return "".join(f"- {words} (from: #{number} “{words}”)\n" for number, words in found)


def brain(prompt: Prompt) -> Reply | str:
    """A main model that says "ok", an extractor that finds nothing, an agent that keeps a page on Noah."""
    names = {each.name for each in prompt.tools}
    if "MemoryWrite" not in names:
        return "ok" if names else json.dumps({"changes": []})
    last = prompt.messages[-1]
    if last.role == "user" and page_of(last.text):
        return Reply(calls=(Call("c1", "MemoryRead", {"page": "people/noah"}),), finish="calls")
    if last.role == "tool" and last.name == "MemoryRead":
        old = "" if last.text.startswith("error") else last.text
        content = old + page_of(prompt.messages[0].text)
        return Reply(
            calls=(Call("c2", "MemoryWrite", {"page": "people/noah", "content": content}),), finish="calls"
        )
    return "done"


class Clock:
    """The time, moved by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 10, 24, 22, 0, tzinfo=ZoneInfo("Europe/Berlin"))

    def __call__(self) -> datetime:
        return self.now


def page(home: Path) -> str:
    path = home / "me" / PAGE
    return path.read_text(encoding="utf-8") if path.exists() else ""


async def test_by_hand_and_taken_back(home: Path, open_talk: Any) -> None:
    async with open_talk(home, Scripted(brain)) as talk:
        await talk.say("Noah is allergic to peanuts")
        told = await talk.say("/cultivate now")
        assert told == [
            "Tending memory; I will tell you when it is done.",
            "🌱 Memory tended: read 1 messages, made 1 changes (in people/noah)",
        ]
        assert "- Noah is allergic to peanuts (from: fake:me #1, " in page(home)
        log = await talk.say("/cultivate log")
        assert "🌱 read fake:me #1 (1; " in log[0]
        assert await talk.say("/cultivate now") == [
            "Tending memory; I will tell you when it is done.",
            "There is nothing new to read.",
        ]
        [button] = talk.channel.sent[2].buttons
        await talk.say("", pressed=button.data)
        assert "peanuts" not in page(home)


async def test_the_setting_for_learning_counts(home: Path, open_talk: Any) -> None:
    async with open_talk(home, Scripted(brain), learning="ask") as talk:
        await talk.say("Noah is allergic to peanuts")
        assert (await talk.say("/cultivate now"))[1:] == [
            "🌱 Memory tended: read 1 messages, nothing to change.",
            "Shall I remember “Noah is allergic to peanuts” from now on?",
        ]
        assert page(home) == ""
        yes = talk.channel.sent[-1].buttons[0]
        await talk.say("", pressed=yes.data)
        assert "- Noah is allergic to peanuts (from: fake:me #1, " in page(home)
        await talk.say("Noah plays the piano")
    async with open_talk(home, Scripted(brain), learning="off") as talk:
        assert (await talk.say("/cultivate now", id="later"))[1:] == [
            "Learning is switched off, so memory was not tended."
        ]
        assert "piano" not in page(home)


async def test_by_schedule_over_the_end_of_summer_time(home: Path, open_talk: Any) -> None:
    """Every night at eleven; what was due while nobody ran is made up for once, at the next start."""
    clock, channel = Clock(), FakeChannel()
    async with open_talk(home, Scripted(brain), channel=channel, now=clock) as talk:
        await talk.say("Noah is allergic to peanuts")
        assert (await talk.say("/cultivate on"))[0].startswith("On: I tend memory every day at 23:00")

        async def tended() -> bool:
            return any("🌱" in text for text in channel.texts())

        clock.now += timedelta(minutes=59)
        await talk.app.background.calendar.look()
        assert not await tended()
        clock.now += timedelta(minutes=1)
        await talk.app.background.calendar.look()
        await until(tended, 10)
        [schedule] = await talk.app.storage.schedules.of("me")
        assert schedule.due.isoformat() == "2026-10-25T22:00:00+00:00"
        assert [each.reply_to for each in channel.sent if "🌱" in each.text] == [""]
        await talk.say("Noah plays the piano")
    clock.now += timedelta(days=3)
    again = FakeChannel()
    async with open_talk(home, Scripted(brain), channel=again, now=clock) as talk:

        async def made_up() -> bool:
            return any("🌱" in text for text in again.texts())

        await until(made_up, 10)
        [schedule] = await talk.app.storage.schedules.of("me")
        assert schedule.due.isoformat() == "2026-10-28T22:00:00+00:00"
    assert again.texts() == ["🌱 Memory tended: read 1 messages, made 1 changes (in people/noah)"]
    assert [row for row in page(home).splitlines() if row.startswith("- ")] == [
        "- Noah is allergic to peanuts (from: fake:me #1, 2026-10-24) ^t1",
        "- Noah plays the piano (from: fake:me #3, 2026-10-24) ^t2",
    ]


async def test_without_a_model(home: Path, open_talk: Any) -> None:
    async with open_talk(home) as talk:
        assert (await talk.say("/cultivate now", language="en"))[0].startswith(
            ("Cultivation takes a language model", "打理记忆要用到大模型")
        )
        assert (await talk.say("/cultivate on"))[0].startswith(
            ("Cultivation takes a language model", "打理记忆要用到大模型")
        )


def served(request: Request) -> Answer | str:
    """The same brain, over HTTP."""
    if "MemoryWrite" not in request.tools:
        return "ok" if request.tools else json.dumps({"changes": []})
    last = request.messages[-1]
    first = str(request.messages[1]["content"])
    if last["role"] == "user":
        return calls(("MemoryRead", {"page": "people/noah"}))
    if str(last["content"]).startswith(("error: there is no such page", "---")):
        old = "" if str(last["content"]).startswith("error") else str(last["content"])
        return calls(("MemoryWrite", {"page": "people/noah", "content": old + page_of(first)}))
    return "done"


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_killed_in_the_middle(home: Path) -> None:
    """Two batches; `kill -9` when the first is recorded, its page written, and the second is being thought about."""
    long = f"Noah is allergic to peanuts\n{'The garden was watered. ' * 300}"
    async with lives(home, served) as run:
        run.start()
        await run.listening()
        for words in (long, "Noah plays the piano"):
            run.tg.paste(OWNER, words)
            await run.until(run.settled)

        def second(request: Request) -> Answer | str:
            tending = "MemoryWrite" in request.tools and "peanuts" not in str(request.messages[1]["content"])
            return hangs() if tending else served(request)

        run.model.say(second)
        run.tg.say(OWNER, "/cultivate now")
        await run.until(
            lambda: (
                "🌱 read" in (home / "me/log.md").read_text("utf-8")
                if (home / "me/log.md").exists()
                else False
            )
        )
        await run.until(lambda: "Noah plays" in str(run.model.requests[-1].messages[1:2]))
        assert "peanuts" in page(home)
        run.kill()
        asked = len(run.model.requests)
        run.model.say(served)
        run.start()
        await run.until(lambda: any("🌱" in text for text in run.texts()))
        assert await run.end() == 0
        assert [text for text in run.texts() if "🌱" in text] == [
            "🌱 Memory tended: read 1 messages, made 2 changes (in people/noah)"
        ]
        later = [each for each in run.model.requests[asked:] if "MemoryWrite" in each.tools]
        assert later
        assert not any("garden" in str(each.messages[1]) for each in later)
    assert [re.sub(r" \(from.*", "", row) for row in page(home).splitlines() if row.startswith("- ")] == [
        "- Noah is allergic to peanuts",
        "- Noah plays the piano",
    ]
