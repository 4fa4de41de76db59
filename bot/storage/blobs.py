"""Files people send, kept by their SHA-256 until their work has ended (and after it, when they are kept)."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections.abc import Container
from pathlib import Path
from uuid import uuid4

from bot.errors import HomeUnwritable


class Blobs:
    """A folder of files named by their bytes; writing one twice is writing it once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, sha256: str) -> Path:
        """Where the bytes lie."""
        return self._folder / sha256[:2] / sha256

    async def put(self, data: bytes) -> str:
        """Keep `data`; returns its SHA-256 in hex. Raises `HomeUnwritable`."""
        return await asyncio.to_thread(self._put, data)

    def _put(self, data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.path(sha256)
        if path.exists():
            return sha256
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{sha256}.{uuid4().hex[:8]}")
            try:
                with part.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise HomeUnwritable() from error
        return sha256

    async def get(self, sha256: str) -> bytes:
        """The bytes. Raises `FileNotFoundError`."""
        return await asyncio.to_thread(self.path(sha256).read_bytes)

    async def keep_only(self, needed: Container[str]) -> None:
        """Delete every other blob, and what a crash left half-written. Only while nothing is being received."""
        await asyncio.to_thread(self._sweep, needed)

    def _sweep(self, needed: Container[str]) -> None:
        with contextlib.suppress(OSError):  # a read-only disk keeps its blobs; nothing depends on their going
            for path in self._folder.glob("??/*"):
                if path.name not in needed:
                    path.unlink(missing_ok=True)
