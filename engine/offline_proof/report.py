"""The proof as a page that anybody can read and print, as HTML or PDF: no script, nothing loaded."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from engine.errors import WrongUse
from engine.index.replacing import write_file
from engine.offline_proof import files_read
from engine.offline_proof.proving import PartProof, Proof
from engine.wording import Language, describe

SUFFIXES = (".html", ".pdf")

_STYLE = """
body{font:15px/1.55 system-ui,"Microsoft YaHei","PingFang SC","Noto Sans CJK SC",sans-serif;color:#1f2328;
background:#fff;max-width:52rem;margin:2rem auto;padding:0 1.2rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid #d1d9e0;
padding-bottom:.2rem}.muted{color:#59636e}
.verdict{border:1px solid;border-radius:8px;padding:.8rem 1rem;margin:1.2rem 0;font-size:1.1rem}
.good{color:#1a7f37}.bad{color:#b3261e}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #eaeef2;
overflow-wrap:anywhere}th{font-weight:600;color:#59636e}
code,pre{font:12px/1.5 ui-monospace,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere;
white-space:pre-wrap}
@media print{body{margin:0;max-width:none;font-size:11pt}h2{break-after:avoid}tr{break-inside:avoid}}
"""

_REPEAT = (
    "zhiye prove-offline --report proof.html",
    "unshare -Urn python3 -m engine.offline_proof.engine_part --out found.json",
    "strace -f -e trace=network -o trace.txt python3 -m engine.offline_proof.engine_part --out found.json",
    "find engine -type f -not -path '*/__pycache__/*' | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 sha256sum |"
    " sha256sum",
)


def write(proof: Proof, file: Path, language: Language) -> None:
    """Write the report; the file's suffix says which kind, and one that is there is replaced.

    Raises:
        WrongUse: another suffix than .html or .pdf.
        StorageFailed: it cannot be written.
    """
    kind = file.suffix.lower()
    if kind not in SUFFIXES:
        raise WrongUse(detail=str(file))
    text = page(proof, language)
    write_file(file, _pdf(text) if kind == ".pdf" else text.encode("utf-8", "backslashreplace"))


def page(proof: Proof, language: Language) -> str:
    """The whole page."""
    return "\n".join(_Page(proof, language).lines())


def _pdf(text: str) -> bytes:
    """The page on A4; MuPDF brings the letters for Chinese."""
    import io

    import pymupdf

    sheet = pymupdf.paper_rect("a4")
    inner = (sheet.x0 + 48, sheet.y0 + 48, sheet.x1 - 48, sheet.y1 - 48)
    story = pymupdf.Story(text)
    target = io.BytesIO()
    writer = pymupdf.DocumentWriter(target)
    more = 1
    while more:
        device = writer.begin_page(sheet)
        more, _ = story.place(inner)
        story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open(stream=target.getvalue(), filetype="pdf") as document:
        document.subset_fonts()  # the whole font for Chinese has four megabytes
        compact: bytes = document.tobytes(garbage=3, deflate=True)
    return compact


class _Page:
    def __init__(self, proof: Proof, language: Language) -> None:
        self._proof, self._language = proof, language

    def _say(self, code: str, **params: object) -> str:
        return escape(describe(code, params, self._language).title)

    def lines(self) -> Iterator[str]:
        proof = self._proof
        title = self._say("proof_title")
        yield f'<!doctype html><html lang="{self._language}"><head><meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
        yield (
            '<meta http-equiv="Content-Security-Policy"'
            " content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        )
        yield f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>"
        when = proof.at.strftime("%Y-%m-%d %H:%M:%S %z")
        yield f'<p class="muted">{escape(when)} · {self._say("proof_took", seconds=round(proof.seconds))}</p>'
        yield from self._verdict()
        yield f"<h2>{self._say('proof_head_done')}</h2>"
        for part in proof.parts:
            yield from self._part(part)
        yield from self._tried()
        yield from self._held()
        yield from self._files()
        yield from self._what()
        yield from self._repeat()
        yield f"<h2>{self._say('proof_head_limits')}</h2><p>{self._say('proof_limits')}</p></body></html>"

    def _verdict(self) -> Iterator[str]:
        proof = self._proof
        if proof.ok:
            yield f'<p class="verdict good">{self._say("proof_verdict_good")}</p>'
        elif proof.tried:
            yield f'<p class="verdict bad">{self._say("proof_verdict_tried", count=len(proof.tried))}</p>'
        else:
            yield f'<p class="verdict bad">{self._say("proof_verdict_unfinished")}</p>'

    def _part(self, part: PartProof) -> Iterator[str]:
        yield f"<p><b>{self._say(part.name)}</b></p><ol>"
        for code, detail in part.steps:
            yield f"<li>{self._say(code, detail=detail) if detail else self._say(code + '_plainly')}</li>"
        if part.problem:
            yield f'<li class="bad">{self._say("proof_part_stopped", detail=part.problem)}</li>'
        yield "</ol>"

    def _tried(self) -> Iterator[str]:
        tried = self._proof.tried
        yield f"<h2>{self._say('proof_head_tried', count=len(tried))}</h2>"
        if not tried:
            yield f"<p>{self._say('proof_nothing_tried')}</p>"
        for each in tried:
            library = f" · {escape(each.library)}" if each.library else ""
            yield f'<p class="bad"><code>{escape(each.how)} → {escape(each.target)}</code>{library}</p>'
            if each.stack:
                yield f"<pre>{escape(each.stack)}</pre>"

    def _held(self) -> Iterator[str]:
        proof = self._proof
        answers = (
            ("proof_hook", True),
            ("proof_namespace", proof.isolated),
            ("proof_trace", proof.traced),
            ("proof_landlock", proof.landlock > 0),
        )
        yield f"<h2>{self._say('proof_head_held')}</h2><table>"
        for code, holds in answers:
            mark = self._say("proof_yes" if holds else "proof_no")
            yield f'<tr><td>{self._say(code)}</td><td class="{"good" if holds else "muted"}">{mark}</td></tr>'
        yield "</table>"
        if not proof.traced and not proof.isolated:
            yield f'<p class="muted">{self._say("proof_python_only")}</p>'

    def _files(self) -> Iterator[str]:
        found = self._proof.files
        yield f"<h2>{self._say('proof_head_files')}</h2><table>"
        for kind in files_read.KINDS:
            count = len(found.by_kind[kind])
            yield f"<tr><td>{self._say('proof_files_' + kind)}</td><td>{count}</td></tr>"
        yield "</table><ul>"
        for path in (*found.by_kind["document"], *found.by_kind["other"]):
            yield f"<li><code>{escape(path)}</code></li>"
        yield "</ul>"

    def _what(self) -> Iterator[str]:
        proof = self._proof
        yield f"<h2>{self._say('proof_head_versions')}</h2><table>"
        for name, version in proof.versions:
            yield f"<tr><td>{escape(name)}</td><td>{escape(version)}</td></tr>"
        yield f"</table><h2>{self._say('proof_head_program')}</h2><table>"
        for folder in proof.program:
            count = self._say("proof_file_count", count=folder.files)
            yield f"<tr><td>{folder.folder}</td><td>{count}</td><td><code>{folder.sha256}</code></td></tr>"
        yield f"</table><h2>{self._say('proof_head_models')}</h2><table>"
        for model in proof.models:
            size = f"{model.size / 1e6:.1f} MB" if model.size >= 1e5 else f"{model.size} B"
            yield f"<tr><td>{escape(model.name)}</td><td>{size}</td><td><code>{model.sha256}</code></td></tr>"
        yield "</table>"

    def _repeat(self) -> Iterator[str]:
        yield f"<h2>{self._say('proof_head_repeat')}</h2><p>{self._say('proof_repeat')}</p>"
        for line in _REPEAT:
            yield f"<pre>{escape(line)}</pre>"
        yield f"<p>{self._say('proof_repeat_by_hand')}</p>"
