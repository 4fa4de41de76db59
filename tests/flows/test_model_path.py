"""The main job with a model: full snapshot in, tools run, extraction after the turn, background work obeys."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.models.model import Call, Prompt, Reply
from bot.models.scripted import Scripted
from tests.fakes.channel import FakeChannel, once

NOTHING = json.dumps({"changes": []})


def remembering(prompt: Prompt) -> Reply:
    """A main model that stores the rule it hears, then says so; an extractor that finds nothing more."""
    last = prompt.messages[-1]
    if not prompt.tools:
        return Reply(NOTHING)
    if last.role == "tool":
        return Reply("Noted.")
    words = last.typed[-1] if last.typed else last.text
    if "short" in words:
        arguments = {"text": "Keep answers short.", "quote": words, "kind": "instruction"}
        return Reply(calls=(Call("c1", "remember", arguments),), finish="calls")
    return Reply("Hello.")


async def test_a_rule_stored_by_a_tool_is_in_the_next_prompt_and_has_an_undo(
    open_talk: Any, home: Path
) -> None:
    model = Scripted(remembering)
    async with open_talk(home, model) as talk:
        [answer] = await talk.say("please keep answers short from now on")
        assert answer.startswith("Noted.")
        assert "Keep answers short" in answer
        [button] = talk.channel.sent[-1].buttons
        assert button.data.startswith("undo:")
        await talk.say("hi there")
        main = [prompt for prompt in model.prompts if prompt.tools]
        assert "Keep answers short." in main[-1].system
        assert "Keep answers short." not in main[0].system
        await talk.say("", pressed=button.data)
        assert "Keep answers short." not in talk.core()


async def test_a_turn_with_nothing_to_keep_costs_no_second_request(open_talk: Any, home: Path) -> None:
    model = Scripted(lambda prompt: "Sure." if prompt.tools else NOTHING)
    async with open_talk(home, model) as talk:
        for said in ("thanks!", "how deep is the ocean? (12)", "好的谢谢", "写一首关于山的诗"):
            await talk.say(said)
        assert all(prompt.tools for prompt in model.prompts)
        await talk.say("I'm a tram driver in Lyon")
        assert [prompt for prompt in model.prompts if not prompt.tools]


@pytest.mark.parametrize(("asked", "read"), [("What should I call you?", True), ("Sure.", False)])
async def test_a_bare_name_is_read_for_memory_only_as_an_answer(
    open_talk: Any, home: Path, asked: str, read: bool
) -> None:
    model = Scripted(lambda prompt: asked if prompt.tools else NOTHING)
    async with open_talk(home, model) as talk:
        await talk.say("hello")
        await talk.say("Marigold")
    assert any("Marigold" in prompt.messages[-1].text for prompt in model.prompts if not prompt.tools) is read


async def test_a_receipt_that_no_tool_wrote_is_not_shown(open_talk: Any, home: Path) -> None:
    """A small model imitates what stands in its own mouth; so it is told receipts as the app's."""

    def play(prompt: Prompt) -> Reply:
        last = prompt.messages[-1]
        if prompt.tools and last.role == "user" and "weather" in last.typed[-1]:
            return Reply("Sunny indeed.\n\n✓ Saved: The weather is fine")
        return remembering(prompt)

    model = Scripted(play)
    async with open_talk(home, model) as talk:
        await talk.say("please keep answers short from now on")
        assert await talk.say("lovely weather") == ["Sunny indeed."]
    history = model.prompts[-1].messages if model.prompts[-1].tools else model.prompts[-2].messages
    ours = [said.text for said in history if said.role == "assistant"]
    assert ours == ["Noted."]
    assert "(the app showed: ✓ Saved: Keep answers short.)" in history[-1].text


async def test_most_of_a_request_repeats_the_one_before(open_talk: Any, home: Path) -> None:
    model = Scripted(lambda prompt: "Sure." if prompt.tools else NOTHING)
    async with open_talk(home, model) as talk:
        for i in range(6):
            await talk.say(f"tell me about mountain {i}")
    texts = [
        prompt.system + "".join(f"{said.role}:{said.text}" for said in prompt.messages[:-1])
        for prompt in model.prompts
        if prompt.tools
    ]
    for earlier, later in pairwise(texts):
        assert later.startswith(earlier)


async def test_a_model_that_fails_ends_as_one_sentence_and_the_next_message_works(
    open_talk: Any, home: Path
) -> None:
    model = Scripted(
        ModelRefused("no such key", code="wrong_key"),
        lambda prompt: "fine again" if prompt.tools else NOTHING,
    )
    async with open_talk(home, model) as talk:
        [sorry] = await talk.say("hello")
        assert "kairos setup" in sorry
        [answer] = await talk.say("and now?")
        assert answer == "fine again"


