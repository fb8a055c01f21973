"""Pages that OCR has read: stored one by one, so that a stop loses the page in work and nothing else."""

import json

from engine.documents import Page, Reason
from engine.index import rows
from engine.index.library import Library


def store(library: Library, document_id: int, page: Page) -> None:
    """Put what OCR read in the place of the page's own text; label and location stay.

    The document's chunks do not know of it until the document is read again with these pages.
    """
    number, _, _, text, from_ocr, width, height, boxes, recognised = rows.page(page)
    with library.transaction():
        library.db.execute(
            "UPDATE pages SET text = ?, from_ocr = ?, width = ?, height = ?, boxes = ?, recognised = ?"
            " WHERE document_id = ? AND number = ?",
            (text, from_ocr, width, height, boxes, recognised, document_id, number),
        )


def stored(library: Library, document_id: int) -> tuple[Page, ...]:
    """The pages of a document that OCR has read already."""
    found = library.db.execute(
        f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE document_id = ? AND from_ocr ORDER BY number",
        (document_id,),
    )
    return tuple(rows.stored_page(row) for row in found)


def give_up(library: Library, folder_id: int, path: str, reason: Reason) -> None:
    """OCR cannot read what is left of a document; it is not tried again by itself."""
    found = library.db.execute(
        "SELECT id, details FROM documents WHERE folder_id = ? AND path = ?", (folder_id, path)
    ).fetchone()
    if found is None:
        return
    document_id, details = found
    more = json.loads(details) | {"recognisable": []}
    with library.transaction():
        library.db.execute(
            "UPDATE documents SET details = ?, reason = ? WHERE id = ?",
            (rows.dump(more), rows.dump_reason(reason), document_id),
        )
