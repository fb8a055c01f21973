"""What the privacy page says."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from desktop.models.words import size_words
from desktop.words import moment_words, number
from engine.privacy.messages import LastProof
from engine.privacy.places import PlaceKind
from engine.seal import Attempt

_MB = 1_000_000


def place_word(kind: PlaceKind) -> str:
    words: dict[PlaceKind, str] = {
        "libraries": QCoreApplication.translate("Privacy", "Knowledge bases"),
        "history": QCoreApplication.translate("Privacy", "Conversations and self-test questions"),
        "settings": QCoreApplication.translate("Privacy", "Settings and measured speeds"),
        "logs": QCoreApplication.translate("Privacy", "Log"),
        "crash": QCoreApplication.translate("Privacy", "Crash reports"),
        "proof": QCoreApplication.translate("Privacy", "Report of the last proof"),
        "models": QCoreApplication.translate("Privacy", "Model files"),
    }
    return words[kind]


def place_sentence(kind: PlaceKind) -> str:
    words: dict[PlaceKind, str] = {
        "libraries": QCoreApplication.translate(
            "Privacy", "Text of your documents, search index and vectors"
        ),
        "history": QCoreApplication.translate("Privacy", "Questions, answers and their sources"),
        "settings": QCoreApplication.translate("Privacy", "Only what you have changed"),
        "logs": QCoreApplication.translate("Privacy", "No text of documents, questions or answers"),
        "crash": QCoreApplication.translate("Privacy", "Stay here; nobody is sent any"),
        "proof": QCoreApplication.translate("Privacy", "About the sample documents, none of yours"),
        "models": QCoreApplication.translate("Privacy", "Hold nothing of yours"),
    }
    return words[kind]


def size(size_bytes: int) -> str:
    if size_bytes == 0:
        return QCoreApplication.translate("Privacy", "empty")
    if size_bytes < _MB:
        return QCoreApplication.translate("Privacy", "less than 1 MB")
    return size_words(size_bytes)


def last_proof(proof: LastProof | None) -> str:
    if proof is None:
        return QCoreApplication.translate("Privacy", "It has not been run yet.")
    when = moment_words(proof.at)
    if proof.ok:
        return QCoreApplication.translate("Privacy", "Last run {when}: passed, 0 attempts").format(when=when)
    if proof.attempts:
        text = QCoreApplication.translate("Privacy", "Last run {when}: not passed, {count} attempts")
        return text.format(when=when, count=number(proof.attempts))
    return QCoreApplication.translate("Privacy", "Last run {when}: it did not come to its end").format(
        when=when
    )


def footer(hosts: Sequence[str], attempts: int) -> str:
    """The line at the foot of the window."""
    if hosts:
        text = QCoreApplication.translate("Privacy", "Shared: vectors and passages are on {hosts}")
        return text.format(hosts=", ".join(hosts))
    text = QCoreApplication.translate("Privacy", "Offline: nothing leaves this computer · {count} attempts")
    return text.format(count=number(attempts))


def attempt_lines(attempts: Sequence[Attempt]) -> str:
    """What tried to leave, the latest first, each target once: by whose code, and how often."""
    seen: dict[tuple[str, str], int] = {}
    for attempt in reversed(attempts):
        key = (attempt.library, attempt.target)
        seen[key] = seen.get(key, 0) + 1
    return "\n".join(f"{library} → {target}  × {count}" for (library, target), count in seen.items())
