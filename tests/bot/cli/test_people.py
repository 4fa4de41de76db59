"""`kairos people` goes through the chat, as the owner."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli import run, say


def test_it_is_said_in_the_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, str, Path]] = []

    def hear(text: str, *, person: str, home: Path, **_: object) -> None:
        heard.append((text, person, home))

    monkeypatch.setattr(say, "say", hear)
    for words in ([], ["code"], ["revoke", "99"]):
        assert run(["people", *words, "--home", str(tmp_path)]) == 0
    assert heard == [(text, "me", tmp_path) for text in ("/people", "/people code", "/people revoke 99")]


def test_a_code_comes_from_the_real_bot(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["people", "code", "--home", str(home)]) == 0
    out = capsys.readouterr().out
    assert "-" in out.splitlines()[0]
    assert run(["people", "allow", "99", "--home", str(home)]) == 0
    assert "99" in capsys.readouterr().out
