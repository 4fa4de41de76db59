"""Open and read pictures in a worker process: started at first need, restarted when it hangs or dies."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import structlog

from classifiers import frames
from classifiers.errors import ReadingFailed, Unreadable
from classifiers.types import Picture, Reading

log = structlog.get_logger()

# of its time a reading may take by itself: then it ends with what it has, rather than with nothing
ENOUGH = 0.7
GLANCES = 20.0  # seconds after which a second worker, which only opens files, leaves
TEXT_LAYER = 20  # characters of a document's own text from which no reading of its picture is needed


class WorkerGone(Exception):
    """The worker ended before it answered."""


class WorkerSlow(Exception):
    """The worker did not answer in time and was killed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that things may take."""

    open: float = 30.0
    read: float = 120.0
    idle: float = 120.0  # after which the worker leaves, and with it its memory


class Reader:
    """`open` files and `read` pictures, one at a time. Used with `async with`, or closed by `close()`.

    `glance` opens a file for somebody who talks about it now: while pictures are being read, in a second worker.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._reads = 0  # pictures that are being read or wait for it
        self._second: Reader | None = None
        self._worker: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Reader:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def pid(self) -> int | None:
        """The worker's process id while it runs."""
        return self._worker.pid if self._worker is not None and self._worker.poll() is None else None

    async def open(self, data: bytes, name: str = "") -> Picture:
        """Decode a file in the worker.

        Raises:
            Unreadable: no picture can be made of it, or it brought the decoder down.
        """
        head, body = await self._opened({"do": "open", "name": name}, data)
        return frames.unpack_picture(head, body, data)

    async def paper(self, data: bytes, name: str) -> Reading:
        """The text of a document that is no picture, in the worker; waits for no reading of pictures.

        Raises:
            Unreadable: it is of a kind we cannot read, or it brought the worker down.
        """
        head, _ = await self._beside()._opened({"do": "paper", "name": name}, data)
        return Reading(**head)

    async def _opened(self, request: frames.Head, data: bytes) -> tuple[frames.Head, bytes]:
        """The worker's answer about a file. Raises `Unreadable`."""
        try:
            head, body = await self._ask(request, data, self._limits.open)
        except WorkerSlow as error:
            raise Unreadable(
                "打开这个文件花的时间太长，已停止；原件已保留。",
                "Opening this file took too long and was stopped; the file is kept.",
                True,
            ) from error
        except WorkerGone as error:
            raise Unreadable(
                "这个文件让解码程序崩溃了，没有读取；原件已保留。",
                "This file crashed the decoder and was not read; the file is kept.",
                True,
            ) from error
        if "unreadable" in head:
            zh, en, keep, extension = head["unreadable"]
            raise Unreadable(zh, en, keep, extension)
        return head, body

    async def glance(self, data: bytes, name: str = "") -> Picture:
        """`open` that waits for no reading. Raises like `open`."""
        return await self._beside().open(data, name)

    def _beside(self) -> Reader:
        """Who opens files now: we ourselves, or a second one while pictures are being read."""
        if not self._reads:
            return self
        if self._second is None:
            self._second = Reader(Limits(open=self._limits.open, idle=min(self._limits.idle, GLANCES)))
        return self._second

    async def read(self, picture: Picture) -> Reading:
        """The text in a picture. "No text" is a result, not an error.

        Raises:
            ReadingFailed: not in time, or the reader died of it twice.
        """
        if len(picture.page_text.strip()) >= TEXT_LAYER:
            text = picture.page_text
            return Reading(text, text.count("\n") + 1, 1.0, "text layer", 0.0)
        request = {"do": "read", "sha256": picture.sha256, "seconds": self._limits.read * ENOUGH}
        self._reads += 1
        try:
            head, _ = await self._ask(request, b"", self._limits.read)
            if "send" in head:
                head, _ = await self._ask(request, picture.original or picture.jpeg, self._limits.read)
        except (WorkerSlow, WorkerGone) as error:
            raise ReadingFailed(
                "这张图片的文字没能及时读出来。", "The text in this picture could not be read in time."
            ) from error
        finally:
            self._reads -= 1
        return Reading(**head)

    async def close(self) -> None:
        """End the worker and wait until it is gone."""
        if self._second is not None:
            await self._second.close()
        async with self._turn:
            await self._end()

    async def _ask(self, head: frames.Head, body: bytes, limit: float) -> tuple[frames.Head, bytes]:
        """One request and its answer; a worker that is gone (idle, killed) is replaced and asked again."""
        async with self._turn:
            try:
                return await self._try(head, body, limit)
            except WorkerGone:
                return await self._try(head, body, limit)

    async def _try(self, head: frames.Head, body: bytes, limit: float) -> tuple[frames.Head, bytes]:
        worker = await self._running()
        exchange = asyncio.create_task(
            asyncio.to_thread(_exchange, worker, head, body), name="picture-worker"
        )
        answered = False
        try:
            done, _ = await asyncio.wait({exchange}, timeout=limit)
            if not done:
                log.warning("picture worker too slow", action="ocr.slow", pid=worker.pid, limit=limit)
                raise WorkerSlow
            answer = exchange.result()
            answered = True
            return answer
        except (EOFError, OSError) as error:
            log.warning("picture worker gone", action="ocr.gone", pid=worker.pid, code=worker.poll())
            raise WorkerGone from error
        finally:
            if not answered:  # also when cancelled: a late answer must not be taken for the next one's
                worker.kill()  # which ends the exchange as well
                await asyncio.shield(self._abandon(exchange))

    async def _running(self) -> subprocess.Popen[bytes]:
        if self._worker is not None and self._worker.poll() is not None:
            await self._end()
        if self._worker is None:
            self._worker = await asyncio.to_thread(_start, self._limits.idle)
            log.info("picture worker started", action="ocr.start", pid=self._worker.pid)
        return self._worker

    async def _abandon(self, exchange: asyncio.Task[tuple[frames.Head, bytes]]) -> None:
        await asyncio.gather(exchange, return_exceptions=True)
        await self._end()

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.to_thread(_stop, worker)


def _exchange(worker: subprocess.Popen[bytes], head: frames.Head, body: bytes) -> tuple[frames.Head, bytes]:
    assert worker.stdin is not None
    assert worker.stdout is not None
    frames.write(worker.stdin, head, body)
    return frames.read(worker.stdout)


def _start(idle: float) -> subprocess.Popen[bytes]:
    """A new worker. NumPy and OpenCV get one thread; how many the models get is said in `classifiers.reading`."""
    root = str(Path(__file__).resolve().parent.parent)
    inherited = os.environ.get("PYTHONPATH")
    env = os.environ | {
        "PYTHONPATH": f"{root}{os.pathsep}{inherited}" if inherited else root,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",  # one heap with holes is enough; see `worker.give_back`
    }
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "classifiers.worker", str(idle)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=env,
        start_new_session=True,  # Ctrl-C in the terminal is for the bot, which then ends the worker
    )


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # unsent bytes for a worker that is gone
                continue
