"""The three steps of a first run in one page: which one it is, what it shows, back, skip and next."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.design_tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from desktop.first_run.ask_step import AskStep
from desktop.first_run.folder_step import FolderStep
from desktop.first_run.model_step import ModelStep
from desktop.plain_label import plain_label

FOLDER, MODEL, ASK = range(3)
_READING_WIDTH = 720


class FirstRunPage(QFrame):
    """Lays out; the first run's controller decides."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self.folder_step, self.model_step, self.ask_step = FolderStep(), ModelStep(), AskStep()
        self._build()
        self.show_step(FOLDER)

    @property
    def step(self) -> int:
        return self._steps.currentIndex()

    def show_step(self, step: int, *, is_done: bool = False) -> None:
        """FOLDER, MODEL or ASK; ``is_done``: what the step is for is there, so that nothing is skipped."""
        self._steps.setCurrentIndex(step)
        for place, label in enumerate(self._marks):
            state = "now" if place == step else "done" if place < step else "later"
            if label.property("step") != state:
                label.setProperty("step", state)
                label.style().unpolish(label)
                label.style().polish(label)
        self._marker.setAccessibleName(
            self.tr("Step {step} of 3: {name}").format(step=step + 1, name=self._names[step])
        )
        self.next_button.setText(self.tr("Start asking") if step == ASK else self.tr("Continue"))
        self.back_button.setVisible(step != FOLDER)
        self.show_done(is_done=is_done)
        self.area.verticalScrollBar().setValue(0)

    def show_done(self, *, is_done: bool) -> None:
        """Whether the step in view has what it is for."""
        is_last = self.step == ASK
        self.next_button.setVisible(is_done or is_last)
        self.skip_button.setVisible(not is_done and not is_last)

    def show_indexing(self, *, is_indexing: bool) -> None:
        """Whether documents are being read behind this page."""
        text = self.tr("The documents are being read in the background; what has been read can be asked.")
        self.state_label.setText(text if is_indexing else "")

    def _build(self) -> None:
        self._names = (self.tr("Documents"), self.tr("Models"), self.tr("Ask"))
        self._steps = QStackedWidget()
        self._steps.setObjectName("firstRunSteps")
        for step in (self.folder_step, self.model_step, self.ask_step):
            self._steps.addWidget(_in_the_middle(step))
        self.back_button = QPushButton(self.tr("Back"))
        self.back_button.setObjectName("firstRunBack")
        self.back_button.setProperty("kind", "flat")
        self.skip_button = QPushButton(self.tr("Skip this step"))
        self.skip_button.setObjectName("firstRunSkip")
        self.skip_button.setProperty("kind", "flat")
        self.next_button = QPushButton()
        self.next_button.setObjectName("firstRunNext")
        self.next_button.setProperty("kind", "primary")
        foot = QHBoxLayout()
        foot.setContentsMargins(0, SPACE_M, 0, 0)
        foot.setSpacing(SPACE_M)
        foot.addWidget(self.back_button)
        self.state_label = plain_label("firstRunState", "caption")
        self.state_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        foot.addWidget(self.state_label, 1)
        foot.addWidget(self.skip_button)
        foot.addWidget(self.next_button)
        column = QWidget()
        column.setObjectName("welcomePage")
        column.setMaximumWidth(_READING_WIDTH)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        inside.setSpacing(0)
        inside.addWidget(self._build_marker())
        inside.addWidget(self._steps, 1)
        inside.addLayout(foot)
        centred = QWidget()
        centred.setObjectName("welcomePage")
        row = QHBoxLayout(centred)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(column, 100)
        row.addStretch(1)
        self.area = QScrollArea()
        self.area.setObjectName("firstRunScroll")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(centred)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)

    def _build_marker(self) -> QWidget:
        self._marker = QWidget()
        self._marker.setObjectName("firstRunMarker")
        line = QHBoxLayout(self._marker)
        line.setContentsMargins(0, 0, 0, SPACE_L)
        line.setSpacing(SPACE_S)
        line.addStretch(1)
        self._marks: list[QLabel] = []
        for number, name in enumerate(self._names, 1):
            label = QLabel(f"{number}  {name}")
            label.setObjectName("firstRunMark")
            label.setTextFormat(Qt.TextFormat.PlainText)
            self._marks.append(label)
            line.addWidget(label)
        line.addStretch(1)
        return self._marker


def _in_the_middle(step: QWidget) -> QWidget:
    """A step with its free room above and below."""
    frame = QWidget()
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addStretch(2)
    layout.addWidget(step)
    layout.addStretch(3)
    return frame
