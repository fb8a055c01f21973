"""Mails as files (.eml): headers, the body, the mails forwarded in it; attachments are named, not opened."""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from engine.documents import FileState, Reason, SourceDocument
from engine.intake.encodings import control_share, decode
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source, mime
from engine.intake.loaders.html.page import declared_charset
from engine.intake.loaders.letter import Attachment, Letter, is_any_sealed, joined, page_of

_KNOWN_HEADERS = ("from", "to", "subject", "date", "received", "message-id", "content-type", "return-path")
_DEEPEST = 20
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted")


def read(source: Source) -> Iterator[LoadItem]:
    """The mail as one page; partial where it is encrypted or its end is missing.

    Raises:
        LoadFailed: it is no mail.
        OSError: it cannot be read.
    """
    message = mime.parse(source.bytes())
    if not any(mime.header(message, name) for name in _KNOWN_HEADERS):
        raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": source.path.suffix}))
    letter = _letter(message, 0)
    if control_share(letter.plain) > 0.05:
        raise LoadFailed(FileState.DAMAGED, Reason("not_text"))
    title = letter.subject
    metadata = {name: value for name, value in letter.headers.items() if name in ("from", "date")}
    yield SourceDocument("mail", title or source.path.stem, title_from_name=not title, metadata=metadata)
    yield page_of(letter)
    if is_any_sealed(letter):
        yield Missing((1,), Reason("mail_encrypted"))
    elif mime.is_cut_short(message):
        yield Missing((1,), Reason("cut_short"))


def _letter(message: mime.Part, depth: int) -> Letter:
    headers = {name: mime.header(message, name) for name in ("from", "to", "cc", "subject")}
    letter = Letter(headers | {"date": _date(mime.header(message, "date"))})
    plain, html = _body(message, letter, depth)
    letter.plain, letter.html = joined(plain), joined(html)
    return letter


def _body(part: mime.Part, letter: Letter, depth: int) -> tuple[list[str], list[str]]:
    """The plain and the HTML texts of ``part``; what is attached goes to ``letter``."""
    kind = part.get_content_type()
    letter.is_sealed |= kind in _SEALED
    if kind == "message/rfc822" and depth < _DEEPEST:
        letter.enclosed += [_letter(child, depth + 1) for child in mime.children(part)]
    elif kind == "multipart/alternative":
        return _alternatives(part, letter, depth)
    elif part.is_multipart() and depth < _DEEPEST:
        plain: list[str] = []
        html: list[str] = []
        both = [_body(child, letter, depth + 1) for child in mime.children(part)]
        if not any(texts for _, texts in both):
            return [text for texts, _ in both for text in texts], []
        # Parts of both kinds one below the other: all as HTML, or those of one kind would be lost.
        for texts, pages in both:
            plain += texts
            html += pages or [_as_html(text) for text in texts]
        return plain, html
    elif _is_attached(part) or kind not in ("text/plain", "text/html"):
        _attach(part, letter)
    else:
        data = mime.content(part)
        label = mime.charset(part) or (declared_charset(data[:4096]) if kind == "text/html" else None)
        text = decode(data, label).text
        return ([text], []) if kind == "text/plain" else ([], [text])
    return [], []


def _alternatives(part: mime.Part, letter: Letter, depth: int) -> tuple[list[str], list[str]]:
    """The same body in several forms; the last of each kind is the best."""
    plain: list[str] = []
    html: list[str] = []
    for child in mime.children(part):
        texts, pages = _body(child, letter, depth + 1)
        plain, html = texts or plain, pages or html
    return plain, html


def _attach(part: mime.Part, letter: Letter) -> None:
    name = mime.file_name(part)
    if part.is_multipart():
        name = name or part.get_content_type()
    # A picture inside the text has no name that anybody saw, only a number to refer to.
    if name and not (mime.header(part, "content-id") and part.get_content_maintype() == "image"):
        letter.attachments.append(Attachment(name, mime.size(part)))


def _is_attached(part: mime.Part) -> bool:
    disposition = mime.header(part, "content-disposition").lower()
    return disposition.startswith("attachment") or bool(mime.file_name(part))


def _as_html(text: str) -> str:
    from html import escape

    return f"<pre>{escape(text)}</pre>"


def _date(text: str) -> str:
    """The date as people sort it, or as it stands there."""
    try:
        return parsedate_to_datetime(text).strftime("%Y-%m-%d %H:%M %z").strip()
    except (ValueError, TypeError, IndexError, OverflowError):
        return text
