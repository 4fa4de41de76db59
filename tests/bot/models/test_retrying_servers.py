"""A main model that is away and another that is not, over the wire: the person is answered in time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.errors import ModelUnavailable
from bot.models import open_models
from bot.models.model import Prompt, Said, told
from bot.settings import Settings
from tests.fakes.model_answers import Answer, Request, drops, fails
from tests.fakes.model_server import FakeModelServer

HI = Prompt("", messages=[Said("user", "hi")])
AWAY = {
    "429": fails(429),  # without a time (A43)
    "429 for an hour": fails(429, retry_after=3_600),
    "500": fails(500),
    "503": fails(503),
    "529": fails(529, "Overloaded"),  # A42
    "gone": drops(),
    "200 and an error": Answer(raw='{"error": {"message": "Provider overloaded", "code": 502}}'),
}


@pytest.mark.parametrize("why", AWAY)
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("apart", [False, True])
async def test_the_other_model_answers(home: Path, why: str, *, streamed: bool, apart: bool) -> None:
    """`apart`: at another provider; else at the same, which serves both."""

    def one(request: Request) -> Answer | str:
        return AWAY[why] if request.body["model"] == "main" else "spare here"

    async with FakeModelServer(one) as server, FakeModelServer(one) as other:
        env = {
            "KAIROS_MODEL_BASE_URL": server.base_url,
            "KAIROS_MODEL": "main",
            "KAIROS_FALLBACK_MODEL": "spare",
            "KAIROS_FALLBACK_MODEL_BASE_URL": (other if apart else server).base_url,
        }
        models = open_models(Settings.load(home, env, retry_budget=0.6))
        assert models.main
        began = time.monotonic()
        for _ in range(2):  # not once only
            if streamed:
                reply = await told(models.main, HI, lambda text: None)
            else:
                reply = await models.main.generate(HI)
            assert reply.text == "spare here"
        assert time.monotonic() - began < 4
        await models.aclose()


async def test_with_no_other_model_the_first_error_is_told(home: Path) -> None:
    async with FakeModelServer(fails(529)) as server:
        env = {"KAIROS_MODEL_BASE_URL": server.base_url, "KAIROS_MODEL": "main"}
        models = open_models(Settings.load(home, env, retry_budget=1.0))
        assert models.main
        with pytest.raises(ModelUnavailable) as told_:
            await models.main.generate(HI)
        assert told_.value.code == "busy"
        assert len(server.requests) == 2  # tried again, within the budget
        await models.aclose()
