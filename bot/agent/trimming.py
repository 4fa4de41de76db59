"""A conversation cut to what a model takes: the oldest talk goes first, the person's message itself never.

What is cut here stays cut: the turn tells up to where (`Conversed.prompt`), and history begins behind it from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.models.model import Prompt, Said
from bot.models.tokens import prompt_tokens, said_tokens, tokens

ROOM = 0.25  # share of the window that is left for the answer and for what tools say
BLOCK = 8  # messages that go at once, so that the start stays put for a while and vendors' caches hold
LEAST = 1_000  # characters of a tool's result that are left in any case
UNSHOWN = "(from the app: {count} more pictures were too much for the model; read_picture has their text)"
SHORTENED = "\n[… cut here: too long for the model]"


def fitting(prompt: Prompt, most: int) -> Prompt:
    """The prompt with as much history as fits into a window of `most` tokens, by estimate."""
    _, history, _ = parts(prompt)
    left = room(prompt, most)
    costs = [said_tokens(said) for said in history]
    start, total = 0, sum(costs)
    while start < len(costs) and total > left:
        total -= sum(costs[start : start + BLOCK])
        start = min(start + BLOCK, len(costs))
    return _with(prompt, from_the_person(history, start)) if start else prompt


def room(prompt: Prompt, most: int) -> float:
    """Tokens that history may take in a window of `most`, beside all else that the prompt holds."""
    return most * (1 - ROOM) - prompt_tokens(_with(prompt, ()))


def less(prompt: Prompt, why: str) -> Prompt | None:
    """The prompt with less in it, after a server has refused it; None when nothing is left that may go.

    Args:
        why: the code of the refusal. Too many bytes are mostly pictures; what a filter takes exception to may be
            anywhere in what was said before.
    """
    if why == "too_large":
        return _fewer_pictures(prompt) or shorter(prompt)
    if why == "too_long":
        return shorter(prompt) or _fewer_pictures(prompt)
    return _bare(prompt) if why == "filtered" else None


def shorter(prompt: Prompt) -> Prompt | None:
    """The prompt with the newer half of its history, then without its summary; None when there is none left."""
    _, history, _ = parts(prompt)
    if history:
        return _with(prompt, from_the_person(history, len(history) - len(history) // 2))
    return _unpinned(prompt)


def lighter(messages: Sequence[Said]) -> list[Said] | None:
    """What a turn has said to its tools and heard from them, with the longest result halved; None when all are short.

    Each result stays with its call.
    """
    lengths = [len(said.text) if said.role == "tool" else 0 for said in messages]
    place = max(range(len(lengths)), key=lengths.__getitem__, default=0)
    if not lengths or lengths[place] <= LEAST:
        return None
    text = messages[place].text.removesuffix(SHORTENED)
    cut = replace(messages[place], text=text[: max(len(text) // 2, LEAST - len(SHORTENED))] + SHORTENED)
    return [*messages[:place], cut, *messages[place + 1 :]]


def weighs(messages: Sequence[Said]) -> int:
    """Tokens of the results of tools among them."""
    return sum(tokens(said.text) for said in messages if said.role == "tool")


def parts(prompt: Prompt) -> tuple[tuple[Said, ...], tuple[Said, ...], Said]:
    """(what stays at the start, the history that may go, the person's message)."""
    messages = tuple(prompt.messages)
    return messages[: prompt.pinned], messages[prompt.pinned : -1], messages[-1]


def from_the_person(history: Sequence[Said], start: int) -> tuple[Said, ...]:
    """The history from a place on, or a little later: servers want the person's words first, and a result its call."""
    while start < len(history) and history[start].role != "user":
        start += 1
    return tuple(history[start:])


def _with(prompt: Prompt, history: Sequence[Said]) -> Prompt:
    pinned, _, last = parts(prompt)
    return replace(prompt, messages=(*pinned, *history, last))


def _unpinned(prompt: Prompt) -> Prompt | None:
    return (
        replace(prompt, messages=tuple(prompt.messages)[prompt.pinned :], pinned=0) if prompt.pinned else None
    )


def _bare(prompt: Prompt) -> Prompt | None:
    """Without what was said before, then without its summary."""
    return _with(prompt, ()) if parts(prompt)[1] else _unpinned(prompt)


def _fewer_pictures(prompt: Prompt) -> Prompt | None:
    """With the first half of several pictures."""
    *before, last = prompt.messages
    if len(last.images) < 2:
        return None
    kept = len(last.images) // 2
    note = UNSHOWN.format(count=len(last.images) - kept)
    return replace(
        prompt, messages=(*before, replace(last, images=last.images[:kept], text=f"{last.text}\n\n{note}"))
    )
