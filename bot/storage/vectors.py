"""Vectors held in memory, a row each, in arrays that grow in steps: adding one never copies the rest.

A vector takes 388 bytes, 8 bits a number. Of many, a question is first held against the directions in which they
differ most (a quarter of the numbers), and only the nearest are compared in full: exact where it counts, at a
quarter of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Rows = NDArray[np.int64]
N = TypeVar("N", bound=np.generic)

_STEP = 1_024  # rows that there is room for at first
MANY = 4_096  # vectors from which not every one is compared in full
DIRECTIONS = 96
_NEAREST = 400  # compared in full
_CHUNK = 4_096  # rows unpacked at a time


def packed(vector: Vectors) -> bytes:
    """A vector in 8 bits a number, after the scale that they are to be multiplied by."""
    scale = np.float32(max(float(np.abs(vector).max(initial=0.0)), 1e-9) / 127)
    return bytes(scale.tobytes() + np.rint(vector / scale).astype(np.int8).tobytes())


def unpacked(found: NDArray[np.uint8]) -> Vectors:
    """Packed vectors, a row each, as numbers."""
    scales = np.ascontiguousarray(found[:, :4]).view(np.float32)
    return np.asarray(found[:, 4:].view(np.int8) * scales, np.float32)


class Matrix:
    """Packed vectors by row number, sorted by it."""

    def __init__(self, rows: Sequence[int] = (), blobs: Sequence[bytes] = ()) -> None:
        """Start with these; `rows` ascend, and all vectors are of one width."""
        self._rows: Rows = np.array(rows, np.int64)
        width = len(blobs[0]) if blobs else 0
        self._packed = np.frombuffer(bytearray().join(blobs), np.uint8).reshape(len(blobs), width)
        self._size = len(rows)
        self._whole = True  # `_flat` holds vectors in full, else only their main directions
        self._middle: Vectors = np.zeros(0, np.float32)
        self._basis: Vectors = np.zeros((0, 0), np.float32)
        self._flat: Vectors = np.zeros((0, 0), np.float32)
        self._lay_flat()

    @property
    def rows(self) -> Rows:
        """The row numbers, ascending."""
        return self._rows[: self._size]

    def cosines(self, question: Vectors) -> Vectors:
        """Of each row to a unit vector; of many rows, those far from it are estimates."""
        if not self._size:
            return np.zeros(0, np.float32)
        if self._whole:
            return np.asarray(self._flat[: self._size] @ question, np.float32)
        found = self._flat[: self._size] @ (self._basis.T @ question) + self._middle @ question
        near = np.argpartition(-found, _NEAREST)[:_NEAREST]
        found[near] = unpacked(self._packed[near]) @ question
        return np.asarray(found, np.float32)

    def put(self, row: int, blob: bytes) -> None:
        """Set one; a row that comes before others that are there is put in its place."""
        if self._whole and self._size == MANY:
            self._lay_flat()
        place = int(np.searchsorted(self.rows, row))
        vector = np.frombuffer(blob, np.uint8)
        if place == self._size or self._rows[place] != row:
            self._make_room(vector.size)
            for each in (self._rows, self._packed, self._flat):
                each[place + 1 : self._size + 1] = each[place : self._size].copy()
            self._size += 1
        self._rows[place] = row
        self._packed[place] = vector
        self._flat[place] = self._flattened(vector[None, :])[0]

    def drop(self, row: int) -> None:
        """Take one out, if it is there."""
        place = int(np.searchsorted(self.rows, row))
        if place < self._size and self._rows[place] == row:
            for each in (self._rows, self._packed, self._flat):
                each[place : self._size - 1] = each[place + 1 : self._size].copy()
            self._size -= 1

    def _lay_flat(self) -> None:
        """Work out what questions are held against."""
        width = max(0, self._packed.shape[1] - 4)
        self._whole = self._size < MANY or width <= DIRECTIONS
        if not self._whole:
            sample = unpacked(self._packed[: self._size][:: max(1, self._size // 2_048)])
            self._middle = sample.mean(axis=0)
            apart = sample - self._middle
            _, directions = np.linalg.eigh(apart.T @ apart)  # ascending
            self._basis = np.ascontiguousarray(directions[:, -DIRECTIONS:], np.float32)
        self._flat = np.zeros((len(self._rows), width if self._whole else DIRECTIONS), np.float32)
        for at in range(0, self._size, _CHUNK):
            end = min(at + _CHUNK, self._size)
            self._flat[at:end] = self._flattened(self._packed[at:end])

    def _flattened(self, found: NDArray[np.uint8]) -> Vectors:
        vectors = unpacked(found)
        return vectors if self._whole else np.asarray((vectors - self._middle) @ self._basis, np.float32)

    def _make_room(self, width: int) -> None:
        if self._size < len(self._rows):
            return
        room = max(_STEP, self._size * 3 // 2)
        if not self._packed.shape[1]:
            self._packed, self._flat = np.zeros((0, width), np.uint8), np.zeros((0, width - 4), np.float32)
        self._rows = _grown(self._rows, room)
        self._packed = _grown(self._packed, room)
        self._flat = _grown(self._flat, room)


def _grown(array: NDArray[N], room: int) -> NDArray[N]:
    larger = np.zeros((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
