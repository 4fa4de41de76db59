"""The picture worker, a process of its own: decodes files and reads their text.

A hostile file that crashes a decoder, or a page that takes for ever, ends this process and nothing else. It
leaves by itself after idling (its models hold some 500 MB), and at once when the bot that started it is gone:
its standard input then ends.
"""

from __future__ import annotations

import ctypes
import os
import queue
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import asdict
from typing import IO

from classifiers import frames
from classifiers.decoded import Decoded, Pixels
from classifiers.errors import Unreadable
from classifiers.papers import read_paper
from classifiers.prepare import decode
from classifiers.types import Reading

RESTS = 0.5  # seconds without a request after which memory is given back
READINGS = 8  # after so many it is given back without a rest: a long album never grows
KEPT = 2  # decoded pictures kept, so that reading what was just opened needs no second decoding


def serve(requests: IO[bytes], answers: IO[bytes], idle: float) -> None:
    """Answer requests until the other side is gone or `idle` seconds pass without one."""
    waiting: queue.Queue[tuple[frames.Head, bytes]] = queue.Queue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    decoded: OrderedDict[str, Pixels] = OrderedDict()
    readings = 0  # since memory was given back
    while True:
        try:
            head, body = waiting.get(timeout=RESTS if readings else idle)
        except queue.Empty:
            if not readings:
                return
            give_back()
            readings = 0
            continue
        if head["do"] == "open":
            _answer_open(answers, decoded, head["name"], body)
        elif head["do"] == "paper":
            _answer_paper(answers, head["name"], body)
        else:
            _answer_read(answers, decoded, head["sha256"], body, head["seconds"])
            readings += 1
        if readings >= READINGS:
            give_back()
            readings = 1


def give_back() -> None:
    """Return to the system what is free. Pictures of all sizes leave holes that the C library would keep: some
    140 MB after two hundred of them. Where it has no such call (macOS, musl), it keeps less by itself.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _listen(requests: IO[bytes], waiting: queue.Queue[tuple[frames.Head, bytes]]) -> None:
    """Take requests in; the end of the pipe means the bot is gone, even in the middle of a reading."""
    while True:
        try:
            waiting.put(frames.read(requests))
        except EOFError:
            os._exit(0)


def _answer_open(answers: IO[bytes], decoded: OrderedDict[str, Pixels], name: str, data: bytes) -> None:
    try:
        found = decode(data, name)
    except Unreadable as error:
        _refuse(answers, error)
        return
    _keep(decoded, found)
    frames.write(answers, *frames.pack_picture(found.picture))


def _answer_paper(answers: IO[bytes], name: str, data: bytes) -> None:
    try:
        reading = read_paper(data, name)
    except Unreadable as error:
        _refuse(answers, error)
        return
    frames.write(answers, asdict(reading))


def _refuse(answers: IO[bytes], error: Unreadable) -> None:
    why = [error.sentence_zh, error.sentence_en, error.keep, error.extension]
    frames.write(answers, {"unreadable": why})


def _answer_read(
    answers: IO[bytes], decoded: OrderedDict[str, Pixels], sha256: str, data: bytes, seconds: float
) -> None:
    pixels = decoded.get(sha256)
    if pixels is None:
        if not data:
            frames.write(answers, {"send": True})
            return
        pixels = decode(data).pixels
    from classifiers.reading import read_pixels

    started = time.perf_counter()
    text, lines, confidence = read_pixels(pixels, seconds)
    reading = Reading(text, lines, confidence, "rapidocr", time.perf_counter() - started)
    frames.write(answers, asdict(reading))


def _keep(decoded: OrderedDict[str, Pixels], found: Decoded) -> None:
    decoded[found.picture.sha256] = found.pixels
    while len(decoded) > KEPT:
        decoded.popitem(last=False)


def main() -> None:
    """Speak frames on standard input and output; whatever libraries print goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not break the frames
    serve(sys.stdin.buffer, answers, float(sys.argv[1]))
    answers.close()
    os._exit(0)  # skips the teardown of native libraries


if __name__ == "__main__":
    main()
