"""A server that takes the connection and then says nothing is told from one that thinks long."""

from __future__ import annotations

import time

import pytest

from bot.errors import ModelUnavailable
from bot.models import openai_compatible
from bot.models.model import Prompt, Said
from bot.models.openai_compatible import OpenAICompatible
from tests.fakes.model_server import Answer, FakeModelServer

HI = Prompt("", messages=(Said("user", "hi"),))


async def test_encryption_that_never_begins_is_unreachable_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_compatible, "CONNECT", 0.2)
    async with FakeModelServer("ok") as server:  # speaks no TLS, and waits for a request that never comes
        model = OpenAICompatible(server.base_url.replace("http:", "https:"), "key", "fake")
        began = time.monotonic()
        with pytest.raises(ModelUnavailable) as caught:
            await model.generate(HI)
        await model.aclose()
    assert caught.value.code == "unreachable"
    assert time.monotonic() - began < 10  # the SDK's import included


async def test_a_long_thought_is_no_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_compatible, "CONNECT", 0.2)
    async with FakeModelServer(Answer("well", delay=0.6)) as server:
        model = OpenAICompatible(server.base_url, "key", "fake")
        assert (await model.generate(HI)).text == "well"
        await model.aclose()
