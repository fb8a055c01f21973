"""A pack from somebody else: whatever is not in order is refused, and nothing is left of it."""

import base64
import io
import json
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.answer import retrieval
from engine.commands import LocatePassage
from engine.config import Settings
from engine.errors import IndexMismatch, PackInvalid
from engine.index import flat_file, portable
from engine.index.inspection import inspect
from engine.index.library import Library
from engine.index.pack import archive, lines, names
from engine.intake import boxes
from engine.reader.passages import locate
from engine.steps import finish
from tests.fakes import FakeEmbedder
from tests.indexed import put
from tests.packs import Members, changed_line, changed_manifest, members, pack, rebuilt, take_in

Change = Callable[[Members], None]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small pack in good order: two documents with two pages and two passages each."""
    library = Library(None, dimension=64)
    library.set_meta("name", "制度")
    library.set_meta("model", "fake")
    put(library, "年假.txt", ["年假可以顺延至次年三月", "年假须提前申请"], FakeEmbedder(), title="年假办法")
    put(library, "财务/报销.txt", ["报销须在三十日内提交", "逾期不予受理"], FakeEmbedder())
    file = tmp_path_factory.mktemp("pack") / "good.zhiye"
    pack(library, file)
    library.close()
    return file


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a library would be made; what is beside it is looked at afterwards."""
    made = tmp_path / "home"
    made.mkdir()
    return made


def refused(file: Path, place: Path) -> PackInvalid:
    before = {path for path in place.parent.rglob("*") if place not in path.parents}
    with pytest.raises(PackInvalid) as caught:
        take_in(file, place / "library").close()
    assert {path for path in place.parent.rglob("*") if place not in path.parents} == before
    assert caught.value.params["path"] == str(file) and caught.value.params["detail"]
    return caught.value


def test_the_pack_that_all_others_are_made_of_is_taken_in(good: Path, place: Path) -> None:
    taken = take_in(rebuilt(good, place / "same.zhiye", lambda _: None), place / "library")
    assert taken.chunk_count() == 4
    taken.close()


# -- the zip ------------------------------------------------------------------------------------------


def written(file: Path, contents: list[tuple[zipfile.ZipInfo | str, bytes]], **options: Any) -> Path:
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, **options) as made:
        warnings.simplefilter("ignore")  # duplicate names are what is wanted
        for name, data in contents:
            made.writestr(name, data)
    return file


EVIL = [
    "../evil.txt",
    "/tmp/evil.txt",
    "C:\\evil.txt",
    "..\\evil.txt",
    "a\0b",
    "index.faiss\0.txt",
    "更多.txt",
]


@pytest.mark.parametrize("name", EVIL)
def test_a_member_that_is_none_of_ours(good: Path, place: Path, name: str) -> None:
    contents: list[tuple[zipfile.ZipInfo | str, bytes]] = list(members(good).items())
    for more in ([(name, b"evil")], []):
        kept = contents if more else [*contents[:-1], (name, contents[-1][1])]  # beside ours, instead of one
        refused(written(place / "bad.zhiye", [*kept, *more]), place)


@pytest.mark.parametrize("name", archive.MEMBERS)
def test_a_member_that_is_there_twice_or_not_at_all(good: Path, place: Path, name: str) -> None:
    contents: list[tuple[zipfile.ZipInfo | str, bytes]] = list(members(good).items())
    refused(written(place / "bad.zhiye", [*contents, (name, b"{}")]), place)
    refused(written(place / "bad.zhiye", [item for item in contents if item[0] != name]), place)
    last = [item for item in contents if item[0] != name]
    refused(written(place / "bad.zhiye", [*last, last[0]]), place)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR])
def test_a_member_that_is_no_plain_file(good: Path, place: Path, kind: int) -> None:
    contents: list[tuple[zipfile.ZipInfo | str, bytes]] = []
    for name, data in members(good).items():
        info = zipfile.ZipInfo(name)
        info.external_attr = ((kind if name == portable.CHUNKS else stat.S_IFREG) | 0o777) << 16
        contents.append((info, data))
    refused(written(place / "bad.zhiye", contents), place)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_packed_in_another_way(good: Path, place: Path, method: int) -> None:
    contents: list[tuple[zipfile.ZipInfo | str, bytes]] = []
    for name, data in members(good).items():
        info = zipfile.ZipInfo(name)
        info.compress_type = method
        contents.append((info, data))
    refused(written(place / "bad.zhiye", contents), place)


