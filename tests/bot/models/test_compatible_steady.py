"""Judgements are asked for at temperature 0, where the server takes one; talk is left as the vendor tuned it."""

from __future__ import annotations

from bot.models.model import Prompt, Said
from bot.models.openai_compatible import OpenAICompatible
from tests.fakes.model_server import Answer, FakeModelServer, Request, fails

TALK = Prompt("", messages=(Said("user", "hi"),))
JUDGEMENT = Prompt("", messages=(Said("user", "which?"),), steady=True)


async def test_a_judgement_is_steady_and_talk_is_not() -> None:
    async with FakeModelServer("ok") as server:
        model = OpenAICompatible(server.base_url, "key", "fake")
        await model.generate(JUDGEMENT)
        await model.generate(TALK)
        await model.aclose()
        first, second = (request.body for request in server.requests)
        assert first["temperature"] == 0
        assert "temperature" not in second


async def test_a_model_that_takes_no_temperature_gets_none() -> None:
    def vendor(request: Request) -> Answer:
        if "temperature" in request.body:
            return fails(400, "Unsupported value: 'temperature' is not supported with reasoning models")
        return Answer("ok")

    async with FakeModelServer(vendor) as server:
        model = OpenAICompatible(server.base_url, "key", "fake")
        assert (await model.generate(JUDGEMENT)).text == "ok"
        assert (await model.generate(JUDGEMENT)).text == "ok"
        await model.aclose()
        assert len(server.requests) == 3  # learned once
