"""`[mcp_servers.<name>]`: read from file or environment, said when odd, and left as they were written."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bot.errors import SettingsError
from bot.settings import McpServer, Settings, save

FILE = """\
model = "none"
[mcp_servers.weather] # by command
command = ["npx", "-y", "weather"]
env = { API_KEY = "k-123456" }
[mcp_servers.docs]
url = "https://docs.example/mcp"
token = "t-123456"
timeout = 5
"""


def written(home: Path, text: str) -> Path:
    home.mkdir()
    file = home / "settings.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    return file


def test_tables_of_the_file(home: Path) -> None:
    written(home, FILE)
    settings = Settings.load(home, {})
    weather, docs = settings.mcp_servers
    assert (weather.name, weather.command, weather.timeout) == ("weather", ("npx", "-y", "weather"), 30.0)
    assert weather.env["API_KEY"].get_secret_value() == "k-123456"
    assert (docs.name, docs.url, docs.timeout) == ("docs", "https://docs.example/mcp", 5.0)
    assert docs.token.get_secret_value() == "t-123456"
    assert settings.problems == ()
    assert "123456" not in repr(settings)


def test_the_environment_wins_as_json(home: Path) -> None:
    written(home, FILE)
    settings = Settings.load(
        home, {"KAIROS_MCP_SERVERS": '{"时间": {"command": "uvx clock"}}'.replace("时间", "clock")}
    )
    assert settings.mcp_servers == (McpServer("clock", command=("uvx", "clock")),)


@pytest.mark.parametrize(
    ("given", "en"),
    [
        ("nonsense", "must be JSON: a table of servers by name"),
        ("[]", "must be a table of servers by name"),
        ({"a": {}}, "needs either a command or a url at a"),
        ({"a": {"command": ["x"], "url": "http://x"}}, "needs either a command or a url at a"),
        ({"a": {"command": [1]}}, "needs a command at a like"),
        ({"a": {"command": "it's"}}, "needs a command at a like"),
        ({"a": {"url": "ftp://x"}}, "needs a url at a that begins with http:// or https://"),
        ({"a": {"url": "http://x:99999"}}, "needs a url at a"),
        ({"a": {"url": "http://x", "token": "令牌"}}, "has a token at a that none can be"),
        ({"a": {"url": "http://x", "timeout": 0}}, "needs 1 to 600 seconds as timeout at a"),
        ({"a": {"url": "http://x", "timeout": True}}, "needs 1 to 600 seconds as timeout at a"),
        ({"a": {"command": "x", "env": {"A": 1}}}, "needs texts in env at a"),
        (
            {"a": {"command": "x", "args": []}},
            "has something at a that is none of command, url, token, env, timeout",
        ),
        ({"a": "x"}, "has something at a"),
        ({"天气": {"command": "x"}}, "has a server whose name"),
        ({"1a": {"command": "x"}}, "has a server whose name"),
        ({"x" * 21: {"command": "x"}}, "has a server whose name"),
    ],
)
def test_what_is_odd_is_one_sentence(home: Path, given: Any, en: str) -> None:
    text = given if isinstance(given, str) else json.dumps(given)
    with pytest.raises(SettingsError) as raised:
        Settings.load(home, {"KAIROS_MCP_SERVERS": text})
    assert str(raised.value).startswith(f"KAIROS_MCP_SERVERS in the environment {en}")
    with pytest.raises(SettingsError, match="环境变量 KAIROS_MCP_SERVERS "):
        Settings.load(home, {"KAIROS_MCP_SERVERS": text, "KAIROS_LANGUAGE": "zh"})


def test_secrets_in_a_file_that_others_can_read_are_said(home: Path) -> None:
    written(home, FILE).chmod(0o644)
    [problem] = Settings.load(home, {}).problems
    assert "chmod 600" in problem


def test_saving_leaves_the_tables_as_they_are(home: Path) -> None:
    file = written(home, FILE)
    settings = Settings.load(home, {}, language="zh", mcp_token="a-token-of-mine-0123")
    save(settings, home)
    text = file.read_text(encoding="utf-8")
    assert FILE.partition("\n")[2] in text
    found = tomllib.loads(text)
    assert found["mcp_servers"] == tomllib.loads(FILE)["mcp_servers"]
    assert (found["language"], found["mcp_token"]) == ("zh", "a-token-of-mine-0123")
    assert Settings.load(home, {}).mcp_servers == settings.mcp_servers
