"""The part without a model: filing against bare RapidOCR on the same pictures, and milliseconds per text turn."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median, quantiles

from tests.bench.report import Figure
from tests.bench.sides import ROOT, USERS, Side, side
from tests.bench.words import talk

PICTURES = 5
IDLE = 15  # seconds until the OCR process leaves: longer than RapidOCR takes for its turns in between
WIDTH, HEIGHT = 1080, 1400  # pixels: a phone's screenshot, cut
VERBS = ("load", "parse", "merge", "check", "store", "send", "count", "sort", "trim", "join")
NOUNS = ("orders", "rows", "users", "prices", "pages", "events", "labels", "notes", "files", "times")


def draw(path: Path, seed: int) -> None:
    """A screenshot of code that nobody has seen before."""
    from PIL import Image, ImageDraw, ImageFont

    chance = random.Random(seed)
    lines = ["from __future__ import annotations", ""]
    for _ in range(5):
        verb, noun = chance.choice(VERBS), chance.choice(NOUNS)
        lines += [
            f"def {verb}_{noun}({noun}, limit={chance.randint(2, 999)}):",
            f"    for item in {noun}[:limit]:",
            f"        if item.{chance.choice(VERBS)}({chance.randint(2, 99)}):",
            f"            return item[{chance.randint(0, 9)}]",
            "",
        ]
    image = Image.new("RGB", (WIDTH, HEIGHT), (250, 250, 248))
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(30)
    for number, line in enumerate(lines):
        pen.text((40, 40 + 48 * number), line, fill=(20, 24, 36), font=font)
    image.save(path)


class BareOcr:
    """RapidOCR in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.bench.bare_ocr", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._line()

    def read(self, path: Path) -> tuple[float, float]:
        """Seconds and CPU seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        seconds, cpu, _ = self._line().split()
        return float(seconds), float(cpu)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def bare_ocr(*arguments: str) -> Iterator[BareOcr]:
    """RapidOCR, ready."""
    reader = BareOcr(*arguments)
    try:
        yield reader
    finally:
        reader.close()


def embedded() -> list[Figure]:
    """Pictures first, in turn with RapidOCR; then talk."""
    with side("embedded", KAIROS_OCR_IDLE=str(IDLE)) as kairos, bare_ocr() as free, bare_ocr("1") as single:
        kairos.start()
        paths = [kairos.folder / f"shot-{number}.png" for number in range(PICTURES + 1)]
        for number, path in enumerate(paths):
            draw(path, seed=number)
        first = _file(kairos, paths[0])
        free.read(paths[0])
        single.read(paths[0])
        filed, cpu, alone, alone_cpu, one_thread = [], [], [], [], []
        for path in paths[1:]:
            before = kairos.usage()
            filed.append(_file(kairos, path))
            cpu.append(kairos.usage().cpu - before.cpu)
            seconds, worked = free.read(path)
            alone.append(seconds)
            alone_cpu.append(worked)
            one_thread.append(single.read(path)[0])
        kairos.talk(USERS[1], talk(3))
        kairos.settle()
        took = [1000 * seconds for seconds in kairos.talk(USERS[1], talk(31))]
        left = _worker_left(kairos)
    note = f"bare with one thread: {median(one_thread):.2f} s; first picture {first:.1f} s"
    return [
        Figure("no model: seconds per picture", "s", median(filed), median(alone), most=1.2, note=note),
        Figure("no model: CPU per picture", "s", mean(cpu), mean(alone_cpu)),
        Figure("no model: text turn p50", "ms", median(took)),
        Figure("no model: text turn p95", "ms", quantiles(took, n=20)[-1]),
        Figure("no model: memory once the OCR process has left", "MB", left, note="sentence vectors loaded"),
    ]


def _file(kairos: Side, path: Path) -> float:
    seconds, _ = kairos.telegram.ask("/bench/picture", {"user": USERS[0], "path": str(path)})
    return float(seconds)


def _worker_left(kairos: Side) -> float:
    """Megabytes when only the bot itself is left, or a little after it should be."""
    end = time.monotonic() + IDLE + 5
    while kairos.usage().processes > 1 and time.monotonic() < end:
        time.sleep(0.2)
    return kairos.usage().rss / 1e6
