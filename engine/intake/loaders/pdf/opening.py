"""Opening PDF files: passwords in the forms that writers encode them in, damaged files, attached files."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed, Source

_DOC_ENCODING = dict(
    zip(
        [*range(0x18, 0x20), *range(0x80, 0x9F), 0xA0],
        "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"
        "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019"
        "\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\u20ac",
        strict=True,
    )
)
"""PDFDocEncoding (ISO 32000-2, annex D.3) where it differs from Latin-1, by byte."""


_SMALLEST_OBJECT = 8
"""Bytes that an object takes at least, packed with others."""


def library_errors() -> tuple[type[Exception], ...]:
    """What PyMuPDF raises at broken files: MuPDF's own errors, which share no base with Python's, and what
    goes wrong in its Python part when an object is not of the kind it has to be."""
    import pymupdf

    return (
        pymupdf.mupdf.FzErrorBase,
        RuntimeError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        AssertionError,
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """An open document. ``cut_off``: its list of pages was lost and made again from the pages found."""

    document: Any
    cut_off: bool = False


def open_document(source: Source) -> Opened:
    """The document, unlocked.

    Raises:
        LoadFailed: no page of it can be reached.
        OSError: the operating system refuses.
    """
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with source.open():
        pass  # let the operating system name its own refusals
    try:
        if source.content is None:
            document = pymupdf.open(source.path, filetype="pdf")
        else:
            document = pymupdf.open(stream=source.content, filetype="pdf")
    except library_errors() as exc:
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "PDF"})) from exc
    try:
        if document.needs_pass:
            _unlock(document, source.passwords)
        if _page_count(document):
            return Opened(document)
        if _collect_pages(document, source.size()) and _page_count(document):
            return Opened(document, cut_off=True)
        raise LoadFailed(FileState.DAMAGED, Reason("damaged", {"detail": "PDF"}))
    except LoadFailed:
        document.close()
        raise


def _page_count(document: Any) -> int:
    try:
        return int(document.page_count)
    except library_errors():
        return 0


def _unlock(document: Any, passwords: tuple[str, ...]) -> None:
    """Raises LoadFailed unless one of ``passwords`` opens it, as user or as owner."""
    for password in passwords:
        for form in _forms(password):
            try:
                if document.authenticate(form):
                    return
            except library_errors():
                continue
    code = "password_wrong" if passwords else "password_needed"
    raise LoadFailed(FileState.NEEDS_PASSWORD, Reason(code))


def _forms(password: str) -> Iterator[str]:
    """What writers make of one password. MuPDF takes it as UTF-8 for AES-256, else in PDFDocEncoding."""
    forms = [password, unicodedata.normalize("NFC", password), _prepared(password)]
    # Older encryption has bytes, and many writers took those of the system or of UTF-8.
    for encoding in ("gb18030", "utf-8", "big5", "cp1252"):
        try:
            forms.append(_as_doc_encoding(password.encode(encoding)))
        except UnicodeEncodeError:
            continue
    yield from dict.fromkeys(form for form in forms if form and "\0" not in form)


def _prepared(password: str) -> str:
    """SASLprep (RFC 4013) as far as it matters: other blanks to a space, soft characters out, then NFKC."""
    kept = "".join(
        " " if unicodedata.category(char) == "Zs" else char
        for char in password
        if char not in "\u00ad\u034f\u1806\u180b\u180c\u180d\u200b\u200c\u200d\u2060\ufeff"
    )
    return unicodedata.normalize("NFKC", kept)


def _as_doc_encoding(data: bytes) -> str:
    """The text that is ``data`` in PDFDocEncoding; empty where a byte has no character."""
    if any(byte in (0x7F, 0x9F, 0xAD) for byte in data):
        return ""
    return "".join(_DOC_ENCODING.get(byte, chr(byte)) for byte in data)


def _collect_pages(document: Any, size_bytes: int) -> bool:
    """Make the list of pages again from the page objects that a broken-off file still holds."""
    # A broken table of objects may claim millions.
    most = min(document.xref_length(), size_bytes // _SMALLEST_OBJECT + 1000)
    try:
        pages = [xref for xref in range(1, most) if _is_page(document, xref)]
        if not pages:
            return False
        tree = document.get_new_xref()
        kids = " ".join(f"{xref} 0 R" for xref in pages)
        document.update_object(tree, f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>")
        for xref in pages:
            document.xref_set_key(xref, "Parent", f"{tree} 0 R")
        catalog = document.get_new_xref()
        document.update_object(catalog, f"<</Type/Catalog/Pages {tree} 0 R>>")
        document.xref_set_key(-1, "Root", f"{catalog} 0 R")
    except library_errors():
        return False
    return True


def _is_page(document: Any, xref: int) -> bool:
    try:
        return bool(document.xref_get_key(xref, "Type") == ("name", "/Page"))
    except library_errors():
        return False


def forget_warnings() -> None:
    """Begin to watch for what :func:`was_torn` asks about."""
    import pymupdf

    pymupdf.TOOLS.reset_mupdf_warnings()


def was_torn() -> bool:
    """Whether MuPDF has met packed data that breaks off; it goes on without it and raises nothing."""
    import pymupdf

    return "treating as end of file" in pymupdf.TOOLS.mupdf_warnings()


def attachments(document: Any) -> list[str]:
    """Names of the files that are embedded in the document as a whole."""
    try:
        found = [document.embfile_info(number) for number in range(document.embfile_count())]
    except library_errors():
        return []
    names = [
        file_name(info.get("ufilename") or info.get("filename") or info.get("name") or "") for info in found
    ]
    return [name for name in dict.fromkeys(names) if name]


def file_name(name: str) -> str:
    """A file's name as its author wrote it: PyMuPDF gives the bytes of UTF-8 as if they were Latin-1."""
    try:
        name = name.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        pass
    return " ".join(name.split())
