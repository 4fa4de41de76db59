"""A conversation cut to what a model takes: the oldest talk goes first, the person's message itself never."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.models.model import Prompt, Said
from bot.models.tokens import prompt_tokens, said_tokens

ROOM = 0.25  # share of the window that is left for the answer and for what tools say
BLOCK = 8  # messages that go at once, so that the start stays put for a while and vendors' caches hold


def fitting(prompt: Prompt, most: int) -> Prompt:
    """The prompt with as much history as fits into a window of `most` tokens, by estimate."""
    messages = prompt.messages
    left = most * (1 - ROOM) - prompt_tokens(replace(prompt, messages=messages[-1:]))
    costs = [said_tokens(said) for said in messages[:-1]]
    start, total = 0, sum(costs)
    while start < len(costs) and total > left:
        total -= sum(costs[start : start + BLOCK])
        start = min(start + BLOCK, len(costs))
    return replace(prompt, messages=from_the_person(messages, start)) if start else prompt


def shorter(prompt: Prompt) -> Prompt | None:
    """The prompt with the newer half of its history, when a server found it too long; None when there is none left."""
    history = len(prompt.messages) - 1
    if history < 1:
        return None
    return replace(prompt, messages=from_the_person(prompt.messages, history - history // 2))


def from_the_person(messages: Sequence[Said], start: int) -> tuple[Said, ...]:
    """The messages from a place on, or a little later: servers want the person's words first."""
    while start < len(messages) - 1 and messages[start].role != "user":
        start += 1
    return tuple(messages[start:])
