"""What the health window says of a knowledge base and of what was found."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt

from desktop import error_text
from desktop.words import number, state_word
from engine.documents import FileState
from engine.standing import Finding, LibraryHealth, LibrarySummary

_MB = 1_000_000


def mark(finding: Finding) -> tuple[str, str]:
    """Icon and colour role of a finding."""
    if finding.repaired:
        return "state-good", "good"
    return ("state-bad", "bad") if finding.exit_code else ("warning", "warn")


def worst(findings: Sequence[Finding]) -> tuple[str, str]:
    """Icon and colour role of all findings of a knowledge base together."""
    left = [finding for finding in findings if not finding.repaired]
    if not left:
        return "state-good", "good"
    return mark(max(left, key=lambda finding: finding.exit_code))


def figures(health: LibraryHealth) -> list[tuple[str, str]]:
    """Names and values, in order of what people ask for first."""
    summary = health.summary
    if summary is None:
        return []
    return [
        (QCoreApplication.translate("Health", "Documents"), number(sum(summary.counts.values()))),
        (QCoreApplication.translate("Health", "Passages"), number(summary.chunks)),
        (QCoreApplication.translate("Health", "On disk"), _size(summary.bytes)),
        (QCoreApplication.translate("Health", "Last sync"), moment(summary.last_sync)),
        (QCoreApplication.translate("Health", "Generation"), number(summary.generation)),
        (QCoreApplication.translate("Health", "Left over"), number(health.left_over)),
    ]


def states(summary: LibrarySummary) -> str:
    """Documents by state, most first: 已索引 120 · 部分 3."""
    counts = sorted(summary.counts.items(), key=lambda item: -item[1])
    return " · ".join(f"{state_word(FileState(state))} {number(count)}" for state, count in counts)


def last_error(summary: LibrarySummary) -> str:
    """What ended the last sync; empty when it went well."""
    error = summary.last_error
    if error is None:
        return ""
    words = error_text.describe(error.code, error.params)
    text = QCoreApplication.translate("Health", "The last sync ended early ({when}): {error}")
    return text.format(when=moment(error.at), error=words)


def moment(iso: str | None) -> str:
    """A moment in the person's own time, as their locale writes it."""
    if iso is None:
        return QCoreApplication.translate("Health", "never")
    local = QDateTime.fromString(iso, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(local, QLocale.FormatType.ShortFormat) if local.isValid() else iso


def _size(size_bytes: int) -> str:
    return QCoreApplication.translate("Health", "{size} MB").format(size=number(size_bytes / _MB, 1))
