"""`KAIROS_DATABASE_URL`: however it is spelled, and its password a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings
from tests.bot.test_settings import load, refusal


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_database_url_however_it_is_spelled(home: Path, scheme: str) -> None:
    settings = load(home, {"KAIROS_DATABASE_URL": f" {scheme}://ann:pw@db.example:5432/notes\n"})
    assert settings.database_url.get_secret_value() == "postgresql+psycopg://ann:pw@db.example:5432/notes"
    assert load(home, toml='database_url = ""').database_url.get_secret_value() == ""


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:///x.db",
        "mysql://ann:hunter2@h/d",
        "postgresql:ann:hunter2@h/d",
        "postgresql://ann:hunter2@h:port/d",
        "postgresql://ann:hunter2@h/d?schema=a-b;drop",
        "postgresql://ann:hunter2@h/d?schema=a&schema=b",
        "postgresql://ann:hunter2@h/d?schema=",
        "postgresql+asyncpg://ann:hunter2@h/d",
        "postgresql://ann:hunter2@h/my notes",
    ],
)
def test_another_database_is_refused_without_its_password(home: Path, url: str) -> None:
    sentence = refusal(home, {"KAIROS_DATABASE_URL": url})
    assert "KAIROS_DATABASE_URL" in sentence
    assert "postgresql://" in sentence
    assert "hunter2" not in sentence


def test_a_databases_password_is_a_secret_alone_too(home: Path) -> None:
    settings = load(home, toml='database_url = "postgresql://ann:p%40ss:w0rd@db/notes"')
    url = "postgresql+psycopg://ann:p%40ss:w0rd@db/notes"
    assert settings.secrets() == (url, "p%40ss:w0rd", "p@ss:w0rd")
    assert "w0rd" not in repr(settings)
    assert load(home, toml='database_url = "postgresql://ann@db/notes"').secrets() == (
        "postgresql+psycopg://ann@db/notes",
    )


def test_a_database_url_in_a_file_that_others_can_read_is_said(home: Path) -> None:
    load(home, toml='database_url = "postgresql://ann:secret@db/notes"')
    (home / "settings.toml").chmod(0o644)
    [problem] = Settings.load(home, {}).problems
    assert "chmod 600" in problem