def patched(good: Path, target: Path, field: int, value: int, *, size: int = 4, local: bool = True) -> Path:
    """The pack with a field of pages.jsonl's entries in the zip's directory (and at the member) replaced."""
    data = bytearray(good.read_bytes())
    with zipfile.ZipFile(good) as found:
        info = found.getinfo(archive.PAGES)
        start = found.start_dir
    central = data.index(b"pages.jsonl", start) - 46
    assert data[central : central + 4] == b"PK\x01\x02"
    data[central + field : central + field + size] = value.to_bytes(size, "little")
    if local:
        at = info.header_offset + field - 2
        data[at : at + size] = value.to_bytes(size, "little")
    target.write_bytes(data)
    return target


FLAGS, CRC, PACKED, UNPACKED = 8, 16, 20, 24


def test_an_encrypted_member(good: Path, place: Path) -> None:
    for flags in (0x1, 0x41, 0x2001, 0x20):
        refused(patched(good, place / "bad.zhiye", FLAGS, flags, size=2), place)


def test_sizes_and_checksums_that_lie(good: Path, place: Path) -> None:
    honest = rebuilt(good, place / "plain.zhiye", lambda _: None)
    with zipfile.ZipFile(honest) as found:
        info = found.getinfo(archive.PAGES)
    for field, value in (
        (UNPACKED, info.file_size + 1), (UNPACKED, info.file_size - 1), (UNPACKED, 0),
        (UNPACKED, 0xFFFFFFFF),
        (UNPACKED, 0xFFFFFFFE), (PACKED, 0), (PACKED, 0xFFFFFFFF), (PACKED, 1 << 20),
        (CRC, info.CRC ^ 1), (42, 0xFFFFFFFF), (42, 0), (42, 7), (38, stat.S_IFLNK << 16),
    ):  # fmt: skip
        refused(patched(honest, place / "bad.zhiye", field, value, local=False), place)


def test_a_directory_of_a_million_members(good: Path, place: Path) -> None:
    data = good.read_bytes()
    end = data[-22:]
    many = b"".join(b"PK\x01\x02" + bytes(42) for _ in range(2000))
    for count in (7, 0xFFFF):
        tail = end[:8] + struct.pack("<HHLL", count, count, len(many), len(data) - 22) + b"\0\0"
        (place / "bad.zhiye").write_bytes(data[:-22] + many + tail)
        refused(place / "bad.zhiye", place)


def test_a_zip64_directory_that_lies(good: Path, place: Path) -> None:
    data = good.read_bytes()
    body, end = data[:-22], data[-22:]
    length, offset = struct.unpack("<LL", end[12:20])
    small = end[:8] + struct.pack("<HHLL", 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF) + b"\0\0"
    for count, size, start in (
        (1 << 40, length, offset), (7, 1 << 40, offset), (7, length, 1 << 60), (1 << 63, 1 << 63, 1 << 63),
    ):  # fmt: skip
        record = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, start)
        locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(body), 1)
        (place / "bad.zhiye").write_bytes(body + record + locator + small)
        refused(place / "bad.zhiye", place)


def test_a_bomb(good: Path, place: Path) -> None:
    def bomb(contents: Members) -> None:
        contents[archive.PAGES] = b" " * (300 << 20)

    error = refused(rebuilt(good, place / "bad.zhiye", bomb), place)
    assert "larger unpacked" in error.params["detail"]


def test_what_is_no_zip_at_all(place: Path) -> None:
    for data in (b"", b"PK", b"\0" * 500, "知页".encode() * 100, b"PK\x05\x06" + bytes(18)):
        (place / "bad.zhiye").write_bytes(data)
        refused(place / "bad.zhiye", place)


