"""`[mcp_servers.<name>]`: outside servers whose tools the main model may use, and the sentence when one is odd."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BeforeValidator, SecretStr

from bot.settings.values import InvalidError

TIMEOUT = 30.0  # seconds that one call may take where nothing else is set
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")
_KEYS = ("command", "url", "token", "env", "timeout")
_SECRET_OPTION = re.compile(r"--?[\w-]*(?:key|token|secret|password)[\w-]*(?:=(?P<value>.+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class McpServer:
    """One outside server: a command that is started and spoken to on its stdin, or an address."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    token: SecretStr = field(default_factory=lambda: SecretStr(""))
    env: Mapping[str, SecretStr] = field(default_factory=dict)  # for the command
    timeout: float = TIMEOUT  # seconds that one call may take

    def secrets(self) -> list[str]:
        """All that must not be read in a log: the token, values of the environment, keys in command or address."""
        held = [self.token.get_secret_value(), *(value.get_secret_value() for value in self.env.values())]
        for option, after in zip(self.command, (*self.command[1:], ""), strict=False):
            if found := _SECRET_OPTION.fullmatch(option):
                held.append(found["value"] or after)
        if self.url:
            parts = urlsplit(self.url)
            held += [parts.query, parts.password or ""]
        return [each for each in held if each]


def _servers(given: object) -> object:
    """A table by name, or JSON of one as the environment has it."""
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except ValueError:
            raise InvalidError(
                "must be JSON: a table of servers by name", "要填 JSON：按名字列出服务器"
            ) from None
    if isinstance(given, tuple) and all(isinstance(each, McpServer) for each in given):
        return given
    if not isinstance(given, Mapping):
        raise InvalidError("must be a table of servers by name", "要按名字列出服务器")
    return tuple(_server(str(name), table) for name, table in given.items())


def _server(name: str, table: object) -> McpServer:
    if not _NAME.fullmatch(name):
        raise InvalidError(
            "has a server whose name is not 1 to 20 letters, digits, dashes or underscores that begin with a letter",
            "里有个服务器的名字不行：要字母开头，只用字母、数字、横线、下划线，最多 20 个",
        )
    if not isinstance(table, Mapping) or not set(table) <= set(_KEYS):
        raise InvalidError(
            f"has something at {name} that is none of {', '.join(_KEYS)}",
            f"的 {name} 里只能有 {'、'.join(_KEYS)}",
        )
    command, url = _command(name, table.get("command", ())), str(table.get("url", "")).strip()
    if bool(command) == bool(url):
        raise InvalidError(
            f"needs either a command or a url at {name}", f"的 {name} 要填 command 或 url，二选一"
        )
    return McpServer(name, command, _url(name, url), *_rest(name, table))


def _command(name: str, given: object) -> tuple[str, ...]:
    try:
        words = shlex.split(given) if isinstance(given, str) else given
    except ValueError:
        words = None
    if not isinstance(words, list | tuple) or not all(
        isinstance(each, str) and "\0" not in each for each in words
    ):
        raise InvalidError(
            f'needs a command at {name} like ["npx", "-y", "package"]',
            f'的 {name} 的 command 要写成 ["npx", "-y", "包名"]',
        )
    return tuple(words)


def _url(name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        fine = not url or (
            parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        )
    except ValueError:
        fine = False
    if not fine or re.search(r"\s", url):
        raise InvalidError(
            f"needs a url at {name} that begins with http:// or https://",
            f"的 {name} 的 url 要以 http:// 或 https:// 开头",
        )
    return url


def _rest(name: str, table: Mapping[Any, Any]) -> tuple[SecretStr, dict[str, SecretStr], float]:
    token, env, timeout = table.get("token", ""), table.get("env", {}), table.get("timeout", TIMEOUT)
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]*", token.strip()):
        raise InvalidError(f"has a token at {name} that none can be", f"的 {name} 的 token 不像令牌")
    if not isinstance(env, Mapping) or not all(isinstance(each, str) for each in env.values()):
        raise InvalidError(f"needs texts in env at {name}", f"的 {name} 的 env 里只能是文字")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= 600:
        raise InvalidError(
            f"needs 1 to 600 seconds as timeout at {name}", f"的 {name} 的 timeout 要填 1 到 600 秒"
        )
    kept = {str(key): SecretStr(value) for key, value in env.items()}
    return SecretStr(token.strip()), kept, float(timeout)


Servers = Annotated[tuple[McpServer, ...], BeforeValidator(_servers)]
