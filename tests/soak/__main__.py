"""`make soak`: prints the counts; exit code 1 when something was lost, out of order or answered twice."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.soak.soak import Plan, soak, told


def main() -> int:
    """Read the flags, run, print."""
    plan = Plan()
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--people", type=int, default=plan.people)
    parser.add_argument("--messages", type=int, default=plan.messages, help="of each person")
    parser.add_argument("--kill-every", type=int, default=plan.kill_every, help="messages of all together")
    parser.add_argument("--seed", type=int, default=plan.seed)
    given = parser.parse_args()
    plan = Plan(given.people, given.messages, given.kill_every, seed=given.seed)
    with tempfile.TemporaryDirectory(prefix="soak-") as home:
        counts = asyncio.run(soak(Path(home), plan))
    for row in told(counts):
        print(row)
    return 0 if counts.fine else 1


if __name__ == "__main__":
    sys.exit(main())