# -- the manifest -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"format": 2}, {"format": "1"}, {"format": True}, {"format": None},
        {"library": ""}, {"library": "a\nb"}, {"library": "库\u202e"}, {"library": "../库"}, {"library": 7},
        {"library": "长" * 301}, {"library": " "},
        {"folders": ["/etc"]}, {"folders": ["C:"]}, {"folders": [".."]}, {"folders": ["资料", "资料"]},
        {"folders": ["a/b"]}, {"folders": ["a\\b"]}, {"folders": []}, {"folders": "资料"},
        {"folders": [None]},
        {"dimension": 0}, {"dimension": -64}, {"dimension": 1 << 62}, {"dimension": 64.0},
        {"dimension": "64"},
        {"chunks": 3}, {"chunks": 5}, {"chunks": -4}, {"chunks": 1e300}, {"chunks": 0},
        {"pages": 5}, {"documents": 1}, {"documents": 3}, {"documents": 1 << 70},
        {"profile": "none"}, {"profile": None}, {"weights": "x"}, {"members": {}}, {"members": []},
        {"extra": 1},
    ],
)  # fmt: skip
def test_a_manifest_that_says_something_else(good: Path, place: Path, values: dict[str, Any]) -> None:
    refused(rebuilt(good, place / "bad.zhiye", changed_manifest(values)), place)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{", b"[]", b"null", b"{}", b"\xff\xfe{}", b"[" * 100_000, b'{"format": 1' + b" " * (5 << 20) + b"}",
        b'{"format": NaN}', b'{"format": 1, "library": "\\ud800"}',
    ],
)  # fmt: skip
def test_a_manifest_that_is_none(good: Path, place: Path, data: bytes) -> None:
    def change(contents: Members) -> None:
        contents[archive.MANIFEST] = data

    refused(rebuilt(good, place / "bad.zhiye", change, honest=False), place)


@pytest.mark.parametrize("name", archive.MEMBERS)
def test_a_member_that_was_changed_later(good: Path, place: Path, name: str) -> None:
    def longer(contents: Members) -> None:
        contents[name] += b" "

    def other(contents: Members) -> None:
        contents[name] = contents[name].replace(b"e", b"a", 1) or b"x"
        if contents[name] == members(good)[name]:
            contents[name] = bytes([contents[name][0] ^ 1]) + contents[name][1:]

    for change in (longer, other):
        refused(rebuilt(good, place / "bad.zhiye", change, honest=False), place)


# -- documents, pages, passages -----------------------------------------------------------------------


