"""What stands in a pack's manifest and on each of its lines, and what may stand there.

Packs come from other people: whatever does not fit these models is refused. An export writes through the
same models, so that what leaves here can be taken in elsewhere.
"""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from engine.documents import FileState
from engine.index.pack import names
from engine.intake.chunking.profiles import ProfileName

FORMAT = 1
"""Version of the pack. A program takes in packs of its own version."""

LONGEST_DOCUMENT = 200_000
"""Passages of one document, which are in memory together."""


def _checked(name: str) -> str:
    if not names.is_safe(name):
        raise ValueError("not a plain name")
    return name


def _checked_path(path: str) -> str:
    if not names.is_safe_path(path):
        raise ValueError("not a path inside a folder")
    return path


Name = Annotated[str, AfterValidator(_checked)]
PathInFolder = Annotated[str, AfterValidator(_checked_path)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z")]
Code = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,64}\z")]
Count = Annotated[int, Field(ge=0, lt=1 << 53)]
Number = Annotated[int, Field(ge=1, lt=1 << 31)]
Word = Annotated[str, Field(max_length=200)]
Confidence = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(gt=0, lt=1e6)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Member(_Strict):
    """A file of the pack: size in bytes and SHA-256, unpacked."""

    size: Count
    sha256: Sha256


class Manifest(_Strict):
    """``model``, ``precision``, ``dimension`` and ``normaliser`` are those of the vectors, ``weights`` is the
    SHA-256 of the embedder's weights (None for one that the catalogue does not know). ``reading`` and
    ``profile`` say how documents are read and cut; ``folders`` are names only, no places."""

    format: Annotated[int, Field(ge=FORMAT, le=FORMAT)]
    program: Word
    library: Name
    model: Word
    precision: Word
    dimension: Annotated[int, Field(ge=1, le=8192)]
    normaliser: Count
    weights: Sha256 | None
    profile: ProfileName
    reading: Word
    folders: Annotated[list[Name], Field(max_length=10_000)]
    documents: Count
    pages: Count
    chunks: Count
    members: dict[str, Member]

    @model_validator(mode="after")
    def _folders_differ(self) -> "Manifest":
        if len(set(self.folders)) != len(self.folders):
            raise ValueError("two folders of one name")
        return self


class ReasonLine(_Strict):
    code: Code
    params: dict[str, str | int | float | bool | list[str | int] | None]


class SpanLine(_Strict):
    """``span`` is [start, end) in the page's text, ``text`` what stands there."""

    page: Number
    span: tuple[Count, Count]
    text: str


class DroppedLine(_Strict):
    page: Number
    span: tuple[Count, Count]
    text: str
    why: Code


class Location(_Strict):
    """Where in a format without pages."""

    sheet: str | None = None
    rows: tuple[Count, Count] | None = None
    slide: Count | None = None
    chapter: str | None = None
    line: Count | None = None


class DocumentLine(_Strict):
    """A document: its folder (from 0, in the manifest), its path in it, and the name that its chunks have.

    ``pages`` and ``chunks`` say how many lines of the other members are its own; ``copy_of`` is the line
    (from 0) of the document that holds its text.
    """

    folder: Count
    path: PathInFolder
    name: PathInFolder
    size: Count
    content_hash: Sha256 | None
    kind: Word
    title: str
    title_from_name: bool
    encoding: Word | None
    metadata: dict[str, JsonValue]
    state: FileState
    reason: ReasonLine | None
    missing_pages: list[Number]
    from_ocr: list[Number]
    recognisable: list[Number]
    dropped: list[DroppedLine]
    reading: Word
    indexed_at: Word | None
    copy_of: Count | None
    pages: Count
    chunks: Annotated[int, Field(ge=0, le=LONGEST_DOCUMENT)]


class PageLine(_Strict):
    """``boxes`` are the glyph boxes in base64, ``recognised`` [start, end, confidence] of OCR's lines."""

    number: Number
    label: str | None
    location: Location | None
    text: str
    from_ocr: bool
    size: tuple[Points, Points] | None
    boxes: str | None
    recognised: list[tuple[Count, Count, Confidence]]


class ChunkLine(_Strict):
    """A line of the portable layout's chunks.jsonl."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}\z")]
    document: PathInFolder
    title: str
    kind: Word
    content_hash: Sha256 | None
    ordinal: Count
    page: Number
    page_end: Number
    label: str | None
    location: Location | None
    section: list[str]
    spans: list[SpanLine]
    text: Annotated[str, Field(min_length=1)]
    prefix: str
    overlap: Count
    tokens: Count


def located(location: Location | None) -> dict[str, object] | None:
    """A location as the engine has it: only what is known, lists for tuples."""
    return None if location is None else location.model_dump(mode="json", exclude_none=True)
