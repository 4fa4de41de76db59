"""A text as the reader sees it: pieces of words, and the characters that each covers."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

from sentencepiece import SentencePieceProcessor

MODEL = Path(__file__).with_name("reader.model")
START, PAD, END = 0, 1, 2  # the piece that begins a reading, the one that is none, the one after each text


class Pieces:
    """The cutter, with the pieces of XLM-R that talk in Chinese and English needs."""

    def __init__(self, model: Path = MODEL) -> None:
        self._cutter: Any = SentencePieceProcessor(model_file=str(model))

    def __call__(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """(ids, the characters (start, end) of each); what covers no character is left out."""
        text = "".join(map(_plain, text)).encode("utf-8", "replace").decode()
        places = _characters(text)
        found = [
            (piece.id, (places[piece.begin], places[piece.end]))
            for piece in self._cutter.encode(text, return_type="proto").pieces
            if piece.end > piece.begin
        ]
        return [id for id, _ in found], [place for _, place in found]


def _plain(character: str) -> str:
    """Full-width forms as plain ones, where that keeps every character in its place."""
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character


def _characters(text: str) -> list[int]:
    """For each byte of a text, and its end, the character it belongs to."""
    found: list[int] = []
    for i, character in enumerate(text):
        found += [i] * len(character.encode())
    return [*found, len(text)]
