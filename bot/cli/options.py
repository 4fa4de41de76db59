"""Options that several subcommands share, and what every one of them does first."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import SettingsError
from bot.types import Language, may_be_person

if TYPE_CHECKING:
    from bot.settings import Settings

OWNER = "me"

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Folder that holds everything (default ~/Kairos).", show_default=False),
]
Person = Annotated[str, typer.Option("--person", help="Whose assistant it is.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON (UTF-8) and nothing else.")]


def settings_for(home: Path | None) -> Settings:
    """Read the settings. Raises `SettingsError`, `HomeUnwritable`."""
    from bot.settings import Settings

    return Settings.load(home)


def log_to_file(
    settings: Settings, *, verbose: bool = False, looking: bool = False, quiet: bool = False
) -> None:
    """Send the log to `<home>/logs`, and say there and on stderr what is odd about the settings.

    Args:
        looking: make no home where there is none.
        quiet: the command says itself what is odd.
    """
    import structlog

    from bot.logs import configure

    filed = settings.home.exists() or not looking
    configure(settings.home if filed else None, settings.secrets(), verbose)
    for problem in settings.problems:
        structlog.get_logger(__name__).warning(problem, action="settings_odd")
        if filed and not quiet:
            print(f"⚠ {problem}", file=sys.stderr)


def looked_at(person: str, home: Path | None) -> tuple[Settings, str]:
    """(settings, the person's name) of a home that is only looked at: its log is opened, and none is made.

    Says on stderr where a home was named that is not there. Raises `SettingsError`, `HomeUnwritable`.
    """
    settings = settings_for(home)
    language = spoken_in(settings)
    if home is not None and not settings.home.exists():
        there = (
            f"There is no folder {settings.home}."
            if language == "en"
            else f"没有 {settings.home} 这个文件夹。"
        )
        print(there, file=sys.stderr)
    log_to_file(settings, looking=True)
    return settings, person_named(person, language)


def spoken_in(settings: Settings | None = None, environment: Mapping[str, str] | None = None) -> Language:
    """The language in which commands speak: the one that is set, else the terminal's."""
    if settings is not None and settings.language != "auto":
        return settings.language
    environment = os.environ if environment is None else environment
    for name in ("KAIROS_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def person_named(name: str, language: Language) -> str:
    """A name that can be a folder of the home. Raises `SettingsError`."""
    name = name.strip()
    if not may_be_person(name):
        raise SettingsError(
            f"“{name}” cannot be a person's name here: use letters, digits, spaces, dots and dashes."
            if language == "en"
            else f"「{name}」不能用作人名：只能用文字、数字、空格、点和横线。"
        )
    return name


@dataclass(frozen=True, slots=True)
class Inside:
    """The options of a subcommand of a group, its own or those given before it."""

    settings: Settings
    person: str
    json: bool


def inside(context: typer.Context, person: str, json_: bool, home: Path | None) -> Inside:
    """Options of a subcommand: `kairos memory --json log` means what `kairos memory log --json` means.

    Raises `SettingsError`, `HomeUnwritable`.
    """
    outer_person, outer_json, outer_home = context.obj
    settings, name = looked_at(person if person != OWNER else outer_person, home or outer_home)
    return Inside(settings, name, json_ or outer_json)
