"""`make bench`: Kairos and a bare bot side by side, over a fake Telegram and a fake model at 0 ms, loopback only.

    python -m tests.bench [--json] [--only latency,idle]

Both bots run at the same time and take turns, so that noise hits both. A missed target is said; only what could not
be measured makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from tests.bench.chat import crash, idle, latency, start, throughput
from tests.bench.embedded import embedded
from tests.bench.prompts import prompts
from tests.bench.report import Figure, as_json, as_table
from tests.bench.sides import BenchFailed

PARTS: dict[str, Callable[[], list[Figure]]] = {
    "latency": latency,
    "throughput": throughput,
    "idle": idle,
    "start": start,
    "prompts": prompts,
    "crash": crash,
    "embedded": embedded,
}

# seconds after which no further part is begun; on an idle machine all of them take half of that
LAST_START = 240.0


def main() -> int:
    """Run the parts; 1 when one of them could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--only", default="", metavar="PARTS", help=f"some of {','.join(PARTS)}")
    given = parser.parse_args()
    wanted = [name for name in given.only.split(",") if name] or list(PARTS)
    if unknown := [name for name in wanted if name not in PARTS]:
        parser.error(f"no such part: {', '.join(unknown)} (there are {', '.join(PARTS)})")
    began = time.monotonic()
    figures: list[Figure] = []
    problems: list[str] = []
    for name in wanted:
        if time.monotonic() - began > LAST_START:
            problems.append(f"{name}: the machine is too busy, five minutes are over (--only {name})")
            continue
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            figures += PARTS[name]()
        except BenchFailed as failed:
            problems.append(f"{name}: {failed}")
    seconds = time.monotonic() - began
    print((as_json if given.json else as_table)(figures, seconds, problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
