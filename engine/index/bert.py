"""BERT's forward pass for a vector of the first token: what a bge embedder computes, and nothing besides.

The same arithmetic as transformers' ``BertModel``, less what nobody reads. Of the last layer only the first
token's row is asked for, which needs the other tokens' keys and values but neither their queries nor their
feed-forward part: a fifth of the work of bge-small's four layers. Queries, keys and values are one product.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from models.structure import POSITIONS

Precision = Literal["fp32", "bf16"]
"""Of the products: float32, or bfloat16 with sums in float32."""

Ids = Sequence[int]
"""Token ids of one text with [CLS] in front and [SEP] behind."""

_STEP = 16
"""Lengths are padded to multiples of this in bfloat16: oneDNN compiles a kernel for every new shape of its
tiles, which took half of the time (11,000 tokens/s with lengths as they came, 22,000 so; float32 is not
compiled like that)."""

_TRIED = "年假可以顺延至次年三月。"


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
            import torch

            self._in[precision] = FirstTokenBert(
                self._bert, torch.float32 if precision == "fp32" else torch.bfloat16
            )
        ids = self._tokenizer(list(texts), truncation=True, max_length=POSITIONS)["input_ids"]
        vectors: NDArray[np.float32] = self._in[precision].vectors(ids).numpy()
        return vectors


@dataclass(frozen=True, slots=True)
class _Layer:
    """Weights and biases of one layer, in the precision of the products; the norms are modules."""

    qkv: tuple[Any, Any]
    attended: tuple[Any, Any]
    attended_norm: Any
    wider: tuple[Any, Any]
    narrower: tuple[Any, Any]
    norm: Any


class FirstTokenBert:
    """``model`` is a transformers ``BertModel`` in float32; ``dtype`` is the precision of the products.

    The tables of the embeddings are the model's own in either case, and stay float32.
    """

    def __init__(self, model: Any, dtype: Any) -> None:
        import torch

        self._torch, self._dtype = torch, dtype
        self._step = 1 if dtype == torch.float32 else _STEP
        self._heads = int(model.config.num_attention_heads)
        embeddings = model.embeddings
        self._words = embeddings.word_embeddings.weight
        self._norm = embeddings.LayerNorm
        with torch.inference_mode():
            # All texts are of type 0: its row is added to every position once and for all.
            self._positions = (
                embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
            )
            self._layers = [self._layer(layer) for layer in model.encoder.layer]

    def _layer(self, layer: Any) -> _Layer:
        own = layer.attention.self
        parts = (own.query, own.key, own.value)
        qkv = tuple(self._torch.cat([getattr(part, name) for part in parts]) for name in ("weight", "bias"))
        return _Layer(
            self._cast(*qkv),
            self._of(layer.attention.output.dense),
            self._normaliser(layer.attention.output.LayerNorm),
            self._of(layer.intermediate.dense),
            self._of(layer.output.dense),
            self._normaliser(layer.output.LayerNorm),
        )

    def _of(self, linear: Any) -> tuple[Any, Any]:
        return self._cast(linear.weight, linear.bias)

    def _cast(self, weight: Any, bias: Any) -> tuple[Any, Any]:
        return weight.detach().to(self._dtype), bias.detach().to(self._dtype)

    def _normaliser(self, norm: Any) -> Any:
        weight, bias = self._of(norm)
        return lambda rows: self._torch.nn.functional.layer_norm(
            rows, norm.normalized_shape, weight, bias, norm.eps
        )

    def vectors(self, texts: Sequence[Ids]) -> Any:
        """The first token's last hidden state of each text, L2-normalised: float32, shape (n, dimension)."""
        torch = self._torch
        with torch.inference_mode():
            lengths = [len(ids) for ids in texts]
            longest = -(-max(lengths) // self._step) * self._step
            ids = torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids in texts])
            mask = None
            if min(lengths) < longest:
                within = torch.arange(longest) < torch.tensor(lengths)[:, None]
                mask = within[:, None, None, :]
            rows = self._norm(self._words[ids] + self._positions[:longest]).to(self._dtype)
            *before, last = self._layers
            for layer in before:
                rows = self._through(layer, rows, rows, mask)
            first = self._through(last, rows, rows[:, :1], mask)[:, 0].float()
            return torch.nn.functional.normalize(first, dim=-1)

    def _through(self, layer: _Layer, rows: Any, asked: Any, mask: Any) -> Any:
        """The layer's output for the rows ``asked``, the first ones of ``rows`` (n, length, dimension)."""
        linear = self._torch.nn.functional.linear
        count, _, size = rows.shape
        if asked is rows:
            queries, keys, values = linear(rows, *layer.qkv).chunk(3, -1)
        else:
            weight, bias = layer.qkv
            queries = linear(asked, weight[:size], bias[:size])
            keys, values = linear(rows, weight[size:], bias[size:]).chunk(2, -1)
        seen = self._torch.nn.functional.scaled_dot_product_attention(
            self._split(queries), self._split(keys), self._split(values), attn_mask=mask
        )
        seen = seen.transpose(1, 2).reshape(count, asked.shape[1], size)
        asked = layer.attended_norm(linear(seen, *layer.attended) + asked)
        wide = self._torch.nn.functional.gelu(linear(asked, *layer.wider))
        return layer.norm(linear(wide, *layer.narrower) + asked)

    def _split(self, rows: Any) -> Any:
        """By heads: (n, heads, length, size of a head)."""
        count, length, size = rows.shape
        return rows.view(count, length, self._heads, size // self._heads).transpose(1, 2)