def setting(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update(values)


DOCUMENTS = [
    *({"path": path} for path in (
        "../a.txt", "/etc/passwd", "a/../../b", "C:\\a.txt", "c:a.txt", "a\\b.txt", "a\0b", "a\nb",
        "a//b", "a/",
        "", ".", "a/./b", "\u202etxt.exe", "a\u2028b", "a" * 400, 5, None, ["a"], "\x7f", "财务/报销.txt",
    )),
    {"folder": 1}, {"folder": -1}, {"folder": "0"}, {"folder": 1 << 70}, {"folder": 0.0},
    {"pages": 1}, {"pages": 3}, {"pages": -1}, {"chunks": 1}, {"chunks": 3},
    {"chunks": lines.LONGEST_DOCUMENT + 1},
    {"size": -1}, {"size": 1.5}, {"size": 1 << 64}, {"content_hash": "00"}, {"content_hash": "AB" * 32},
    {"state": "fine"}, {"state": None}, {"reason": {"code": "a b", "params": {}}}, {"reason": "x"},
    {"reason": {"code": "a", "params": {"a": {"b": 1}}}}, {"metadata": []}, {"metadata": "x"},
    {"copy_of": 0}, {"copy_of": 5}, {"copy_of": -1}, {"name": "别的"}, {"title": 5}, {"missing_pages": [0]},
    {"dropped": [{"page": 1, "span": [0, 99], "text": "x", "why": "y"}]},
    {"dropped": [{"page": 9, "span": [0, 1], "text": "x", "why": "y"}]},
    {"dropped": [{"page": 1, "span": [2, 1], "text": "x", "why": "y"}]},
    {"unknown": 1},
]  # fmt: skip


@pytest.mark.parametrize("values", DOCUMENTS, ids=repr)
def test_a_document_that_cannot_be(good: Path, place: Path, values: dict[str, Any]) -> None:
    changed = changed_line(archive.DOCUMENTS, 0, setting(**values))
    refused(rebuilt(good, place / "bad.zhiye", changed), place)


def _bomb() -> str:
    return base64.b64encode(zlib.compress(bytes(100 << 20))).decode()


TEXT = "年假可以顺延至次年三月"
PAGES = [
    {"number": 0}, {"number": -1}, {"number": 2}, {"number": "1"}, {"number": 1 << 70}, {"number": 1.0},
    {"text": None}, {"text": 5}, {"text": ""}, {"text": "短"}, {"label": 5}, {"from_ocr": 1},
    {"location": {"place": "x"}}, {"location": {"rows": [1]}}, {"location": {"rows": [-1, 2]}},
    {"location": []},
    {"size": [0, 0]}, {"size": [1]}, {"size": [-1, 5]}, {"size": ["1", "2"]}, {"size": [1e9, 1]},
    {"boxes": "!"}, {"boxes": "AAAA", "size": [9, 9]}, {"boxes": _bomb(), "size": [9, 9]},
    {"boxes": base64.b64encode(boxes.pack([(0, 0, 1, 1)] * 99, (9.0, 9.0))).decode(), "size": [9, 9]},
    {"boxes": base64.b64encode(boxes.pack([(0, 0, 1, 1)], (9.0, 9.0))).decode(), "size": None},
    {"boxes": base64.b64encode(zlib.compress(b"123")).decode(), "size": [9, 9]},
    {"boxes": base64.b64encode(zlib.compress(bytes(16))[:-3]).decode(), "size": [9, 9]},
    {"recognised": [[0, 99, 0.5]]}, {"recognised": [[2, 1, 0.5]]}, {"recognised": [[0, 1, 7]]},
    {"recognised": [[-1, 1, 0.5]]}, {"recognised": [[0, 1]]}, {"recognised": {}},
]  # fmt: skip


@pytest.mark.parametrize("values", PAGES, ids=lambda values: repr(values)[:60])
def test_a_page_that_cannot_be(good: Path, place: Path, values: dict[str, Any]) -> None:
    changed = changed_line(archive.PAGES, 0, setting(**values))
    refused(rebuilt(good, place / "bad.zhiye", changed), place)


CHUNKS = [
    {"id": ""}, {"id": "../x"}, {"id": "G" * 20}, {"id": 5}, {"id": "a" * 65}, {"id": "ab\n"},
    {"document": "财务/报销.txt"}, {"document": "../x"}, {"document": None},
    {"ordinal": -1}, {"ordinal": 1}, {"ordinal": "0"}, {"page": 0}, {"page": 2}, {"page": 99},
    {"page_end": 99},
    {"page_end": 0}, {"overlap": -1}, {"overlap": 99}, {"tokens": -1}, {"tokens": None}, {"text": ""},
    {"text": 5},
    {"section": "章"}, {"section": [1]}, {"location": {"line": -1}}, {"location": {"line": "1"}},
    {"spans": [{"page": 1, "span": [0, 99], "text": ""}]},
    {"spans": [{"page": 2, "span": [0, 1], "text": ""}]},
    {"spans": [{"page": 1, "span": [3, 2], "text": ""}]},
    {"spans": [{"page": 1, "span": [-1, 2], "text": ""}]},
    {"spans": [{"page": 1, "span": [0, 1.5], "text": ""}]}, {"spans": [[1, 0, 1]]}, {"spans": None},
    {"prefix": None}, {"more": 1},
]  # fmt: skip


@pytest.mark.parametrize("values", CHUNKS, ids=repr)
def test_a_passage_that_cannot_be(good: Path, place: Path, values: dict[str, Any]) -> None:
    changed = changed_line(portable.CHUNKS, 0, setting(**values))
    refused(rebuilt(good, place / "bad.zhiye", changed), place)


@pytest.mark.parametrize("name", [archive.DOCUMENTS, archive.PAGES, portable.CHUNKS])
@pytest.mark.parametrize(
    "line",
    [
        b"{}", b"[]", b"null", b"", b"\xff\xfe",
        b"{" * 5000, b'{"text": "\\ud800"}', b"[" * 100_000, b"\x00",
        '{"path": "a"}'.encode("utf-16"),
    ],
    ids=lambda line: repr(line)[:20],
)  # fmt: skip
def test_a_line_that_is_none_of_ours(good: Path, place: Path, name: str, line: bytes) -> None:
    def instead(contents: Members) -> None:
        _, rest = contents[name].split(b"\n", 1)
        contents[name] = line + b"\n" + rest

    def before(contents: Members) -> None:
        contents[name] = line + b"\n" + contents[name]

    def after(contents: Members) -> None:
        contents[name] += line + b"\n"

    def without_end(contents: Members) -> None:
        contents[name] = contents[name].rstrip(b"\n")

    for change in (instead, before, after, without_end):
        refused(rebuilt(good, place / "bad.zhiye", change), place)


def test_lines_in_another_order(good: Path, place: Path) -> None:
    for name in (archive.DOCUMENTS, archive.PAGES, portable.CHUNKS):

        def turned(contents: Members, name: str = name) -> None:
            contents[name] = b"".join(reversed(contents[name].splitlines(keepends=True)))

        refused(rebuilt(good, place / "bad.zhiye", turned), place)


def test_a_line_without_end(good: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LONGEST_LINE", 100)
    assert "too long" in refused(good, place).params["detail"]


def test_a_copy_of_a_copy(good: Path, place: Path) -> None:
    def copies(contents: Members) -> None:
        line = json.loads(contents[archive.DOCUMENTS].split(b"\n")[0])
        for number, of in ((2, 0), (3, 2)):
            line.update(path=f"{number}.txt", name=f"{number}.txt", pages=0, chunks=0, copy_of=of)
            contents[archive.DOCUMENTS] += json.dumps(line).encode() + b"\n"
        changed_manifest({"documents": 4})(contents)

    assert "copy" in refused(rebuilt(good, place / "bad.zhiye", copies), place).params["detail"]


# -- vectors ------------------------------------------------------------------------------------------


def index_of(vectors: Any) -> Change:
    def change(contents: Members) -> None:
        stream = io.BytesIO()
        finish(flat_file.write(stream, [vectors], vectors.shape[1], len(vectors)))
        contents[portable.INDEX] = stream.getvalue()

    return change


def _vectors(**rows: Any) -> Any:
    made = FakeEmbedder().embed_passages(["一", "二", "三", "四"])
    for number, row in rows.items():
        made[int(number[1:])] = row
    return made


@pytest.mark.parametrize(
    "vectors",
    [
        _vectors(_2=0.0), _vectors(_0=np.nan), _vectors(_3=np.inf), _vectors(_1=1.0), _vectors(_1=-np.inf),
        _vectors(_1=3e38), _vectors() * 0.99, _vectors()[:3], np.concatenate([_vectors(), _vectors()[:1]]),
        FakeEmbedder(32).embed_passages(["一"] * 4), FakeEmbedder(128).embed_passages(["一"] * 4),
    ],
)  # fmt: skip
def test_vectors_that_are_none(good: Path, place: Path, vectors: Any) -> None:
    refused(rebuilt(good, place / "bad.zhiye", index_of(vectors)), place)


def test_an_index_of_another_kind_or_order(good: Path, place: Path) -> None:
    data = members(good)[portable.INDEX]
    turned = data[:-32] + struct.pack("<4q", 1, 0, 2, 3)
    for bad in (
        b"",
        data[:-1],
        data + b"\0",
        b"IxFI" + data[4:],
        turned,
        data[:37] + b"IxF2" + data[41:],
        bytes(len(data)),
    ):

        def change(contents: Members, bad: bytes = bad) -> None:
            contents[portable.INDEX] = bad

        refused(rebuilt(good, place / "bad.zhiye", change), place)


# -- anything -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_changes_are_refused_or_do_no_harm(
    good: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Bytes of the file, or of a member behind an honest manifest, are replaced, left out or put in."""
    place = tmp_path_factory.mktemp("mutated") / "home"
    place.mkdir()
    file = place / "bad.zhiye"

    def mutated(content: bytes) -> bytes:
        found = bytearray(content)
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, max(0, len(found) - 1)))
            new = data.draw(
                st.one_of(
                    st.binary(max_size=6), st.sampled_from([b"-1", b'"', b"null", b"1e999", b"\\u202e"])
                )
            )
            found[at : at + data.draw(st.integers(0, 6))] = new
        return bytes(found)

    if data.draw(st.booleans()):
        file.write_bytes(mutated(good.read_bytes()))
    else:
        name = data.draw(st.sampled_from([*archive.MEMBERS, archive.MANIFEST]))

        def change(contents: Members) -> None:
            contents[name] = mutated(contents[name])

        rebuilt(good, file, change, honest=name != archive.MANIFEST)
    try:
        taken = take_in(file, place / "library")
    except (PackInvalid, IndexMismatch):
        pass
    else:
        for hit in retrieval.search("年假 报销", [taken], FakeEmbedder(), Settings(), 10):
            assert locate(LocatePassage(1, taken.name, hit.row), taken).pages
            assert inspect(taken, hit.document).pages
        taken.close()
    assert {path.name for path in place.parent.iterdir()} == {"home"}
    assert {path.name for path in place.iterdir()} <= {"bad.zhiye", "library"}


@given(st.text(max_size=40))
def test_a_name_made_safe_is_safe_and_a_safe_one_stays(name: str) -> None:
    assert names.is_safe(names.safe(name))
    assert names.is_safe_path(names.safe_path(name))
    assert names.safe(name) == name or not names.is_safe(name)
    assert names.safe_path(name) == name or not names.is_safe_path(name)
    assert not Path(names.safe_path(name)).is_absolute()
    assert ".." not in Path(names.safe_path(name)).parts
