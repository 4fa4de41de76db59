"""How the bot and its picture worker speak over a pipe: a JSON head and raw bytes, each after its length."""

from __future__ import annotations

import json
import struct
from datetime import datetime
from typing import IO, Any

from classifiers.types import Picture

LENGTHS = struct.Struct(">II")

Head = dict[str, Any]


def write(pipe: IO[bytes], head: Head, body: bytes = b"") -> None:
    """Send one frame. Blocking. Raises `OSError` when nobody listens any more."""
    words = json.dumps(head, ensure_ascii=False).encode()
    pipe.write(LENGTHS.pack(len(words), len(body)) + words)
    if body:
        pipe.write(body)
    pipe.flush()


def read(pipe: IO[bytes]) -> tuple[Head, bytes]:
    """Receive one frame. Blocking. Raises `EOFError` when the other side is gone."""
    words, body = LENGTHS.unpack(_exactly(pipe, LENGTHS.size))
    head: Head = json.loads(_exactly(pipe, words))
    return head, _exactly(pipe, body)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if data is None or len(data) < size:
        raise EOFError("the other side of the pipe is gone")
    return data


PLAIN = ("sha256", "width", "height", "format", "extension", "phash", "frames", "note", "page_text")


def pack_picture(picture: Picture) -> tuple[Head, bytes]:
    """A picture as a frame; its original stays with whoever sent it."""
    head: Head = {name: getattr(picture, name) for name in PLAIN}
    head["colourfulness"] = picture.colourfulness
    head["taken"] = picture.taken.isoformat() if picture.taken else None
    return head, picture.jpeg


def unpack_picture(head: Head, jpeg: bytes, original: bytes) -> Picture:
    """The inverse of `pack_picture`."""
    taken = head.pop("taken")
    return Picture(
        **head, jpeg=jpeg, original=original, taken=datetime.fromisoformat(taken) if taken else None
    )
