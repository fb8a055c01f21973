"""Plots as inline SVG: no script, no font, no colour of their own but CSS variables of the page."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT = 360, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 54, 12, 12, 36
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def roc(
    curve: Sequence[Mapping[str, float]], chosen: tuple[float | None, float | None], auc: float | None
) -> str:
    """Refused questions without an answer over refused ones with one; a ring at the gate as it is set.

    ``chosen`` is the gate's (false refusal, refusal).
    """
    points = [(p["refused_answerable"], p["refused_unanswerable"]) for p in curve]
    path = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in [(0.0, 0.0), *points, (1.0, 1.0)])
    parts = [
        *_axes("answerable, refused", "unanswerable, refused"),
        f'<line class="guide" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>',
        f'<polyline class="line" points="{path}"/>',
    ]
    if chosen[0] is not None and chosen[1] is not None:
        parts.append(f'<circle class="ring" cx="{_x(chosen[0]):.1f}" cy="{_y(chosen[1]):.1f}" r="5"/>')
    title = "ROC of the gate" + ("" if auc is None else f", AUC {auc:.4f}")
    return _svg(title, parts)


def distributions(wanted: Sequence[int], unwanted: Sequence[int]) -> str:
    """The gate's probabilities of both kinds of question, each as shares of its kind."""
    shares = [[count / max(1, sum(counts)) for count in counts] for counts in (wanted, unwanted)]
    highest = max(1e-9, *shares[0], *shares[1])
    width = (_x(1) - _x(0)) / max(1, len(wanted))
    parts = list(_axes("probability of the gate", f"share (highest {highest:.2f})", y_ticks=False))
    for name, values, shift in (("first", shares[0], 0.0), ("second", shares[1], width / 2)):
        for place, value in enumerate(values):
            top = _y(value / highest)
            parts.append(
                f'<rect class="{name}" x="{_x(0) + place * width + shift:.1f}" y="{top:.1f}"'
                f' width="{width / 2 - 0.5:.1f}" height="{_y(0) - top:.1f}"/>'
            )
    return _svg("Scores of answerable and unanswerable questions", parts)


def bars(values: Mapping[str, float | None]) -> str:
    """Figures from 0 to 1, side by side, each with its number; unknown ones are left out."""
    known = {name: value for name, value in values.items() if value is not None}
    width = (_x(1) - _x(0)) / max(1, len(known))
    parts = list(_axes("", "share of questions", x_ticks=False))
    for place, (name, value) in enumerate(known.items()):
        left, top = _x(0) + place * width, _y(min(1.0, value))
        middle = left + width / 2
        parts += [
            f'<rect class="first" x="{left + width * 0.15:.1f}" y="{top:.1f}" width="{width * 0.7:.1f}"'
            f' height="{_y(0) - top:.1f}"/>',
            f'<text class="inside" x="{middle:.1f}" y="{min(top + 14, _y(0) - 4):.1f}">{value:.3f}</text>',
            f'<text x="{middle:.1f}" y="{_y(0) + 14}" text-anchor="middle">{escape(name)}</text>',
        ]
    return _svg("Questions with a right hit among the first k", parts)


def _axes(x_name: str, y_name: str, *, x_ticks: bool = True, y_ticks: bool = True) -> Iterator[str]:
    yield f'<path class="axis" d="M{_x(0)} {_y(1)} V{_y(0)} H{_x(1)}"/>'
    middle = (_y(0) + _y(1)) / 2
    yield f'<text x="{(_x(0) + _x(1)) / 2}" y="{_HEIGHT - 4}" text-anchor="middle">{escape(x_name)}</text>'
    yield (
        f'<text x="10" y="{middle}" text-anchor="middle" transform="rotate(-90 10 {middle})">'
        f"{escape(y_name)}</text>"
    )
    for tick in _TICKS:
        if x_ticks:
            yield f'<text x="{_x(tick):.1f}" y="{_y(0) + 14}" text-anchor="middle">{tick:g}</text>'
        if y_ticks:
            yield f'<text x="{_x(0) - 4}" y="{_y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'


def _svg(title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title, quote=True)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)
