"""`settings.toml`.

Read so that nothing in it can crash us, written so that it is never half there or readable by others.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import stat
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from bot.errors import SettingsError
from bot.types import Language

SERVERS = "mcp_servers"
TABLES = {SERVERS, "prices"}
"""The keys that hold tables; all others are flat."""


def refusal(language: Language, *, en: str, zh: str) -> SettingsError:
    """The error, in the language at hand."""
    return SettingsError({"en": en, "zh": zh}[language])


def read_toml(file: Path, language: Language) -> tuple[dict[str, Any], list[str]]:
    """(what is written there, what is odd about it). No file is an empty file.

    Raises:
        SettingsError: it cannot be read or is no TOML; names the line, never quotes it.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
        mode = file.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return {}, []
    except UnicodeDecodeError:
        raise refusal(language, en=f"{file} is not UTF-8 text.", zh=f"{file} 不是 UTF-8 文本。") from None
    except OSError as error:
        why = error.strerror or "?"
        raise refusal(language, en=f"{file} cannot be read: {why}.", zh=f"读不了 {file}：{why}。") from None
    try:
        values = _flat(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"line (\d+)", str(error))
        line = place[1] if place else str(text.count("\n") + 1)
        raise refusal(
            language,
            en=f"{file} has a mistake in line {line} (text values need quotes).",
            zh=f"{file} 第 {line} 行有错（文字要加引号）。",
        ) from None
    odd = []
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO) and _has_secret(values):
        odd.append(
            {
                "en": f"{file} holds keys and can be read by others; run: chmod 600 '{file}'",
                "zh": f"{file} 里有密钥，但别人也能读；请运行：chmod 600 '{file}'",
            }[language]
        )
    return values, odd


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keys as fields.

    `[telegram] token` and `KAIROS_TELEGRAM_TOKEN`, which people write too, as `telegram_token`.
    """
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict) and key not in TABLES:
            flat |= {f"{key}_{inner}".lower(): kept for inner, kept in value.items()}
        else:
            flat[key.lower().removeprefix("kairos_") if key.isupper() else key] = value
    return flat


def _has_secret(values: Mapping[str, Any]) -> bool:
    servers = values.get(SERVERS)
    tables = servers.values() if isinstance(servers, dict) else ()
    inside = any(isinstance(each, dict) and (each.get("token") or each.get("env")) for each in tables)
    ends = ("_key", "_token", "database_url")
    return inside or any(key.endswith(ends) and value for key, value in values.items())


def unknown_keys(names: Iterable[str], known: set[str], where: str, language: Language) -> list[str]:
    """One sentence for each name that is not known, with the known one it probably means."""
    sentences = []
    for name in sorted(set(names) - known):
        near = difflib.get_close_matches(name, known, 1, 0.75)
        hint = {"en": f" Did you mean {near[0]}?", "zh": f"是不是想写 {near[0]}？"}[language] if near else ""
        sentences.append(
            {
                "en": f"{name} in {where} is not a setting.{hint}",
                "zh": f"{where} 里的 {name} 不是设置项。{hint}",
            }[language]
        )
    return sentences


def write_toml(file: Path, values: Mapping[str, object], *, known: set[str]) -> None:
    """Make the file say `values`; what is not `known` in it, its comments and its order stay. Raises OSError.

    An older file that is broken is kept beside it as `settings.toml.broken`.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    before = ""
    try:
        read_toml(file, "en")
        before = file.read_text(encoding="utf-8-sig") if file.is_file() else ""
    except SettingsError:
        if file.is_file():
            os.replace(file, file.with_name(file.name + ".broken"))
    after = _changed(before, values, known)
    target = file.resolve() if file.is_symlink() else file  # a linked settings file stays a link
    handle, name = tempfile.mkstemp(
        prefix=".settings-", suffix=".tmp", dir=target.parent
    )  # made with mode 0600
    try:
        with os.fdopen(handle, "wb") as temporary:
            temporary.write(after.encode("utf-8"))
            temporary.flush()
            os.fsync(temporary.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _changed(text: str, values: Mapping[str, object], known: set[str]) -> str:
    """The TOML of a person with `values` in it, each where it stood before in whatever spelling."""
    import tomlkit

    document = tomlkit.parse(text)
    there: set[str] = set()
    for key, value in list(document.items()):
        if key in TABLES:
            continue
        table = value if isinstance(value, MutableMapping) else None
        for inner in [*table] if table is not None else [key]:
            home = document if table is None else table
            field = next(iter(_flat({key: {inner: 0}} if table is not None else {inner: 0})))
            if field in values and field not in there:
                if home[inner] != values[field]:
                    home[inner] = values[field]
                there.add(field)
            elif field in known:
                del home[inner]
    for field, value in values.items():
        if field not in there:
            document[field] = value
    return tomlkit.dumps(document)
