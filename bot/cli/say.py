"""`kairos say`: one message, its answer, and what its background work says."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.options import OWNER, Home, Json, Person, log_to_file, person_named, settings_for, spoken_in
from bot.errors import KairosError

if TYPE_CHECKING:
    from bot.channels.terminal_wire import Done, Heard
    from bot.settings import Settings
    from bot.types import Language, Upload


def say(
    text: Annotated[
        str, typer.Argument(help="What to say; “-” reads it from stdin.", show_default=False)
    ] = "",
    image: Annotated[
        list[Path] | None, typer.Option("--image", "-i", help="A picture to send along; may be repeated.")
    ] = None,
    person: Person = OWNER,
    press: Annotated[
        str, typer.Option(help="Press a button instead: its data, as --json shows it.", show_default=False)
    ] = "",
    json_: Json = False,
    home: Home = None,
) -> None:
    """Send one message, print the answer and what its background work says. Exit 0 only if all ended well."""
    try:
        _run(text, image or [], person, press, json_, home)
    except KairosError as problem:
        if json_:  # a program reads one object, whatever happens
            print(json.dumps(_Collected().report(str(problem)), ensure_ascii=False))
        raise


def _run(text: str, image: list[Path], person: str, press: str, json_: bool, home: Path | None) -> None:
    from bot.terminal.uploads import load

    settings = settings_for(home)
    language = spoken_in(settings)
    person = person_named(person, language)
    if text == "-" or (not text and not image and not press and not sys.stdin.isatty()):
        text = sys.stdin.read()
    text = (
        text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    )  # any bytes may come as argv
    if not text and not image and not press:
        if json_:
            print(json.dumps(_Collected().report(_nothing(language)), ensure_ascii=False))
        print(_nothing(language), file=sys.stderr)
        raise typer.Exit(2)
    uploads = load([each.expanduser() for each in image], language)
    log_to_file(settings)
    screen = _Printed(language) if not json_ else _Collected()
    ok = asyncio.run(_say(settings, person, language, screen, (text, uploads, press)))
    if isinstance(screen, _Collected):
        print(json.dumps(screen.report(), ensure_ascii=False))
    if not ok:
        raise typer.Exit(1)


async def _say(
    settings: Settings,
    person: str,
    language: Language,
    screen: _Printed | _Collected,
    said: tuple[str, Sequence[Upload], str],
) -> bool:
    from bot.service import reach
    from bot.terminal.talk import Talk

    text, uploads, press = said
    async with Talk(
        lambda: reach(settings, person, follow=False, command="kairos say", language=language), screen
    ) as talk:
        await talk.say(text, uploads, pressed=press)
        await talk.settled()
    return talk.ok


class _Collected:
    """Keeps everything for the one object that `--json` prints."""

    def __init__(self) -> None:
        self._heard: list[Heard] = []
        self._done: Done | None = None

    def words(self, heard: Heard) -> None:
        self._heard.append(heard)

    def done(self, done: Done, *, said: bool) -> None:
        self._done = done

    def lost(self) -> None:
        """Nothing to say about it: the answer comes all the same."""

    def report(self, problem: str = "") -> dict[str, Any]:
        """`answer`, `later`, `loaded`, `ok`; `earlier` is what waited from before, `problem` why not ok."""
        mine = [each for each in self._heard if not each.earlier]
        return {
            "answer": "\n\n".join(each.text for each in mine if each.kind == "answer"),
            "later": [each.text for each in mine if each.kind != "answer"],
            "loaded": list(self._done.loaded) if self._done else [],
            "ok": bool(self._done and self._done.ok),
            "problem": self._done.problem if self._done else problem,
            "earlier": [each.text for each in self._heard if each.earlier],
            "buttons": [{"label": each.label, "data": each.data} for one in mine for each in one.buttons],
        }


class _Printed:
    """Prints for a person: Markdown on a terminal, plain text into a pipe."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def words(self, heard: Heard) -> None:
        from bot.terminal.rendering import clean
        from bot.terminal.words import say as word

        text = f"[{word(self._language, 'earlier')}] {heard.text}" if heard.earlier else heard.text
        if sys.stdout.isatty():
            from shutil import get_terminal_size

            from bot.terminal.rendering import rendered

            sys.stdout.write(rendered(text, min(get_terminal_size().columns, 100)))
        else:
            print(clean(text))
        if heard.picture:
            print(heard.picture)
        sys.stdout.flush()

    def done(self, done: Done, *, said: bool) -> None:
        if not done.ok and not said:
            from bot.terminal.words import say as word

            print(done.problem or word(self._language, "problem.unknown"), file=sys.stderr)

    def lost(self) -> None:
        """Nothing to say about it: the answer comes all the same."""


def _nothing(language: Language) -> str:
    if language == "zh":
        return "没有内容可发：请写一句话，或用 --image 附上图片。"
    return "Nothing to send: write some text, or add a picture with --image."
