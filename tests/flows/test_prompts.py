"""What really goes to the main model, as a vendor gets it: read in review, small, and stable from the front."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.models.model import Prompt, Reply
from bot.models.scripted import Scripted
from bot.models.tokens import prompt_tokens
from bot.models.wire import messages_json, tools_json
from bot.tools import TOOLS
from tests.conftest import Golden
from tests.flows.test_hostile import NOTHING, keep

NOW = datetime(2026, 9, 1, 20, 5, tzinfo=ZoneInfo("Asia/Shanghai"))


def body(prompt: Prompt) -> dict[str, Any]:
    """The request as it is sent."""
    return {"messages": messages_json(prompt, sees=False), "tools": tools_json(prompt.tools)}


def page(prompt: Prompt) -> str:
    """The same to be read."""
    sent = body(prompt)
    parts = [f"=== {message['role']} ===\n{message['content']}" for message in sent["messages"]]
    parts += [
        f"=== tool {tool['function']['name']} ===\n{tool['function']['description']}\n"
        + json.dumps(tool["function"]["parameters"], ensure_ascii=False, indent=1)
        for tool in sent["tools"]
    ]
    return "\n\n".join(parts) + "\n"


def size(prompt: Prompt) -> int:
    """Bytes of the request."""
    return len(json.dumps(body(prompt), ensure_ascii=False, separators=(",", ":")).encode())


def main(model: Scripted) -> list[Prompt]:
    """The prompts of the main model; the extractor has no tools."""
    return [prompt for prompt in model.prompts if prompt.tools]


async def test_a_first_word(open_talk: Any, home: Path, golden: Golden) -> None:
    model = Scripted(lambda prompt: "Hello." if prompt.tools else NOTHING)
    async with open_talk(home, model, now=lambda: NOW) as talk:
        await talk.say("你好，你能做什么？")
    [prompt] = main(model)
    assert {tool.name for tool in prompt.tools} == set(TOOLS)
    golden("main_fresh.md", page(prompt))
    assert prompt_tokens(prompt) <= 2_500
    assert size(prompt) <= 12_000


async def test_with_rules_and_facts(open_talk: Any, home: Path, golden: Golden) -> None:
    rules = iter(["回答都要简短", "代码截图归档到「代码笔记」"])

    def play(prompt: Prompt) -> Reply:
        words = prompt.messages[-1].typed
        if words and words[-1] == "对花生过敏":
            return keep(prompt, words[-1], kind="fact", topic="健康")
        return (
            keep(prompt, words[-1])
            if words and words[-1] != "好了"
            else Reply("ok" if prompt.tools else NOTHING)
        )

    model = Scripted(play)
    async with open_talk(home, model, now=lambda: NOW) as talk:
        for words in (*rules, "对花生过敏", "好了"):
            await talk.say(words)
    golden("main_rules.md", page(main(model)[-1]))
    assert size(main(model)[-1]) <= 12_000


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_words_of_ours_cost_the_same_in_any_language(open_talk: Any, home: Path, language: str) -> None:
    model = Scripted(lambda prompt: "Hello." if prompt.tools else NOTHING)
    async with open_talk(home, model, now=lambda: NOW, language=language) as talk:
        await talk.say("hello")
    assert size(main(model)[0]) <= 12_000
    assert prompt_tokens(main(model)[0]) <= 2_500
