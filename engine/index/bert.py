"""BERT's forward pass for a vector of the first token: what a bge embedder computes, and nothing besides.

The same arithmetic as transformers' ``BertModel``, less what nobody reads. Of the last layer only the first
token's row is asked for, which needs the other tokens' keys and values but neither their queries nor their
feed-forward part: a fifth of the work of bge-small's four layers. Queries, keys and values are one product.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

import resources
from engine.index.products import InEightBits, InFloat, Product, Products, Watched
from engine.normalise import normalise
from models.structure import POSITIONS

Precision = Literal["fp32", "bf16", "int8"]
"""Of the products; what each means stands in :mod:`engine.index.products`."""

Ids = Sequence[int]
"""Token ids of one text with [CLS] in front and [SEP] behind."""

_TRIED = "年假可以顺延至次年三月。"

_SEEN = ("园区访客与安全须知.txt", "产品保修政策-英文版.md")
"""Samples in both languages: what is large in their rows is smoothed for eight bits."""

_SEEN_LENGTH = 300
"""Characters of a passage of theirs."""


class LoadedBert:
    """A sentence-transformers model of a bge embedder: its tokens and its weights, with our forward pass."""

    def __init__(self, model: Any) -> None:
        """``model`` in float32.

        Raises:
            ValueError: it is not computed as a BERT.
        """
        self.pooling: dict[str, Any] = model[1].get_config_dict()
        self.max_seq_length: int = model.max_seq_length
        self._tokenizer = model.tokenizer
        self._bert = model[0].auto_model
        self._in: dict[Precision, FirstTokenBert] = {}
        expected = model.encode([_TRIED], normalize_embeddings=True, show_progress_bar=False)
        if not np.allclose(self.encode([_TRIED]), expected, atol=1e-4):
            raise ValueError("the model is not computed as a BERT")

    def encode(self, texts: Sequence[str], precision: Precision = "fp32") -> NDArray[np.float32]:
        """Vectors of the texts as one batch, L2-normalised; shape (len(texts), dimension)."""
        if precision not in self._in:
            self._in[precision] = FirstTokenBert(self._bert, self._products(precision))
        vectors: NDArray[np.float32] = self._in[precision].vectors(self._ids(texts)).numpy()
        return vectors

    def _ids(self, texts: Sequence[str]) -> list[Ids]:
        ids: list[Ids] = self._tokenizer(list(texts), truncation=True, max_length=POSITIONS)["input_ids"]
        return ids

    def _products(self, precision: Precision) -> Products:
        import torch

        match precision:
            case "fp32":
                return InFloat(torch.float32)
            case "bf16":
                return InFloat(torch.bfloat16)
            case "int8":
                watched = Watched()
                bert = FirstTokenBert(self._bert, watched)
                for name in _SEEN:
                    text = normalise(resources.path("samples", name).read_text(encoding="utf-8"))
                    for start in range(0, len(text), _SEEN_LENGTH):
                        bert.vectors(self._ids([text[start : start + _SEEN_LENGTH]]))
                return InEightBits(watched.largest)


@dataclass(frozen=True, slots=True)
class _Layer:
    """``inputs`` is one product for queries, keys and values, in the last layer one for queries and one for
    the rest."""

    inputs: tuple[Product, ...]
    attended: Product
    attended_norm: Product
    wider: Product
    narrower: Product
    norm: Product


class FirstTokenBert:
    """``model`` is a transformers ``BertModel`` in float32, ``products`` makes its products.

    The tables of the embeddings are the model's own in any case, and stay float32.
    """

    def __init__(self, model: Any, products: Products) -> None:
        import torch

        self._torch, self._make = torch, products
        self._heads = int(model.config.num_attention_heads)
        embeddings = model.embeddings
        self._words = embeddings.word_embeddings.weight
        self._norm = embeddings.LayerNorm
        with torch.inference_mode():
            # All texts are of type 0: its row is added to every position once and for all.
            self._positions = (
                embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
            )
            *before, last = model.encoder.layer
            self._layers = [*(self._layer(layer) for layer in before), self._layer(last, is_last=True)]

    def _layer(self, layer: Any, *, is_last: bool = False) -> _Layer:
        make, own = self._make.of, layer.attention.self
        if is_last:
            inputs: tuple[Product, ...] = make(own.query), make(own.key, own.value)
        else:
            inputs = (make(own.query, own.key, own.value),)
        return _Layer(
            inputs,
            make(layer.attention.output.dense),
            self._normaliser(layer.attention.output.LayerNorm),
            make(layer.intermediate.dense),
            make(layer.output.dense),
            self._normaliser(layer.output.LayerNorm),
        )

    def _normaliser(self, norm: Any) -> Product:
        weight, bias = (part.detach().to(self._make.dtype) for part in (norm.weight, norm.bias))
        return lambda rows: self._torch.nn.functional.layer_norm(
            rows, norm.normalized_shape, weight, bias, norm.eps
        )

    def vectors(self, texts: Sequence[Ids]) -> Any:
        """The first token's last hidden state of each text, L2-normalised: float32, shape (n, dimension).

        The texts stand one behind the other in the rows of one matrix, so that none is filled up to the
        length of another; only attention looks at each by itself.
        """
        torch = self._torch
        with torch.inference_mode():
            stretches = _stretches([len(ids) for ids in texts], self._make.step)
            size = -(-stretches[-1].end // self._make.rows_step) * self._make.rows_step
            ids, places = (torch.zeros(size, dtype=torch.long) for _ in range(2))
            for text, stretch in zip(texts, stretches, strict=True):
                ids[stretch.start : stretch.start + stretch.length] = torch.tensor(text)
                places[stretch.start : stretch.end] = torch.arange(stretch.end - stretch.start)
            rows = self._norm(self._words[ids] + self._positions[places]).to(self._make.dtype)
            *before, last = self._layers
            for layer in before:
                rows = self._through(layer, rows, stretches)
            firsts = torch.tensor([stretch.start for stretch in stretches])
            found = self._through(last, rows, stretches, firsts)
            return torch.nn.functional.normalize(found.float(), dim=-1)

    def _through(self, layer: _Layer, rows: Any, stretches: Sequence["_Stretch"], firsts: Any = None) -> Any:
        """The layer's output for all ``rows`` (tokens, dimension), or for the ``firsts`` of the texts."""
        torch = self._torch
        if firsts is None:
            queries, keys, values = layer.inputs[0](rows).chunk(3, -1)
            asked = [slice(each.start, each.end) for each in stretches]
        else:
            keys, values = layer.inputs[1](rows).chunk(2, -1)
            rows = rows[firsts]
            queries = layer.inputs[0](rows)
            asked = [slice(number, number + 1) for number in range(len(stretches))]
        seen = torch.zeros_like(rows)
        for at, each in zip(asked, stretches, strict=True):
            text = slice(each.start, each.end)
            by_heads = self._split(queries[at]), self._split(keys[text]), self._split(values[text])
            seen[at] = self._make.attend(*by_heads, each.length).transpose(0, 1).flatten(1)
        rows = layer.attended_norm(layer.attended(seen) + rows)
        wide = torch.nn.functional.gelu(layer.wider(rows))
        return layer.norm(layer.narrower(wide) + rows)

    def _split(self, rows: Any) -> Any:
        """One text's rows (length, dimension) by heads: (heads, length, size of a head)."""
        return rows.unflatten(-1, (self._heads, -1)).transpose(0, 1)


class _Stretch(NamedTuple):
    """The rows of one text: ``length`` of them are its own, the rest up to ``end`` fills it up."""

    start: int
    length: int
    end: int


def _stretches(lengths: Sequence[int], step: int) -> list[_Stretch]:
    """One behind the other, each filled up to a multiple of ``step``."""
    found: list[_Stretch] = []
    start = 0
    for length in lengths:
        end = start + -(-length // step) * step
        found.append(_Stretch(start, length, end))
        start = end
    return found
