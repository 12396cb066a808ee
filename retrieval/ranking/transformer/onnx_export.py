"""Write a BERT encoder as an ONNX model with int8 weights. The model maps the tokens of a text to a vector of unit length.

The model consists of the encoder of "BERT: Pre-training of Deep Bidirectional Transformers" (Devlin et al., 2018) and the mean
over the tokens of a text as in "Sentence-BERT" (Reimers and Gurevych, 2019).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .minilm_weights import Tensors

_OPSET = 17
_EPSILON = 1e-12
#: Added to the attention scores of padding.
_MASKED = -1e4


class _Graph:
    """An ONNX graph that is built node by node. Names identify values."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._numpy_helper = helper, numpy_helper
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, values: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(self._numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node, and return the name of its output."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(self._helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def linear(self, value: str, weight: Any, bias: Any) -> str:
        return self.add("Add", self.add("MatMul", value, self.constant(weight.T)), self.constant(bias))

    def normalised(self, value: str, scale: Any, shift: Any) -> str:
        return self.add("LayerNormalization", value, self.constant(scale), self.constant(shift), axis=-1, epsilon=_EPSILON)


def write_encoder(tensors: Tensors, heads: int, path: Path) -> None:
    """Build the graph from the tensors of a BERT model, quantize it channel by channel, and write it."""
    from onnx import TensorProto, helper
    from onnxruntime.quantization import QuantType, quantize_dynamic

    graph = _Graph()
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden = _embedded(graph, tensors)
    bias = _attention_bias(graph, mask)
    layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
    for number in range(layers):
        own = {name.split(".", 3)[3]: tensor for name, tensor in tensors.items() if name.startswith(f"encoder.layer.{number}.")}
        hidden = _layer(graph, own, hidden, bias, heads)
    pooled = _pooled(graph, hidden, mask)
    graph.nodes.append(helper.make_node("LpNormalization", [pooled], ["vectors"], axis=-1, p=2))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"]) for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["b", tensors["embeddings.LayerNorm.bias"].size])
    whole = helper.make_graph(graph.nodes, "encoder", inputs, [output], graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    # All shapes are known. Without this property, the quantizer warns that the model needs a preprocessing step.
    helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    quantize_dynamic(model, path, op_types_to_quantize=["MatMul", "Gather"], per_channel=True, weight_type=QuantType.QInt8)


def _embedded(graph: _Graph, tensors: Tensors) -> str:
    words = graph.add("Gather", graph.constant(tensors["embeddings.word_embeddings.weight"]), "input_ids", axis=0)
    length = graph.add("Gather", graph.add("Shape", "input_ids"), graph.constant(np.array([1])), axis=0)
    # All tokens have the first token type, because the input is a single text.
    places = tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    zero = graph.constant(np.array([0]))
    placed = graph.add("Add", words, graph.add("Slice", graph.constant(places), zero, length, zero))
    return graph.normalised(placed, tensors["embeddings.LayerNorm.weight"], tensors["embeddings.LayerNorm.bias"])


def _attention_bias(graph: _Graph, mask: str) -> str:
    missing = graph.add("Sub", graph.constant(np.float32(1)), mask)
    scaled = graph.add("Mul", missing, graph.constant(np.float32(_MASKED)))
    return graph.add("Unsqueeze", scaled, graph.constant(np.array([1, 2])))


def _layer(graph: _Graph, own: Tensors, hidden: str, bias: str, heads: int) -> str:
    def split(part: str, order: list[int]) -> str:
        value = graph.linear(hidden, own[f"attention.self.{part}.weight"], own[f"attention.self.{part}.bias"])
        width = own["attention.self.query.bias"].size // heads
        shape = graph.constant(np.array([0, 0, heads, width]))
        return graph.add("Transpose", graph.add("Reshape", value, shape), perm=order)

    size = own["attention.self.query.bias"].size
    query, key, value = split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1]), split("value", [0, 2, 1, 3])
    scale = graph.constant(np.float32((size // heads) ** -0.5))
    scores = graph.add("Add", graph.add("Mul", graph.add("MatMul", query, key), scale), bias)
    context = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
    joined = graph.add("Reshape", graph.add("Transpose", context, perm=[0, 2, 1, 3]), graph.constant(np.array([0, 0, size])))
    hidden = _added(graph, own, "attention.output", joined, hidden)
    wide = graph.linear(hidden, own["intermediate.dense.weight"], own["intermediate.dense.bias"])
    return _added(graph, own, "output", _gelu(graph, wide), hidden)


def _added(graph: _Graph, own: Tensors, part: str, value: str, before: str) -> str:
    value = graph.linear(value, own[f"{part}.dense.weight"], own[f"{part}.dense.bias"])
    return graph.normalised(graph.add("Add", value, before), own[f"{part}.LayerNorm.weight"], own[f"{part}.LayerNorm.bias"])


def _gelu(graph: _Graph, value: str) -> str:
    inner = graph.add("Erf", graph.add("Mul", value, graph.constant(np.float32(0.5**0.5))))
    shifted = graph.add("Add", inner, graph.constant(np.float32(1)))
    return graph.add("Mul", graph.add("Mul", value, shifted), graph.constant(np.float32(0.5)))


def _pooled(graph: _Graph, hidden: str, mask: str) -> str:
    kept = graph.add("Unsqueeze", mask, graph.constant(np.array([2])))
    axis = graph.constant(np.array([1]))
    return graph.add("ReduceSum", graph.add("Mul", hidden, kept), axis, keepdims=0)