async def test_a_silent_model_is_spoken_of_and_holds_nobody_up(open_talk: Any, home: Path) -> None:
    async def play(prompt: Prompt) -> str:
        if not prompt.tools:
            return NOTHING
        if "slow" in prompt.messages[-1].text:
            await asyncio.sleep(60)
        return "quick"

    async with open_talk(home, Scripted(play), first_word=0.3, model_timeout=30) as talk:
        slow = await talk.channel.say("a slow one")
        await asyncio.sleep(0.8)
        assert len(talk.channel.sent) == 1  # one word, once
        quick = await talk.channel.say("a fast one")
        await talk.done(quick)
        assert (await talk.done(slow)).ok is False
        assert talk.channel.texts()[-1] == "quick"


async def test_an_empty_answer_is_asked_for_once_more_then_said(open_talk: Any, home: Path) -> None:
    async with open_talk(home, Scripted(lambda prompt: "" if prompt.tools else NOTHING)) as talk:
        [sorry] = await talk.say("hello")
        assert sorry == "The model gave no answer; please say it again or put it differently."


async def test_messages_while_a_turn_runs_are_all_answered_in_order(open_talk: Any, home: Path) -> None:
    heard: list[str] = []

    async def play(prompt: Prompt) -> str:
        if not prompt.tools:
            return NOTHING
        heard.extend(prompt.messages[-1].typed)
        await asyncio.sleep(0.2)
        return "ok"

    async with open_talk(home, Scripted(play)) as talk:
        names = [await talk.channel.say(f"message {i}") for i in range(5)]
        for name in names:
            await talk.done(name)
    assert heard == [f"message {i}" for i in range(5)]


async def test_the_same_update_three_times_is_handled_once(open_talk: Any, home: Path) -> None:
    model = Scripted(lambda prompt: "once" if prompt.tools else NOTHING)
    async with open_talk(home, model) as talk:
        for _ in range(3):
            await talk.done(await talk.channel.say("hello", id="663"))
    assert talk.channel.texts() == ["once"]


async def test_what_was_due_is_answered_after_a_restart_and_only_once(open_talk: Any, home: Path) -> None:
    async def never(prompt: Prompt) -> str:
        await asyncio.sleep(60)
        return "too late"

    async with open_talk(home, Scripted(never)) as talk:
        name = await talk.channel.say("are you there?")
        await asyncio.sleep(0.2)
    async with open_talk(home, Scripted(lambda prompt: "here" if prompt.tools else NOTHING)) as talk:
        await talk.done(name)
        assert talk.channel.texts() == ["here"]
    async with open_talk(home, Scripted(lambda prompt: "again?" if prompt.tools else NOTHING)) as talk:
        await talk.say("/status", id="after")
        assert len(talk.channel.sent) == 1


async def test_a_sending_that_fails_is_tried_again_with_the_answer_computed_once(
    open_talk: Any, home: Path
) -> None:
    model = Scripted(lambda prompt: "hello back" if prompt.tools else NOTHING)
    async with open_talk(home, model, channel=FakeChannel(failing=once())) as talk:
        assert await talk.say("hello") == ["hello back"]
    assert len([prompt for prompt in model.prompts if prompt.tools]) == 1


async def test_a_passing_failure_of_extraction_is_tried_again(open_talk: Any, home: Path) -> None:
    tries = 0

    def play(prompt: Prompt) -> Any:
        nonlocal tries
        if prompt.tools:
            return "I see."
        tries += 1
        if tries == 1:
            return ModelUnavailable("busy", retry_after=0.05)
        return NOTHING

    async with open_talk(home, Scripted(play)) as talk:
        await talk.say("From now on always answer me in French, please")
    assert tries == 2


@pytest.mark.parametrize("words", ["/help", "/status", "/memory", "/pictures", "/undo", "/forget 9", "/nope"])
async def test_every_command_answers_without_a_model(open_talk: Any, home: Path, words: str) -> None:
    async with open_talk(home, Scripted()) as talk:
        [answer] = await talk.say(words)
        assert answer.strip()


async def test_people_share_nothing(open_talk: Any, home: Path) -> None:
    model = Scripted(remembering)
    async with open_talk(home, model) as talk:
        await talk.say("keep it short, always", person="ann")
        [told] = await talk.say("/memory", person="bob")
        assert "short" not in told
        assert "Keep answers short." in talk.core("ann")
        assert talk.core("bob") == ""


async def test_talk_too_long_for_the_model_is_cut_and_nobody_has_to_start_afresh(
    open_talk: Any, home: Path
) -> None:
    def play(prompt: Prompt) -> Any:
        if not prompt.tools:
            return NOTHING
        if len(prompt.messages) > 3:
            return ModelRefused("maximum context length", code="too_long")
        return f"{len(prompt.messages)} read"

    async with open_talk(home, Scripted(play)) as talk:
        for words in ("one", "two", "three", "four"):
            [answer] = await talk.say(words)
            assert answer.endswith("read")
