"""What a model reads when its first answer named a category that is not there."""

from __future__ import annotations

import pytest

from tests.classifiers.fakes import Scripted
from tests.classifiers.test_judge import CASE, judge
from tests.conftest import Golden


async def test_asked_once_more(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("classifiers.judge.secrets.token_hex", lambda _: "b0undary")
    model = Scripted('{"category": "c99"}', '{"category": "c1"}')
    await judge(model)(CASE)
    golden("judge_again.md", model.asked[1][1])
