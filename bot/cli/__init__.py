"""The command line: one file a subcommand, listed in `commands.NAMES`; `main` is the boundary for errors.

Exit codes: 0 all ended well · 1 it did not, and a sentence on stderr says why · 2 wrong usage · 3 a bug, with
a log file to send in · 130 Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bot.errors import KairosError


def main() -> None:
    """The command `kairos`."""
    if sys.getfilesystemencoding() != "utf-8":  # LC_ALL=C, say: no folder 代码笔记 could be made
        again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, again, {**os.environ, "PYTHONUTF8": "1"})
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # whatever the locale says: our words are Chinese and English
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nobody ever sees a raw traceback."""
    from typer import Abort, Exit, TyperException

    from bot.cli.commands import kairos

    code: object = 0
    try:
        code = kairos()(args=list(arguments), prog_name="kairos", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as problem:
        _say(f"kairos: {problem.format_message()} (kairos --help)")
        code = problem.exit_code
    except KairosError as problem:
        _say(str(problem))
        code = 1
    except (KeyboardInterrupt, Abort):
        code = 130
    except Exit as leaving:
        code = leaving.exit_code
    except BrokenPipeError:  # `kairos memory | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        code = 1
    except Exception as problem:  # noqa: BLE001 - one of the four boundaries
        code = _unforeseen(problem, arguments)
    return code if isinstance(code, int) else 0


def _unforeseen(problem: Exception, arguments: Sequence[str]) -> int:
    """Say it and return the exit code: of an odd file in a person's folder a sentence, of a bug where its log lies."""
    from bot.agent.trouble import explain
    from bot.cli.crash import report
    from bot.cli.options import spoken_in
    from memory.errors import MemoryProblem

    if isinstance(problem, MemoryProblem):
        _say(explain(problem, spoken_in()))
        return 1
    _say(report(problem, arguments))
    return 3


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
