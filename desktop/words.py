"""Words for the engine's named values: states, verdicts, and where a passage stands."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QTimeZone

from desktop import error_text
from engine.answers import Answer, Citation, Verdict
from engine.documents import FileState, Page, SearchHit

CERTAIN = 0.95
"""Below this confidence numbers read by OCR had better be compared with the picture."""

_MOST_RUNS = 12


def state_word(state: FileState | None) -> str:
    """The state of a file in the words the command line uses too; None is a file that is being read."""
    if state is None:
        return QCoreApplication.translate("State", "Reading")
    word = error_text.describe(f"state_{state}").title
    return word[:1].upper() + word[1:]


def verdict_word(verdict: Verdict) -> str:
    words: dict[Verdict, str] = {
        "supported": QCoreApplication.translate("Verdict", "Supported"),
        "partly": QCoreApplication.translate("Verdict", "Partly supported"),
        "unsupported": QCoreApplication.translate("Verdict", "Unverified"),
        "no_claim": QCoreApplication.translate("Verdict", "Nothing to verify"),
    }
    return words[verdict]


def page_words(number: int, label: str | None) -> str:
    """第 3 页, with the printed label when it is another one: 第 3 页（页码标签 1）."""
    if label and label != str(number):
        text = QCoreApplication.translate("Place", "Page {number} (page label {label})")
        return text.format(number=number, label=label)
    return QCoreApplication.translate("Place", "Page {number}").format(number=number)


def place_words(
    kind: str,
    page: int,
    label: str | None,
    section: Sequence[str],
    location: Mapping[str, Any] | None = None,
) -> str:
    """Where in a document: page for what has pages, else sheet or slide, section, chapter or line."""
    if kind == "pdf" or (not kind and label):
        return page_words(page, label)
    where = location_words(location)
    headings = " › ".join(section)
    if location and "slide" in location:
        return " · ".join(part for part in (where, headings) if part)
    if location and "rows" in location:
        return where
    return headings or where or QCoreApplication.translate("Place", "Body text")


def location_words(location: Mapping[str, Any] | None) -> str:
    """工作表“价格表” 第 2–40 行, 幻灯片 3, a chapter's title, 第 12 行; empty when nothing is known."""
    known = location or {}
    # A CSV has rows and no sheet.
    if known.get("sheet"):
        text = QCoreApplication.translate("Place", "Sheet “{sheet}”").format(sheet=known["sheet"])
        rows = _row_words(known.get("rows"))
        return f"{text} {rows}" if rows else text
    if "slide" in known:
        return QCoreApplication.translate("Place", "Slide {slide}").format(slide=known["slide"])
    if known.get("chapter"):
        return str(known["chapter"])
    if "rows" in known:
        return _row_words(known["rows"])
    if "line" in known:
        return QCoreApplication.translate("Place", "Line {line}").format(line=known["line"])
    return ""


def _row_words(rows: object) -> str:
    if not isinstance(rows, (list, tuple)) or not rows:
        return ""
    if rows[0] == rows[-1]:
        return QCoreApplication.translate("Place", "row {row}").format(row=rows[0])
    return QCoreApplication.translate("Place", "rows {first}–{last}").format(first=rows[0], last=rows[-1])


def page_place(page: Page) -> str:
    """The place of one stored page: where its format has it, else its number and label."""
    return location_words(page.location) or page_words(page.number, page.label)


def number_list(numbers: Sequence[int]) -> str:
    """2、5–7: runs are joined, and a very long list ends in dots."""
    runs: list[list[int]] = []
    for value in sorted(set(numbers)):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in runs[:_MOST_RUNS]]
    if len(runs) > _MOST_RUNS:
        shown.append("…")
    return QCoreApplication.translate("Place", ", ").join(shown)


def dropped_word(why: str) -> str:
    """Why text of a page is in no chunk: 页眉, 页码 …; a code without words speaks for itself."""
    code = f"dropped_{why}"
    return error_text.describe(code).title if error_text.is_known(code) else why


def place_of(source: SearchHit | Citation) -> str:
    return place_words(source.kind, source.page, source.label, source.section, source.location)


def refusal_words(answer: Answer) -> str:
    """Why an answer was refused, in one sentence."""
    reasons = {
        "gate": QCoreApplication.translate(
            "Refusal", "No passage is close enough to the question, so the model was not asked."
        ),
        "model": QCoreApplication.translate("Refusal", "The model found no answer in the passages."),
        "grounding": QCoreApplication.translate(
            "Refusal", "What the model wrote did not stand in the passages, so it is not shown."
        ),
        None: QCoreApplication.translate("Refusal", "The passages do not answer the question."),
    }
    return reasons[answer.refused_by]


def number(value: float, decimals: int = 0) -> str:
    """A number as the window's locale writes it."""
    return QLocale().toString(float(value), "f", decimals)


def moment_words(moment: datetime | str | None) -> str:
    """The time of day, with the date when it was not today, in the person's own time and as their locale
    writes it; a dash for None. A text is ISO 8601, a datetime has its time zone.
    """
    if moment is None:
        return "–"
    known = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    local = QDateTime.fromSecsSinceEpoch(int(known.timestamp()), QTimeZone.systemTimeZone())
    time = QLocale().toString(local.time(), QLocale.FormatType.ShortFormat)
    if local.date() == QDateTime.currentDateTime().date():
        return time
    return f"{QLocale().toString(local.date(), QLocale.FormatType.ShortFormat)} {time}"


def percent(share: float) -> str:
    """Never rounded up to a certainty that is not there."""
    return f"{int(share * 100)}%"


def format_words() -> str:
    """The formats that are read, for everybody who chooses what to add."""
    return QCoreApplication.translate(
        "Formats",
        "Reads PDF, Word, PowerPoint, Excel and CSV, Markdown, HTML, text, EPUB, e-mail (EML, MSG), RTF and "
        "OpenDocument.",
    )
