"""A model around another one: told or whole, each of its answers comes by the same way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from bot.models.model import Model, OnText, Prompt, Reply, told

Ask = Callable[[Model], Awaitable[Reply]]
"""Have a model answer, in the way in which somebody wants to hear it. Raises what the model raises."""


class Around(ABC):
    """`model`, with what `_ask` does about each call."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def sees(self) -> bool:
        """The model's."""
        return self._model.sees

    async def generate(self, prompt: Prompt) -> Reply:
        """One answer. Raises what `_ask` raises."""
        return await self._ask(lambda model: model.generate(prompt), prompt)

    async def stream(self, prompt: Prompt, on_text: OnText) -> Reply:
        """The same, told while it grows; where it is asked for again, from its beginning."""
        return await self._ask(lambda model: told(model, prompt, on_text), prompt)

    @abstractmethod
    async def _ask(self, ask: Ask, prompt: Prompt) -> Reply:
        """One answer to `prompt`, by `ask`."""
