"""One more of a kind is one file and one visible line: what is listed is there, and keeps its contract."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from bot.channels import NAMES, configured
from bot.channels.channel import Channel
from bot.jobs.handlers import HANDLERS
from bot.settings import Settings
from bot.tools import EMBEDDED_TOOLS, TOOLS
from bot.tools.tool import Tool
from tests.shape.tree import ROOT

MEMBERS = [name for name in vars(Channel) if not name.startswith("_")]


@pytest.fixture
def channels(tmp_path: Path) -> dict[str, Channel]:
    """Every channel, made from settings that name all of them."""
    settings = Settings(home=tmp_path, telegram_token="1:a", telegram_allowed=(7,))  # type: ignore[arg-type]
    return {channel.name: channel for channel in configured(settings, "en")}


def test_every_listed_channel_is_made(channels: dict[str, Channel]) -> None:
    assert set(channels) == set(NAMES)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_channel_has_its_file_or_package(name: str) -> None:
    place = ROOT / "bot/channels" / name
    assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("member", MEMBERS)
def test_a_channel_keeps_its_contract(channels: dict[str, Channel], name: str, member: str) -> None:
    promised, kept = vars(Channel)[member], inspect.getattr_static(channels[name], member)
    if isinstance(promised, property):
        assert isinstance(getattr(channels[name], member), str)
        return
    assert inspect.iscoroutinefunction(kept) is inspect.iscoroutinefunction(promised)
    assert list(inspect.signature(kept).parameters) == list(inspect.signature(promised).parameters)


@pytest.mark.parametrize("name", sorted(EMBEDDED_TOOLS))
def test_a_tool_can_be_offered_to_any_vendor(name: str) -> None:
    """The strictest of them: names of ≤ 64 plain letters, an object schema, each required property there."""
    tool: Tool = EMBEDDED_TOOLS[name]
    schema = tool.spec.parameters
    assert re.fullmatch(r"[a-z][a-z_]{2,63}", name)
    assert tool.spec.description.endswith((".", ":")) or len(tool.spec.description) > 20
    assert schema["type"] == "object"
    assert set(schema.get("required", ())) <= set(schema["properties"])
    assert all("type" in value or "enum" in value for value in schema["properties"].values())
    assert inspect.iscoroutinefunction(tool.run)


def test_the_embedded_model_has_every_tool_of_the_others() -> None:
    assert set(TOOLS) <= set(EMBEDDED_TOOLS)


def test_every_kind_of_job_is_wired() -> None:
    source = (ROOT / "bot/background.py").read_text(encoding="utf-8")
    wired = re.search(r"handlers\(\s*\{(.*?)\}", source, re.DOTALL)
    assert wired is not None
    assert re.findall(r'"(\w+)":', wired[1]) == list(HANDLERS)
