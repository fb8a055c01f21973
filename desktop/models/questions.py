"""What is asked before models come, go or change; every question says what it costs."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop.choice_box import is_confirmed
from desktop.models.words import facts, size_words
from desktop.words import number
from engine.model_files.standing import ModelStanding
from engine.wording import Wording


def model_file(parent: QWidget) -> Path | None:
    """The GGUF file that somebody chose; None for none."""
    title = QCoreApplication.translate("Models", "Import a model")
    kinds = QCoreApplication.translate("Models", "Models (*.gguf);;All files (*)")
    chosen, _ = QFileDialog.getOpenFileName(parent, title, "", kinds)
    return Path(chosen) if chosen else None


def model_folder(parent: QWidget) -> Path | None:
    """The folder or stick that somebody chose; None for none."""
    title = QCoreApplication.translate("Models", "Import a model")
    chosen = QFileDialog.getExistingDirectory(parent, title)
    return Path(chosen) if chosen else None


def wants_download(parent: QWidget, model: ModelStanding) -> bool:
    title = QCoreApplication.translate("Models", "Download {name}?").format(name=model.name)
    advice = QCoreApplication.translate(
        "Models",
        "{facts}\nOnly this connects to the internet: a process of its own fetches the file and compares its "
        "SHA-256. It sees no document and no question. A download that was stopped goes on where it was.",
    ).format(facts=facts(model))
    yes = QCoreApplication.translate("Models", "Download")
    return _confirmed(parent, title, advice, yes, "confirmDownload")


def wants_removal(parent: QWidget, model: ModelStanding) -> bool:
    title = QCoreApplication.translate("Models", "Remove {name}?").format(name=model.name)
    advice = QCoreApplication.translate("Models", "This frees {size} of disk.").format(
        size=size_words(model.size)
    )
    if model.in_use:
        advice += " " + QCoreApplication.translate(
            "Models", "Until another one is here, only passages are shown."
        )
    yes = QCoreApplication.translate("Models", "Remove")
    return _confirmed(parent, title, advice, yes, "confirmRemoval")


def wants_anyway(parent: QWidget, caution: Wording) -> bool:
    """Whether a model shall be imported in spite of what is said against it."""
    yes = QCoreApplication.translate("Models", "Add it anyway")
    return _confirmed(parent, caution.title, caution.advice, yes, "confirmAnyway")


def wants_embedder(parent: QWidget, model: ModelStanding, passages: int, minutes: int | None) -> bool:
    title = QCoreApplication.translate("Models", "Use {name}?").format(name=model.name)
    text = QCoreApplication.translate(
        "Models",
        "All {count} passages are embedded again in the background. Until that is done, the old index "
        "answers as before.",
    )
    advice = text.format(count=number(passages))
    if minutes is not None:
        about = QCoreApplication.translate("Models", "On this computer that takes about {minutes} minutes.")
        advice += " " + about.format(minutes=number(minutes))
    yes = QCoreApplication.translate("Models", "Use it")
    return _confirmed(parent, title, advice, yes, "confirmEmbedder")


def _confirmed(parent: QWidget, title: str, advice: str, yes: str, name: str) -> bool:
    window = parent.window().windowTitle()
    return is_confirmed(parent, window, title, advice, yes, name, QMessageBox.ButtonRole.AcceptRole)
