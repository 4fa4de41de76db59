"""The banks the embedded default learns from are well formed, and what it is judged on was not learned."""

from __future__ import annotations

import pytest

from memory.offline.banks import Example, read, training_set
from memory.offline.probe import KEEPS, WEIGHTS, load_probe
from memory.words import squeeze

BANKS = ["zh", "en", "plain", "everyday", "heldout"]


@pytest.mark.parametrize("bank", BANKS)
def test_what_is_marked_stands_in_the_message(bank: str) -> None:
    for example in read(bank):
        assert example.text.strip()
        assert example.lang in ("zh", "en")
        assert example.of in (("filing", "rule", "fact") if example.label == "change" else ("",)), (
            example.text
        )
        assert all(span in example.text for span in (example.keep, example.what, example.where)), example.text
        assert bool(example.keep) or example.label not in KEEPS, example.text


def test_frames_are_filled_in() -> None:
    for example in training_set():
        assert "{" not in example.text or example.label not in KEEPS or "{what}" not in example.text


def test_nothing_of_the_held_out_bank_is_learned() -> None:
    learned = {squeeze(example.text) for example in training_set()}
    assert [example.text for example in read("heldout") if squeeze(example.text) in learned] == []


def test_no_message_means_two_things() -> None:
    meant: dict[str, set[str]] = {}
    for example in [*read("zh", "en", "plain", "everyday")]:
        meant.setdefault(squeeze(example.text), set()).add(example.label)
    assert {text: labels for text, labels in meant.items() if len(labels) > 1} == {}


def test_the_weights_are_small_and_know_every_label() -> None:
    assert WEIGHTS.stat().st_size < 3_000_000
    labels = {example.label for example in read("zh", "en")}
    assert set(load_probe().heads["full:label"].classes) == labels


def test_an_example_knows_whether_it_stores() -> None:
    assert Example("x", "en", "rule").stores
    assert not Example("x", "en", "once").stores
