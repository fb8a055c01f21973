"""What stands above and below the fields of a form."""

from PySide6.QtWidgets import QLabel, QWidget

from desktop.plain_label import plain_label


def field_title(text: str, field: QWidget | None = None) -> QLabel:
    """A title; ``field`` is called by it, for screen readers too."""
    label = plain_label("fieldTitle", "overline", text)
    if field is not None:
        label.setBuddy(field)
        field.setAccessibleName(text)
    return label


def field_error(name: str) -> QLabel:
    """Room for why a field was refused; hidden while it was not."""
    label = plain_label(name, "bad")
    label.hide()
    return label
