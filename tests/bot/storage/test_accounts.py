"""Who asked, what was decided, and codes that work once, soon, in few tries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.storage.accounts import LASTS, TRIES, Account, code_in
from tests.bot.desks import NOW, Rig

ANN = Account("fake", "99", "99", "Ann", "asked", "", NOW, "en")


async def test_somebody_asks_once(rig: Rig) -> None:
    accounts = rig.storage.accounts
    assert await accounts.ask(ANN, most=1) == "new"
    assert await accounts.ask(ANN, most=1) == "asked"
    assert await accounts.ask(replace(ANN, user="98"), most=1) == "full"
    assert await accounts.ask(replace(ANN, channel="other"), most=2) == "new"
    await accounts.put(replace(ANN, state="declined"))
    assert await accounts.ask(ANN, most=9) == "declined"
    assert [each.state for each in await accounts.all()] == ["declined", "asked"]
    assert (await accounts.all())[0] == replace(ANN, state="declined")


async def test_a_code_works_once_and_soon(rig: Rig) -> None:
    accounts = rig.storage.accounts
    code, other = await accounts.new_code(), await accounts.new_code()
    assert code != other
    assert await accounts.redeem(code.lower().replace("-", " "))
    assert not await accounts.redeem(code)
    rig.clock.later(minutes=LASTS.total_seconds() / 60)
    assert not await accounts.redeem(other)


async def test_no_crowd_finds_a_code(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chance of one in its time, whoever guesses."""
    assert TRIES / 31**8 < 1e-8
    monkeypatch.setattr("bot.storage.accounts.TRIES", 5)
    accounts = rig.storage.accounts
    code = await accounts.new_code()
    for _ in range(4):
        assert not await accounts.redeem("AAAA-AAA2")
    kept = await accounts.new_code()
    assert not await accounts.redeem("AAAA-AAA2")
    assert not await accounts.redeem(code), "its tries are used up"
    assert await accounts.redeem(kept)


async def test_a_code_is_kept_nowhere(rig: Rig) -> None:
    code = (await rig.storage.accounts.new_code()).replace("-", "")
    if (file := rig.home / "kairos.sqlite").exists():
        stored = b"".join(each.read_bytes() for each in file.parent.glob("kairos.sqlite*"))
        assert code.encode() not in stored


@pytest.mark.parametrize(
    "text", ["", "hello there", "PASSWORD", "greeting", "ABCDEFGH", "A2", "AAAA-AAA22", "ÄAAA-AAA2"]
)
def test_words_that_are_no_code(text: str) -> None:
    assert code_in(text) == ""


def test_a_code_in_any_spelling() -> None:
    assert code_in(" abcd efg2\n") == code_in("ABCD-EFG2") == "ABCDEFG2"
