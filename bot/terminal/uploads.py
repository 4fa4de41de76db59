"""Picture files on their way from this machine to the bot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.channels.terminal_wire import PICTURES
from bot.errors import KairosError
from bot.terminal.words import say
from bot.types import Language, Upload


class Unreadable(KairosError):
    """A file cannot be sent; the message names it."""


def load(files: Sequence[Path], language: Language) -> tuple[Upload, ...]:
    """The bytes of every file, or none at all. Blocking.

    Raises:
        Unreadable: one is missing, no file, may not be read, or they are too large together.
    """
    loaded: list[Upload] = []
    size = 0
    for file in files:
        try:
            if not file.is_file():  # a pipe or a device would be waited for without end
                raise Unreadable(_missing(file, language))
            size += file.stat().st_size
            if size > PICTURES:
                limit = PICTURES // 1024 // 1024
                raise Unreadable(say(language, "too_large", name=file.name, limit=limit))
            loaded.append(Upload(file.read_bytes(), file.name))
        except OSError as problem:
            why = problem.strerror or str(problem)
            raise Unreadable(say(language, "unreadable", name=str(file), why=why)) from problem
    return tuple(loaded)


def _missing(file: Path, language: Language) -> str:
    if file.exists():
        why = "不是文件" if language == "zh" else "not a file"
        return say(language, "unreadable", name=str(file), why=why)
    return say(language, "missing", names=str(file))
