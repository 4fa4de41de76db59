"""`--person`: no subcommand that has it shows or touches anything of anybody else. Made from the registry."""

from __future__ import annotations

import asyncio
from itertools import chain
from pathlib import Path

import pytest

from bot.cli import run
from bot.cli.commands import NAMES, loaded
from tests.flows.apart import SECRET, two, world_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

ELSEWHERE = {
    "chat",
    "mcp",
    "archive",
}  # the first two wait for somebody: see `flows/test_apart.py`; the last is a group
GIVEN = {  # words that a subcommand needs
    "say": [["/memory"], ["what of the zebra?"]],
    "memory search": [["zebra"]],
    "memory why": [["zebra"], ["r1"]],
    "memory restore": [["1"]],
    "jobs retry": [["all"], ["1"]],
    "archive export": [["{home}/out.zip"]],
    "cultivate": [[], ["on"], ["remove", "1"]],
}


def lines() -> list[str]:
    """Every subcommand with `--person`, those of groups too."""
    found = []
    for name in NAMES:
        command = loaded(name)
        inner = getattr(command, "commands", {})
        for words, each in chain([(name, command)], ((f"{name} {sub}", it) for sub, it in inner.items())):
            if any("--person" in option.opts for option in each.params):
                found.append(words)
    return found


def test_no_subcommand_reaches_another(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.CATCHES_UP", 1.0)
    monkeypatch.setenv("KAIROS_TIMEZONE", "Asia/Shanghai")  # as they have always had it

    async def settle() -> dict[str, str]:
        async with two(home, "tg-8", "me") as made:
            return await made.world()

    before = asyncio.run(settle())
    tried = [words for words in lines() if words not in ELSEWHERE]
    assert {"say", "memory", "memory search", "filings", "jobs", "usage", "archive export"} <= set(tried)
    for words in tried:
        for given in GIVEN.get(words, [[]]):
            typed = [each.format(home=home.parent) for each in given]
            capsys.readouterr()
            code = run([*words.split(), *typed, "--person", "tg-8", "--home", str(home)])
            out, err = capsys.readouterr()
            assert code in (0, 1), (words, given, err)
            assert SECRET not in out + err, (words, given)
            assert str(home / "me") not in out + err, (words, given)
    assert SECRET.encode() not in (home.parent / "out.zip").read_bytes()
    after = asyncio.run(world_of(home, "me"))
    for each in (before, after):
        del each["note_cursors"]  # whoever starts a bot starts everybody's: it saw that they had talked
    assert after == before
