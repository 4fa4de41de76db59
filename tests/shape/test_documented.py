"""README is true: whatever can be set, typed, called or added stands in it, and what it names exists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable

import pytest

import bot.cli.commands
from bot import channels, commands, tools
from bot.jobs import handlers
from bot.settings import Settings
from tests.shape.tree import PACKAGES, ROOT, files, modules, text

README = text("README.md")
CODE = set(re.findall(r"`([^`\n]+)`", README))
GLOSSARY = re.findall(r"^\| \*\*(\w+)\*\* \|", README, re.MULTILINE)


def missing(names: Iterable[str]) -> list[str]:
    """Names that no piece of code in README holds as a word."""
    return [
        name
        for name in names
        if not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code) for code in CODE)
    ]


def variables() -> set[str]:
    """Environment variables that Kairos reads."""
    fields = {name for name in Settings.model_fields if name not in {"problems"}}
    return {name.upper() if name.startswith("openai_") else f"KAIROS_{name.upper()}" for name in fields}


def command_names() -> list[str]:
    """Subcommands of `kairos`, those of its groups too: "kairos eval pictures"."""
    import typer

    found: list[str] = []
    kairos = bot.cli.commands.kairos()
    for name in bot.cli.commands.NAMES:
        command = kairos.get_command(typer.Context(kairos), name)
        assert command is not None, f"kairos {name} is listed but not there"
        inner = getattr(command, "commands", {}) if not command.params else {}
        found += [f"kairos {name} {sub}" for sub in inner] or [f"kairos {name}"]
    return found


def test_every_setting() -> None:
    assert missing(sorted(variables())) == []


def test_no_invented_setting() -> None:
    named = set(re.findall(r"\bKAIROS_[A-Z_]+[A-Z]\b", README))
    assert named - variables() == {"KAIROS_TEST_POSTGRES"}  # the tests' own


def test_every_command() -> None:
    assert missing(command_names()) == []


def test_every_slash_command() -> None:
    assert missing(f"/{name.removeprefix('/')}" for name in commands.COMMANDS) == []


def test_every_tool() -> None:
    assert missing(tools.TOOLS) == []


def test_every_kind_of_job() -> None:
    assert missing(handlers.HANDLERS) == []


def test_every_channel() -> None:
    assert missing(channels.NAMES) == []


def test_every_target() -> None:
    targets = re.findall(r"^([a-z][a-z-]*):", text("Makefile"), re.MULTILINE)
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE))
    assert named <= set(targets), "README names a target that is not there"
    assert {"run", "test", "check"} <= named


def test_the_map_shows_the_arrows() -> None:
    """The layers as the import contract has them."""
    contracts = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert " → ".join(layers) in " ".join(README.split())


def test_every_path_exists() -> None:
    known = {path.as_posix() for path in files()} | {
        parent.as_posix() for path in files() for parent in path.parents
    }
    named = {
        code.split(":")[0].rstrip("/")
        for code in CODE
        if re.match(r"(bot|memory|classifiers|tests|\.ci)/", code)
    }
    assert {name for name in named if "<" not in name and name not in known} == set()


@pytest.mark.parametrize("word", GLOSSARY)
def test_glossary_words_are_names_in_the_code(word: str) -> None:
    pattern = re.compile(rf"\b(?:class|def|self\.|import)?\s*_?{word}s?\b", re.IGNORECASE)
    assert any(pattern.search(text(path)) for path in modules(*PACKAGES))


def test_ten_words() -> None:
    assert len(GLOSSARY) == 10


def test_short_enough_to_be_read() -> None:
    assert len(README.splitlines()) <= 300


def test_changelog_knows_this_version() -> None:
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert f"## {version}" in text("CHANGELOG.md")
    assert (ROOT / "LICENSE").is_file()
