"""The report as one HTML page: no script, nothing loaded, light or dark as the reader's system is."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from engine.evaluation import plots
from engine.evaluation.comparison import Last, figures
from engine.evaluation.stages import MISS_HEADS, lost

_STYLE = """
:root{color-scheme:light dark;--text:#1f2328;--muted:#59636e;--ground:#fff;--panel:#f6f8fa;--edge:#d1d9e0;
--first:#2f6fb5;--second:#c2622d;--good:#1a7f37;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e6e8ea;--muted:#9aa4ae;--ground:#16191d;--panel:#1f2429;
--edge:#3a424a;--first:#6ea8e6;--second:#e09a6a;--good:#5bc073;--bad:#ff8a80}}
body{font:15px/1.5 system-ui,"Microsoft YaHei","PingFang SC","Noto Sans CJK SC",sans-serif;color:var(--text);
background:var(--ground);max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.muted{color:var(--muted)}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;
border-bottom:1px solid var(--edge);overflow-wrap:anywhere}td.number{font-variant-numeric:tabular-nums;
white-space:nowrap}.good{color:var(--good)}.bad{color:var(--bad)}
.plots{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 20rem;max-width:26rem;
background:var(--panel);border:1px solid var(--edge);border-radius:8px;padding:.6rem}
figcaption{color:var(--muted);font-size:.85rem}svg{width:100%;height:auto}svg text{fill:var(--muted);
font-size:11px}svg .inside{fill:var(--ground);text-anchor:middle}.axis{stroke:var(--edge);fill:none}
.guide{stroke:var(--edge);stroke-dasharray:4}.line{stroke:var(--first);stroke-width:2;fill:none}
.ring{stroke:var(--second);stroke-width:2;fill:none}.first{fill:var(--first)}.second{fill:var(--second)}
.key{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 .8em}
.key.first{background:var(--first)}.key.second{background:var(--second)}
"""


def page(record: Mapping[str, Any], last: Last | None, day: str) -> str:
    """The whole page; ``day`` stands in its head and nowhere else."""
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src'
            " 'unsafe-inline'\">",
            f"<title>Evaluation {escape(day)}</title><style>{_STYLE}</style></head><body>",
            f'<h1>Evaluation</h1><p class="muted">{escape(day)}</p>',
            *_setup(record, last),
            *_plots(record),
            *_figures(record, last),
            *_misses(record),
            "</body></html>\n",
        ]
    )


def _setup(record: Mapping[str, Any], last: Last | None) -> Iterator[str]:
    items = [("questions", record["questions"]), *(record.get("setup") or {}).items()]
    words = "; ".join(f"{name}: {value}" for name, value in items)
    yield f'<p class="muted">{escape(words)}</p>'
    if last is not None and last.other_setup:
        yield f'<p class="bad">{escape(last.warning)}</p>'


def _plots(record: Mapping[str, Any]) -> Iterator[str]:
    gate = record.get("gate") or {}
    retrieval = record.get("retrieval") or {}
    yield '<h2>Plots</h2><div class="plots">'
    hits = {name.removeprefix("hit@"): v for name, v in retrieval.items() if name.startswith("hit@")}
    yield f"<figure>{plots.bars(hits)}<figcaption>right document among the first k hits</figcaption></figure>"
    if gate.get("curve"):
        chosen = (gate.get("refused_answerable"), gate.get("refused_unanswerable"))
        yield (
            f"<figure>{plots.roc(gate['curve'], chosen, gate.get('auc'))}"
            "<figcaption>ROC of the gate; the ring is the gate as it is set</figcaption></figure>"
        )
    counts = gate.get("distribution") or {}
    if any(map(sum, counts.values())):
        yield (
            f"<figure>{plots.distributions(counts['answerable'], counts['unanswerable'])}<figcaption>"
            '<span class="key first"></span>answerable<span class="key second"></span>unanswerable'
            "</figcaption></figure>"
        )
    yield "</div>"


def _figures(record: Mapping[str, Any], last: Last | None) -> Iterator[str]:
    yield "<h2>Figures</h2><table><tr><th>figure</th><th>value</th><th>since the last report</th></tr>"
    for figure in figures(record, last):
        tone = {True: "number good", False: "number bad", None: "number"}[figure.is_better]
        yield (
            f'<tr><td>{escape(f"{figure.group} {figure.name}")}</td><td class="number">{figure.shown}</td>'
            f'<td class="{tone}">{figure.difference}</td></tr>'
        )
    yield "</table>"


def _misses(record: Mapping[str, Any]) -> Iterator[str]:
    for stage, misses in lost(record).items():
        yield f"<h2>Lost at {stage}: {len(misses)}</h2>"
        yield f"<table><tr>{''.join(f'<th>{head}</th>' for head in MISS_HEADS)}</tr>"
        for miss in misses:
            yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in miss)}</tr>"
        yield "</table>"
    if failed := record.get("failed"):
        yield f"<h2>Questions that failed: {len(failed)}</h2><ul>"
        yield from (f"<li>{escape(item['qid'])}: {escape(item['code'])}</li>" for item in failed)
        yield "</ul>"
