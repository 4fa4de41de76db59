"""The real reader in its worker process: it reads, it can be killed, it leaves by itself."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from classifiers.errors import ReadingFailed, Unreadable
from classifiers.ocr import Limits, Reader
from classifiers.worker import RESTS
from tests.classifiers import drawings

pytestmark = pytest.mark.slow


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


async def test_it_opens_and_reads_and_hostile_files_do_not_stop_it() -> None:
    async with Reader() as reader:
        assert reader.pid is None  # nothing runs before it is needed
        with pytest.raises(Unreadable):
            await reader.open(b"<html></html>", "x.png")
        white = await reader.open(drawings.saved(drawings.transparent("White words", "white"), "PNG"))
        palette = await reader.open(drawings.saved(drawings.page(drawings.RECEIPT).quantize(8), "GIF"))
        turned = await reader.open(drawings.sideways(drawings.page(drawings.CODE)))
        assert "whitewords" in letters((await reader.read(white)).text)
        reading = await reader.read(palette)
        assert "greenlanebakery" in letters(reading.text)
        assert reading.engine == "rapidocr"
        assert reading.lines >= 6
        assert "queuepop" in letters((await reader.read(turned)).text)
        blank = await reader.open(drawings.saved(drawings.page(""), "PNG"))
        assert (await reader.read(blank)).text == ""
    assert reader.pid is None


async def test_a_tall_picture_is_read_to_its_end_with_no_line_twice() -> None:
    lines = [f"item number {number:03d}" for number in range(0, 110)]
    tall = drawings.page("\n".join(lines), size=(800, 4900))
    async with Reader() as reader:
        text = letters((await reader.read(await reader.open(drawings.saved(tall, "PNG")))).text)
    found = re.findall(r"number(\d{3})", text)
    assert len(set(found)) >= 106
    assert len(found) == len(set(found))


async def test_killed_in_the_middle_it_starts_again() -> None:
    async with Reader() as reader:
        picture = await reader.open(drawings.saved(drawings.page(drawings.CODE), "PNG"))
        reading = asyncio.create_task(reader.read(picture))
        await asyncio.sleep(0.3)
        assert reader.pid is not None
        os.kill(reader.pid, signal.SIGKILL)
        assert "drain" in (await reading).text


async def test_too_slow_is_an_error_for_the_person_and_the_next_picture_is_read() -> None:
    async with Reader(Limits(read=0.05)) as reader:
        picture = await reader.open(drawings.saved(drawings.page(drawings.CODE), "PNG"))
        with pytest.raises(ReadingFailed):
            await reader.read(picture)
        assert reader.pid is None
        assert (await reader.open(drawings.saved(drawings.page("x"), "PNG"))).format == "PNG"


async def test_cancelled_it_does_not_mix_up_answers() -> None:
    async with Reader() as reader:
        picture = await reader.open(drawings.saved(drawings.page(drawings.CODE), "PNG"))
        reading = asyncio.create_task(reader.read(picture))
        await asyncio.sleep(0.2)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        other = await reader.open(drawings.saved(drawings.page("Harbour"), "PNG"))
        assert "harbour" in letters((await reader.read(other)).text)


async def test_it_leaves_by_itself_and_comes_back() -> None:
    data = drawings.saved(drawings.page("x"), "PNG")
    async with Reader(Limits(idle=0.3)) as reader:
        picture = await reader.open(data)
        for _ in range(100):
            if reader.pid is None:
                break
            await asyncio.sleep(0.1)
        assert reader.pid is None
        assert (await reader.read(picture)).engine == "rapidocr"  # the new worker is sent the original again


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the C library keeps less by itself")
async def test_after_a_batch_it_gives_memory_back_and_reads_on() -> None:
    async with Reader() as reader:
        sizes = [(1500, 1100), (700, 1900), (1900, 700)]
        for size in sizes:
            await reader.read(
                await reader.open(drawings.saved(drawings.page(drawings.CODE, size=size), "PNG"))
            )
        worker = psutil.Process(reader.pid)
        busy = worker.memory_info().rss
        await asyncio.sleep(RESTS + 1)
        assert worker.memory_info().rss < busy - 50 * 2**20
        again = await reader.read(await reader.open(drawings.saved(drawings.page(drawings.RECEIPT), "PNG")))
        assert "greenlanebakery" in letters(again.text)
        assert reader.pid == worker.pid


async def test_a_documents_own_text_needs_no_reading() -> None:
    async with Reader() as reader:
        picture = await reader.open(drawings.pdf("Minutes of the garden club, second of May"))
        reading = await reader.read(picture)
    assert reading.engine == "text layer"
    assert "garden club" in reading.text


def test_the_worker_dies_with_its_parent() -> None:
    root = Path(__file__).resolve().parent.parent.parent
    script = (
        "import asyncio\nfrom classifiers.ocr import Reader\n"
        "async def main():\n"
        "    reader = Reader()\n"
        "    try:\n        await reader.open(b'x')\n    except Exception:\n        pass\n"
        "    print(reader.pid, flush=True)\n    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root, text=True, encoding="utf-8"
    ) as parent:
        assert parent.stdout is not None
        lines = iter(parent.stdout.readline, "")
        worker = int(next(line for line in lines if line.strip().isdigit()))
        assert psutil.pid_exists(worker)
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 5
    while psutil.pid_exists(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(worker) or psutil.Process(worker).status() == psutil.STATUS_ZOMBIE


async def test_a_glance_waits_for_no_reading() -> None:
    """Talk about one picture goes on while others are read."""
    async with Reader() as reader:
        first = await reader.open(drawings.saved(drawings.page(drawings.CODE), "PNG"))
        reading = asyncio.create_task(reader.read(first))
        await asyncio.sleep(0)
        second = await reader.glance(drawings.saved(drawings.page(drawings.RECEIPT), "PNG"))
        assert second.jpeg
        assert not reading.done()
        assert "queuepop" in letters((await reading).text)
        assert letters((await reader.read(second)).text), "opened elsewhere, read all the same"
