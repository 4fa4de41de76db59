"""`[prices]`: read from file or environment, said when odd, and left as they were written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import Price, Settings, save

FILE = """\
model = "none"
[prices."gpt-5-mini"] # dollars
input = 0.25
cached = 0.025
output = 2
[prices.deepseek-chat]
input = 2
output = 3
currency = "cny"
"""


def test_tables_of_the_file(home: Path) -> None:
    home.mkdir()
    file = home / "settings.toml"
    file.write_text(FILE, encoding="utf-8")
    settings = Settings.load(home, {})
    assert settings.prices == (
        Price("gpt-5-mini", 0.25, 2.0, 0.025),
        Price("deepseek-chat", 2.0, 3.0, 2.0, "CNY"),
    )
    assert settings.problems == ()
    save(Settings.load(home, {}, language="en"), home)
    kept = tomllib.loads(file.read_text(encoding="utf-8"))
    assert kept["prices"] == tomllib.loads(FILE)["prices"]
    assert kept["language"] == "en"


def test_json_of_the_environment(home: Path) -> None:
    settings = Settings.load(home, {"KAIROS_PRICES": '{"a/b:1": {"input": 1, "output": 0}}'})
    assert settings.prices == (Price("a/b:1", 1.0, 0.0, 1.0),)


def test_what_tokens_cost() -> None:
    assert Price("m", input=1, cached=0.1, output=10).of(1_000_000, 400_000, 100_000) == pytest.approx(1.64)


@pytest.mark.parametrize(
    "odd",
    [
        "cheap",
        "[1]",
        '{"m": 3}',
        '{"m": {"input": 1}}',
        '{"m": {"input": 1, "output": 1, "per": 2}}',
        '{"m": {"input": -1, "output": 1}}',
        '{"m": {"input": true, "output": 1}}',
        '{"m": {"input": NaN, "output": 1}}',
        '{"m": {"input": "1", "output": 1}}',
        '{"m": {"input": 1, "output": 1, "currency": "dollars"}}',
    ],
)
def test_odd_prices_are_a_sentence(home: Path, odd: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load(home, {"KAIROS_PRICES": odd})
    assert str(caught.value).startswith("KAIROS_PRICES in the environment ")


def test_an_allowance_may_be_zero_and_not_less(home: Path) -> None:
    assert Settings.load(home, {}).background_tokens == 1_000_000
    assert Settings.load(home, {"KAIROS_BACKGROUND_TOKENS": "0"}).background_tokens == 0
    with pytest.raises(SettingsError, match="must be zero or a number above"):
        Settings.load(home, {"KAIROS_BACKGROUND_TOKENS": "-1"})
