"""What is plainly told of the person's own people and pets, by form alone."""

from __future__ import annotations

import pytest

from memory.people import introduces_oneself


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("my name is Rosa", "Rosa"),
        ("Hi, I'm Rosa Diaz, nice to meet you", "Rosa Diaz"),
        ("I'm Rosa", ""),
        ("I'm tired, nice to meet you", ""),
        ("my name is on the list", ""),
    ],
)
def test_giving_one_s_name(said: str, name: str) -> None:
    assert introduces_oneself(said) == name
