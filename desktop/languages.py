"""Chinese or English: the system's wish, and the translators that carry it out.

Source texts are English; English has a translator too, for its plurals.
"""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLibraryInfo, QLocale, QTranslator

import resources
from engine.wording import Language

_FILES: dict[Language, str] = {"zh": "zh_CN", "en": "en"}
# Labels of Qt's own file dialog that its Chinese translation lacks; ours has them under Qt's context.
QT_LACKS = (
    QT_TRANSLATE_NOOP("QFileDialog", "&Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of &type:"),
)
_chosen: Language = "en"
_translators: list[QTranslator] = []


def system_language() -> Language:
    """Chinese when the system's first interface language is Chinese, else English."""
    wishes = QLocale.system().uiLanguages() or ["en"]
    return "zh" if wishes[0].lower().startswith("zh") else "en"


def install(language: Language) -> None:
    """Make the application speak ``language``: our texts, Qt's own texts, numbers and dates."""
    global _chosen
    remove()
    _chosen = language
    QLocale.setDefault(QLocale(_FILES[language]))
    if language == "zh":
        qt_texts = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        _add("qtbase_zh_CN", qt_texts)
    _add(f"zhiye_{_FILES[language]}", str(resources.path("translations")))


def remove() -> None:
    while _translators:
        QCoreApplication.removeTranslator(_translators.pop())


def current() -> Language:
    """The language installed last."""
    return _chosen


def _add(name: str, folder: str) -> None:
    translator = QTranslator()
    if translator.load(name, folder):
        QCoreApplication.installTranslator(translator)
        _translators.append(translator)
