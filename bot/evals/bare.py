"""Bare RapidOCR over files, in a process of its own: what filing is measured against.

`python -m bot.evals.bare` reads one path a line from stdin and prints, a line each, the seconds it took or "null".
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]  # from where `bot` can be imported


async def seconds(paths: Sequence[Path]) -> list[float | None]:
    """Seconds for each file; None where it failed, or was not reached because the process died of one before."""
    command = [sys.executable, "-W", "ignore", "-m", "bot.evals.bare"]
    asked = "\n".join(str(path.absolute()) for path in paths)
    done = await asyncio.to_thread(
        subprocess.run,
        command,
        input=asked.encode("utf-8", "surrogateescape"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        check=False,
    )
    found = [None if row == b"null" else float(row) for row in done.stdout.split()]
    return [*found, *([None] * (len(paths) - len(found)))][: len(paths)]


def main() -> None:
    """The process."""
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "critical"})
    for row in sys.stdin.buffer:
        path = Path(row.decode("utf-8", "surrogateescape").rstrip("\n"))
        began = time.perf_counter()
        try:
            engine(path.read_bytes())
        except (OSError, ValueError, TypeError, RuntimeError, SyntaxError, ArithmeticError):
            print("null", flush=True)
        else:
            print(f"{time.perf_counter() - began:.3f}", flush=True)


if __name__ == "__main__":
    main()
