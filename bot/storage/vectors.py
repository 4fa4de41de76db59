"""Vectors held in memory, a row each, in an array that grows in steps: adding one never copies the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Rows = NDArray[np.int64]

_STEP = 1_024  # rows that there is room for at first


class Matrix:
    """Vectors by row number, sorted by it."""

    def __init__(self, rows: Sequence[int] = (), vectors: Vectors | None = None) -> None:
        """Start with these; `rows` ascend."""
        self._rows: Rows = np.array(rows, np.int64)
        self._vectors: Vectors = np.zeros((0, 0), np.float32) if vectors is None else vectors
        if not self._vectors.flags.writeable:
            self._vectors = self._vectors.copy()
        self._size = len(rows)

    @property
    def rows(self) -> Rows:
        """The row numbers, ascending."""
        return self._rows[: self._size]

    def cosines(self, question: Vectors) -> Vectors:
        """Of each row to a unit vector."""
        if not self._size:
            return np.zeros(0, np.float32)
        return np.asarray(self._vectors[: self._size] @ question, np.float32)

    def put(self, row: int, vector: Vectors) -> None:
        """Set one; a row that comes before others that are there is put in its place."""
        place = int(np.searchsorted(self.rows, row))
        if place == self._size or self._rows[place] != row:
            self._make_room(vector.size)
            self._rows[place + 1 : self._size + 1] = self._rows[place : self._size].copy()
            self._vectors[place + 1 : self._size + 1] = self._vectors[place : self._size].copy()
            self._size += 1
        self._rows[place] = row
        self._vectors[place] = vector

    def drop(self, row: int) -> None:
        """Take one out, if it is there."""
        place = int(np.searchsorted(self.rows, row))
        if place < self._size and self._rows[place] == row:
            self._rows[place : self._size - 1] = self._rows[place + 1 : self._size].copy()
            self._vectors[place : self._size - 1] = self._vectors[place + 1 : self._size].copy()
            self._size -= 1

    def _make_room(self, width: int) -> None:
        if self._size < len(self._rows):
            return
        room = max(_STEP, self._size * 3 // 2)
        rows, vectors = np.zeros(room, np.int64), np.zeros((room, width), np.float32)
        rows[: self._size] = self.rows
        if self._size:
            vectors[: self._size] = self._vectors[: self._size]
        self._rows, self._vectors = rows, vectors
