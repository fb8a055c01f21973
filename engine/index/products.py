"""The products of a forward pass, rows by weights, in the precision that a processor is fast in.

In eight bits each row and each output has a scale of its own, and the inputs are smoothed: what is large in a
channel of the rows goes into the weights (SmoothQuant, Xiao et al. 2023, alpha as measured below).
"""

from typing import Any, Protocol

_STEP, _ROWS_STEP = 16, 64
"""oneDNN compiles a kernel for every new shape of its tiles, which took half of the time in bfloat16 (11,000
tokens/s with lengths as they came, 22,000 in steps of 16; float32 is not compiled like that)."""

_ALPHA = 0.6
"""How much of what is large goes from the rows into the weights. Least cosine to float32 of 96 passages with
0.5, 0.6 and 0.7: 0.9990, 0.9992 and 0.9991; unsmoothed 0.9979."""

_LEVELS = 127


class Product(Protocol):
    """``rows`` (…, inputs) to (…, outputs)."""

    def __call__(self, rows: Any) -> Any: ...


class Products(Protocol):
    """Makes the products of one forward pass."""

    dtype: Any
    """Of the rows between two products."""

    step: int
    """Rows of a text are filled up to a multiple of it,"""

    rows_step: int
    """and those of all texts together to one of this."""

    def of(self, *linears: Any) -> Product:
        """What torch's linear modules with the same inputs give, side by side."""
        ...

    def attend(self, queries: Any, keys: Any, values: Any, length: int) -> Any:
        """Attention of each head (heads, rows, size of a head) to the first ``length`` keys and values."""
        ...


class InFloat:
    """``dtype`` is torch's float32, or bfloat16 with sums in float32."""

    def __init__(self, dtype: Any) -> None:
        import torch

        self.dtype = dtype
        self._is_exact = dtype == torch.float32
        self.step, self.rows_step = (1, 1) if self._is_exact else (_STEP, _ROWS_STEP)
        self._torch, self._linear = torch, torch.nn.functional.linear

    def of(self, *linears: Any) -> Product:
        weight, bias = (part.to(self.dtype) for part in _side_by_side(linears))
        return lambda rows: self._linear(rows, weight, bias)

    def attend(self, queries: Any, keys: Any, values: Any, length: int) -> Any:
        """In bfloat16 as two products: torch's own attention computes those in float32, twice as slowly."""
        if self._is_exact:
            return _attention(queries, keys, values)
        scores = self._torch.matmul(queries * queries.shape[-1] ** -0.5, keys.transpose(-1, -2))
        scores[..., length:] = float("-inf")
        return self._torch.matmul(scores.softmax(-1), values)


class Watched(InFloat):
    """Float32, and remembers what was largest in each channel of a product's rows."""

    def __init__(self) -> None:
        import torch

        super().__init__(torch.float32)
        self.largest: dict[int, Any] = {}
        """By the id of the first linear module: shape (inputs,)."""

    def of(self, *linears: Any) -> Product:
        product = super().of(*linears)

        def watched(rows: Any) -> Any:
            now = rows.flatten(0, -2).abs().amax(0)
            before = self.largest.get(id(linears[0]), now)
            self.largest[id(linears[0])] = now.maximum(before)
            return product(rows)

        return watched


class InEightBits:
    """Signed eight bits with sums in 32, between rows in float32.

    ``largest`` is what :class:`Watched` has seen of the same modules.
    """

    step, rows_step = 1, _ROWS_STEP

    def __init__(self, largest: dict[int, Any]) -> None:
        import torch

        self.dtype = torch.float32
        self._torch, self._largest = torch, largest

    def of(self, *linears: Any) -> Product:
        torch = self._torch
        weight, bias = _side_by_side(linears)
        rows_reach = self._largest[id(linears[0])].clamp_min(1e-5)
        weights_reach = weight.abs().amax(0).clamp_min(1e-5)
        smooth = rows_reach**_ALPHA / weights_reach ** (1 - _ALPHA)
        weight = weight * smooth
        scale = (weight.abs().amax(1) / _LEVELS).clamp_min(1e-9)
        levels = (weight / scale[:, None]).round().to(torch.int8).t().contiguous()
        # Rows are centred before they are cut into levels (behind GELU hardly anything is negative); what
        # that takes away from each output is the same for all rows but for the centre itself.
        of_centre = levels.float().sum(0) * scale
        scale, smoothed = scale / _LEVELS, 1 / smooth

        def product(rows: Any) -> Any:
            flat = rows.flatten(0, -2) * smoothed
            # One after the other: aminmax takes twenty times as long.
            low, high = flat.amin(1, keepdim=True), flat.amax(1, keepdim=True)
            centre, reach = (low + high) / 2, ((high - low) / 2).clamp_min(1e-9)
            cut = flat.sub_(centre).mul_(_LEVELS / reach).round_().to(torch.int8)
            sums = torch._int_mm(cut, levels).to(torch.float32).mul_(scale).mul_(reach).add_(bias)
            return sums.addcmul_(centre, of_centre).unflatten(0, rows.shape[:-1])

        return product

    def attend(self, queries: Any, keys: Any, values: Any, length: int) -> Any:
        """In float32: not every processor that is fast in eight bits has bfloat16."""
        return _attention(queries, keys, values)


def _attention(*by_heads: Any) -> Any:
    """torch's own, whose fast way wants a batch: here of one text."""
    import torch

    return torch.nn.functional.scaled_dot_product_attention(*(part.unsqueeze(0) for part in by_heads))[0]


def _side_by_side(linears: Any) -> tuple[Any, Any]:
    """Weights (outputs, inputs) and biases (outputs,) of all outputs."""
    import torch

    weight, bias = (torch.cat([getattr(linear, name) for linear in linears]) for name in ("weight", "bias"))
    return weight.detach(), bias.detach()
