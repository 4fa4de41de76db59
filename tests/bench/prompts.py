"""The part about what is sent to models: bytes and tokens, and how much of each request repeats the one before."""

from __future__ import annotations

import json
import re
from itertools import pairwise, takewhile
from statistics import mean
from typing import Any

from bot.models.model import Prompt, Said, ToolSpec
from bot.models.tokens import prompt_tokens
from tests.bench.report import Figure
from tests.bench.sides import USERS, Json, side
from tests.bench.words import talk

TURNS = 31
NUMBER = re.compile(r"\((\d+)\)")


def prompts() -> list[Figure]:
    """A person on a fresh memory, and the same person thirty turns later."""
    with side("kairos") as kairos, side("bare") as bare:
        for one in (kairos, bare):
            one.start()
            one.talk(USERS[0], talk(TURNS))
            one.settle()
        asked, plain = kairos.requests(), bare.requests()
    main = [each for each in asked if each["body"].get("tools")]
    extraction = len(asked) - len(main)
    ours, theirs = _by_message(asked), _by_message(plain)
    shares = repeated(main)
    first = main[0]
    return [
        Figure("request bytes, first message", "bytes", ours[0], theirs[0], note="all calls for one message"),
        Figure("request bytes, after 30 turns", "bytes", ours[-1], theirs[-1]),
        Figure(
            "request bytes, mean of 31",
            "bytes",
            mean(ours),
            mean(theirs),
            note=f"{len(main)} main and {extraction} extraction calls",
        ),
        Figure(
            "repeats the request before",
            "",
            mean(shares),
            least=0.95,
            of="kairos",
            note=f"worst {min(shares):.3f}",
        ),
        Figure("main prompt, fresh memory", "tokens", main_tokens(first["body"]), most=2500, of="kairos"),
        Figure(
            "main prompt, fresh memory",
            "bytes",
            first["size"],
            most=12_000,
            of="kairos",
            note=f"{len(first['body']['tools'])} tools",
        ),
        Figure("JSON is sent unescaped", "", float(not any(map(escaped, main))), least=1, of="kairos"),
    ]


def _by_message(asked: list[Json]) -> list[int]:
    """Bytes per message: a request belongs to the newest message whose number it carries."""
    sizes: dict[int, int] = {}
    for each in asked:
        numbers = [int(found) for found in NUMBER.findall(spelled(each["body"]))]
        newest = max((number for number in numbers if number <= TURNS), default=0)
        sizes[newest] = sizes.get(newest, 0) + each["size"]
    return [sizes[number] for number in sorted(sizes) if number]


def spelled(body: Json) -> str:
    """As it went over the wire."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def escaped(request: Json) -> bool:
    """Whether the wire carried more bytes than the words need."""
    return bool(request["size"] > 1.02 * len(spelled(request["body"]).encode()))


def repeated(main: list[Json]) -> list[float]:
    """Of each request but the first: the share of its bytes that begin it just as the one before began."""
    bodies = [spelled(each["body"]).encode() for each in main]
    return [_alike(before, body) / len(body) for before, body in pairwise(bodies)]


def _alike(one: bytes, two: bytes) -> int:
    """How many bytes both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def main_tokens(body: Json) -> int:
    """The estimate that the bot itself goes by."""
    system, *said = body["messages"]
    tools = tuple(_tool(each["function"]) for each in body["tools"])
    messages = tuple(Said("user", _words(each)) for each in said)
    return prompt_tokens(Prompt(_words(system), tools, messages))


def _tool(function: Json) -> ToolSpec:
    return ToolSpec(function["name"], function.get("description", ""), function.get("parameters", {}))


def _words(message: Json) -> str:
    content: Any = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
