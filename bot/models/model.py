"""What a language model must do, in the project's own nouns. An adapter is one file; `open_models` chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Protocol, cast, runtime_checkable


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call the model made."""

    id: str
    name: str
    arguments: dict[str, Any]
    # arguments that could not be read; the loop answers with it instead of running the tool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation, as a model reads it."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    images: tuple[bytes, ...] = ()  # JPEG; user messages only
    calls: tuple[Call, ...] = ()  # assistant messages only
    call_id: str = ""  # tool messages only: the call it answers
    name: str = ""  # tool messages only
    reasoning: str | None = None  # kept for vendors that want it back
    typed: tuple[str, ...] = ()  # user messages only: the person's own words, without what we put around them
    captions: frozenset[int] = frozenset()  # places in `typed` of words that came with a picture
    pictures: tuple[str, ...] = ()  # user messages only: the text in each picture shown beside the words
    found: bool = True  # tool messages only: False when a look-up found nothing
    row: int = 0  # messages.id of what was said, or of what it answers; 0 = it is no line of the conversation


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model reads it."""

    name: str
    description: str
    parameters: dict[str, Any]  # JSON Schema of an object


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the server counted them."""

    input: int = 0
    cached: int = 0
    output: int = 0

    def __bool__(self) -> bool:
        return bool(self.input or self.output)

    @property
    def counts(self) -> tuple[int, int, int] | None:
        """The three of them; None where nothing was counted."""
        return (self.input, self.cached, self.output) if self else None

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input + other.input, self.cached + other.cached, self.output + other.output)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said: words, calls, or both. Neither is an empty answer, which callers must expect."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: Literal["stop", "calls", "length", "filtered"] = "stop"
    reasoning: str | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything one call carries, ordered for the vendors' prefix caches: what changes least comes first."""

    system: str  # fixed words, then core, then topic index
    tools: tuple[ToolSpec, ...] = ()
    messages: Sequence[Said] = ()
    pinned: int = 0  # how many of the first messages stay when a conversation is cut: its summary
    steady: bool = False  # a judgement rather than talk: the same answer each time, as far as the model can


class Model(Protocol):
    """A model that can be talked to."""

    @property
    def name(self) -> str:
        """For logs and `doctor`."""
        ...

    @property
    def sees(self) -> bool:
        """Whether images in a `Said` reach it."""
        ...

    async def generate(self, prompt: Prompt) -> Reply:
        """One answer.

        Raises:
            ModelRefused: it will never work as asked.
            ModelUnavailable: it may work later.
        """
        ...


OnText = Callable[[str], None]
"""Told the text of an answer as far as it has come, thinking in tags included; a second try begins anew."""


@runtime_checkable
class Streams(Protocol):
    """A model that can tell its answer while it grows."""

    async def stream(self, prompt: Prompt, on_text: OnText) -> Reply:
        """As `Model.generate`."""
        ...


async def told(model: Model, prompt: Prompt, on_text: OnText) -> Reply:
    """One answer, told while it grows where the model can."""
    if _streams(type(model)):
        return await cast(Streams, model).stream(prompt, on_text)
    return await model.generate(prompt)


@cache
def _streams(kind: type) -> bool:
    """Looked at once a kind: for a protocol that takes 30 µs, and each message would ask five times."""
    return issubclass(kind, Streams)
