"""Walks the tokens of an RTF file: groups, properties, and characters in whatever code page they are."""

import re
from dataclasses import dataclass, replace

from engine.intake.encodings import joined, safe
from engine.intake.loaders.rtf.paper import Paper
from engine.intake.loaders.rtf.tables import codec_of_page, font_codecs, group_end, heading_styles

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|((?:\\'[0-9a-fA-F]{2})+)|\\([^a-zA-Z])|([{}])"
    r"|([^\\{}\r\n]+)|[\r\n]+|\\",
    re.DOTALL,
)
_SKIPPED = frozenset({
    "pict", "objdata", "objclass", "themedata", "colorschememapping", "datastore", "latentstyles",
    "colortbl", "listtable", "filetbl", "revtbl", "listoverridetable", "rsidtbl", "xmlnstbl",
    "generator", "fldinst", "bkmkstart", "bkmkend", "sp", "shprslt", "nonshppict", "pn", "atnid",
    "atnauthor", "atnref", "atndate", "atrfstart", "atrfend", "xe", "tc", "rxe", "txe", "author",
    "operator", "company", "creatim", "revtim", "printim", "buptim", "keywords", "doccomm", "subject",
    "manager", "category", "hlinkbase", "comment", "template", "pgptbl", "listname", "ftnsep",
    "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "nonesttables", "ffname", "ffdeftext", "ffl",
    "formfield", "private", "background",
})  # fmt: skip
_STARRED_TEXT = frozenset({"shpinst", "annotation", "do", "dptxbxtext", "shptxt", "footnote"})
_ASIDE = {"footnote": "note", "annotation": "note", "title": "title"} | dict.fromkeys(
    ("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"), "margin"
)
_CHARS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "softline": "\n",
}  # fmt: skip
_SYMBOLS = {"~": "\u00a0", "_": "-", "-": "", "\n": "\n", "\r": "\n"}
_PICTOGRAMS = re.compile("[\uf020-\uf0ff]")
"""Characters of fonts like Wingdings; nearly always bullets."""


@dataclass(slots=True)
class _State:
    """What a group hands down to the groups in it, and what ends with it."""

    font: int | None = None
    asian_font: int | None = None
    is_asian: bool = False
    is_hidden: bool = False
    fallback: int = 1
    style: int | None = None
    outline: int | None = None
    in_table: bool = False
    box_in_table: bool = False
    aside: str = ""


