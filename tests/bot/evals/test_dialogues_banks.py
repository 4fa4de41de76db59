"""Dialogues by people who had not seen the product, and what a careful person would note of each.

They were read after they had been scored once (see the session notes), and only serve to notice what gets worse.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.evals import dialogues
from bot.evals.dialogues import Brain
from memory.offline import Offline
from tests.bot.evals.test_dialogues import judged, model
from tests.memory.offline.test_offline import embed, needs_vectors

BANKS = sorted(Path(__file__).with_name("dialogues").glob("*.json"))
NEVER = {"secret", "poisoning", "assistant-words", "attribution", "tombstone"}


def cases(bank: Path) -> list[dict[str, Any]]:
    return list(json.loads(bank.read_text(encoding="utf-8"))["cases"])


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: bank.stem)
async def test_a_model_that_keeps_what_it_should_is_hardly_ever_refused(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, totals = await judged(tmp_path, model(cases(bank)), capsys, cases(bank))
    assert totals["right"] >= 54, "of 60"
    assert totals["silent"] == totals["silent_due"]


@needs_vectors
async def test_with_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = silent = 0
    for bank in BANKS:
        brain = Brain("none", Offline(embed).extract, embed)
        await dialogues.run(bank, tmp_path, brain, as_json=True, language="en")
        totals = json.loads(capsys.readouterr().out.splitlines()[-1])
        right += totals["expecting_right"]
        silent += totals["silent"]
        assert not NEVER & totals["wrong_by_trap"].keys(), bank.stem
    assert right >= 108, "of 180"
    assert silent >= 171, "of 180"
