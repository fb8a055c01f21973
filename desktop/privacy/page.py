"""The privacy page of the settings: what leaves, what is stored where, clearing and moving. Layout only."""

from pathlib import Path

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.design_tokens import SPACE_L, SPACE_S, SPACE_XL
from desktop.note_line import NoteLine
from desktop.privacy import words
from desktop.privacy.rows import PrivacyRow
from desktop.settings.row import SettingCard
from engine.privacy.messages import PrivacyRead
from engine.privacy.places import PlaceKind

_KINDS: tuple[PlaceKind, ...] = ("libraries", "history", "settings", "logs", "crash", "proof", "models")


class PrivacyPage(QWidget):
    """Every button belongs to a row that says what it does and what stays."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("privacyPage")
        self._build_buttons()
        self.note = NoteLine("privacyNote")
        self.attempts_row = PrivacyRow(self.tr("Attempts to leave since the start"), "")
        self.proof_row = PrivacyRow(
            self.tr("Offline proof"), "", (self.report_button, self.prove_button, self.stop_proof_button)
        )
        self.home_row = PrivacyRow(self.tr("Data folder"), "", (self.open_button,))
        self.place_rows = {
            kind: PrivacyRow(words.place_word(kind), words.place_sentence(kind)) for kind in _KINDS
        }
        self.move_row = PrivacyRow(
            self.tr("Move the data"),
            self.tr("To another disk: copied, compared, then used. The program starts again at the end."),
            (self.move_button, self.stop_move_button),
        )
        self.history_row = PrivacyRow(
            self.tr("Clear conversations"),
            self.tr("Deletes all questions and answers. Knowledge bases stay."),
            (self.history_button,),
        )
        self.clear_row = PrivacyRow(
            self.tr("Clear everything"),
            self.tr(
                "Deletes knowledge bases, conversations, settings and logs. Your documents and the model "
                "files stay."
            ),
            (self.clear_button,),
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_XL, SPACE_S, SPACE_XL, SPACE_L)
        layout.setSpacing(SPACE_L)
        layout.addWidget(self.note)
        layout.addWidget(
            SettingCard(self.tr("What leaves this computer"), (self.attempts_row, self.proof_row))
        )
        stored = (self.home_row, *self.place_rows.values())
        layout.addWidget(SettingCard(self.tr("What is stored where"), stored))
        layout.addWidget(
            SettingCard(self.tr("Move and clear"), (self.move_row, self.history_row, self.clear_row))
        )
        layout.addStretch(1)
        self.show_proving(False)
        self.show_moving(False)

    def _build_buttons(self) -> None:
        self.prove_button = self._button("runProof", self.tr("Run the proof"))
        self.stop_proof_button = self._button("stopProof", self.tr("Stop"))
        self.report_button = self._button("openProof", self.tr("Open the report"), "flat")
        self.open_button = self._button("openHome", self.tr("Open the folder"), "flat")
        self.move_button = self._button("moveHome", self.tr("Move…"))
        self.stop_move_button = self._button("stopMove", self.tr("Stop"))
        self.history_button = self._button("clearHistory", self.tr("Clear conversations…"))
        self.clear_button = self._button("clearEverything", self.tr("Clear everything…"))

    def _button(self, name: str, text: str, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        if kind:
            button.setProperty("kind", kind)
        return button

    def show_read(self, read: PrivacyRead) -> None:
        """What is stored, how large, and how the last proof went."""
        self.home_row.say(str(read.home))
        for place in read.places:
            row = self.place_rows[place.kind]
            row.show_value(words.size(place.size))
            if place.kind == "models" and not _is_inside(place.path, read.home):
                row.say(f"{words.place_sentence('models')} · {place.path}")
        self.proof_row.say(self._proof_words(read))
        self.report_button.setVisible(read.proof is not None)
        self.prove_button.setEnabled(not read.shared)
        self.move_button.setEnabled(read.can_move)
        if not read.can_move:
            self.move_row.say(
                self.tr("The data folder was named at start, by an option or ZHIYE_HOME, so it stays there.")
            )

    def _proof_words(self, read: PrivacyRead) -> str:
        if read.shared:
            return self.tr("Not while a knowledge base is shared: it is on {hosts}.").format(
                hosts=", ".join(read.shared)
            )
        about = self.tr(
            "Goes through all steps on the sample documents where nothing can leave, and writes a report. It "
            "takes one or two minutes."
        )
        return f"{about}\n{words.last_proof(read.proof)}"

    def show_attempts(self, count: str, lines: str) -> None:
        """``lines`` name what tried, none where nothing did."""
        self.attempts_row.show_value(count)
        self.attempts_row.say(lines or self.tr("Connections and name look-ups outside are refused."))

    def show_proving(self, is_proving: bool) -> None:
        self.prove_button.setVisible(not is_proving)
        self.stop_proof_button.setVisible(is_proving)
        self.clear_button.setEnabled(not is_proving)
        if not is_proving:
            self.proof_row.end_progress()

    def show_moving(self, is_moving: bool) -> None:
        self.move_button.setVisible(not is_moving)
        self.stop_move_button.setVisible(is_moving)
        for button in (self.clear_button, self.history_button):
            button.setEnabled(not is_moving)
        if not is_moving:
            self.move_row.end_progress()


def _is_inside(path: Path, folder: Path) -> bool:
    return folder in path.parents