class Reader:
    """Reads ``text``, the bytes of a file as Latin-1, on to ``paper``; :meth:`run` does all of it."""

    def __init__(self, text: str) -> None:
        self.paper = Paper()
        self.is_cut_short = False
        self._source = text
        self._at = 0
        self._state = _State()
        self._stack: list[_State] = []
        self._codepage = "cp1252"
        self._default_font: int | None = None
        self._fonts: dict[int, str] = {}
        self._styles: dict[int, int] = {}
        self._text: list[str] = []
        self._bytes = bytearray()
        self._to_skip = 0
        self._set_aside: list[list[str]] = []

    def run(self) -> None:
        starred = False
        while self._at < len(self._source):
            match = _TOKEN.match(self._source, self._at)
            if match is None:
                break
            self._at = match.end()
            word, number, codes, symbol, brace, run = match.groups()
            if run is not None:
                self._characters(run.encode("latin-1"))
            elif codes is not None:
                self._characters(bytes.fromhex(codes.replace("\\'", "")))
            elif word is not None:
                self._word(word, int(number) if number else None, starred)
            elif symbol is not None:
                if symbol in "{}\\":
                    self._characters(symbol.encode("latin-1"))
                elif symbol != "*":
                    self._put(_SYMBOLS.get(symbol, ""))
            elif brace == "{":
                self._flush()
                self._stack.append(self._state)
                self._state = replace(self._state)
            elif brace == "}":
                self._close()
                if not self._stack:
                    break
            starred = symbol == "*"
        self.is_cut_short = bool(self._stack)
        while self._stack:
            self._close()
        self._end()

    def _characters(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        data = data[skipped:]
        # Bytes wait until a control word comes: the second one of a Chinese character may be a plain letter.
        if self._bytes or not data.isascii():
            self._bytes += data
        elif data and not self._state.is_hidden:
            self._text.append(data.decode("ascii"))

    def _put(self, text: str) -> None:
        self._flush()
        if not self._state.is_hidden:
            self._text.append(text)

    def _flush(self) -> None:
        if self._bytes:
            state = self._state
            font = state.asian_font if state.is_asian and state.asian_font is not None else state.font
            codec = self._fonts.get(self._default_font if font is None else font, self._codepage)  # type: ignore[arg-type]
            if not state.is_hidden:
                self._text.append(self._bytes.decode(codec, "replace"))
            self._bytes.clear()

    def _word(self, word: str, number: int | None, starred: bool) -> None:
        state = self._state
        if word == "u" and number is not None:
            self._put(chr(number & 0xFFFF))
            self._to_skip = state.fallback
            return
        self._to_skip = 0
        if word == "bin":
            self._at += max(0, number or 0)
        elif word in _SKIPPED or (starred and word not in _STARRED_TEXT):
            self._at = group_end(self._source, self._at)
        elif word in ("fonttbl", "stylesheet"):
            end = group_end(self._source, self._at)
            group = self._source[self._at : end]
            self._at = end
            if word == "fonttbl":
                self._fonts = font_codecs(group)
            else:
                self._styles = heading_styles(group, self._codepage)
        elif word in _ASIDE:
            self._flush()
            self._set_aside.append(self._text)
            self._text = []
            state.aside, state.in_table = _ASIDE[word], False
        elif word in _CHARS:
            self._put(_CHARS[word])
        else:
            self._flush()
            self._property(word, number)

    def _property(self, word: str, number: int | None) -> None:
        state = self._state
        match word:
            case "par" | "sect" | "page" | "column":
                self._paragraph()
            case "trowd":
                self.paper.begin_row()
            case "trhdr":
                self.paper.mark_header()
            case "cell":
                self.paper.end_cell(self._take())
            case "row":
                self.paper.end_row()
            case "nestcell" | "nestrow":  # a table in a cell
                self._text.append(" " if word == "nestcell" else "; ")
            case "pard":
                state.style = state.outline = None
                state.in_table = state.box_in_table
            case "intbl":
                state.in_table = True
            case "shptxt" | "dptxbxtext":
                state.box_in_table = state.in_table
            case "s":
                state.style = number
            case "outlinelevel":
                state.outline = number
            case "plain":
                state.is_hidden, state.font, state.is_asian = False, None, False
            case "v" | "deleted":
                state.is_hidden = number != 0
            case "f":
                state.font = number
            case "af":
                if state.is_asian:
                    state.asian_font = number
            case "loch" | "hich" | "dbch":
                state.is_asian = word == "dbch"
            case "uc":
                state.fallback = max(0, number or 0)
            case "deff":
                self._default_font = number
            case "ansicpg":
                self._codepage = codec_of_page(number or 0)
            case "mac" | "pc" | "pca":
                self._codepage = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]

    def _close(self) -> None:
        self._flush()
        self._to_skip = 0
        closed, self._state = self._state, self._stack.pop() if self._stack else _State()
        if closed.aside and closed.aside != self._state.aside:
            text = " ".join(self._take().split())
            self._text = self._set_aside.pop()
            if text:
                self.paper.aside(closed.aside, text)

    def _take(self) -> str:
        self._flush()
        text = "".join(self._text)
        self._text = []
        if not text.isascii():
            # \u gives characters beyond the first 65,536 in two halves.
            text = joined(text)
        return _PICTOGRAMS.sub("•", safe(text))

    def _paragraph(self) -> None:
        state = self._state
        if state.aside:
            self._text.append("\n")
            return
        level = self._styles.get(state.style or 0) if state.outline is None else state.outline + 1
        self.paper.paragraph(self._take(), level if level in range(1, 10) else None, in_table=state.in_table)

    def _end(self) -> None:
        if "".join(self._text).strip() or self._bytes:
            self._paragraph()
        self.paper.end()
