"""Which loader reads a file: content before suffix, and a named state for everything else."""

import zipfile
from pathlib import Path

import pytest

from engine.intake.kinds import SUFFIXES, identify
from engine.intake.loaders import LoadFailed, Source

MAIL = b"MIME-Version: 1.0\nContent-Type: multipart/related;\n boundary=x\n\n--x\n"


def kind(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return identify(Source(path))[0]


def refused(path: Path, content: bytes) -> tuple[str, str]:
    path.write_bytes(content)
    with pytest.raises(LoadFailed) as caught:
        identify(Source(path))
    return caught.value.state.value, caught.value.reason.code


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", b"text", "text"),
        ("README", b"text", "text"),
        ("a.TXT", b"text", "text"),
        ("a.pdf", b"%PDF-1.7", "pdf"),
        ("a.txt", b"%PDF-1.7", "pdf"),
        ("a.pdf", b"rubbish%PDF-1.7", "pdf"),
        ("a.doc", b"{\\rtf1 x}", "rtf"),
        ("a.rtf", b"{\\rtf1 x}", "rtf"),
        ("a.htm", MAIL, "mhtml"),
        ("a.doc", MAIL, "mhtml"),
        ("export.xls", b"<html><table><tr><td>1</td></tr></table></html>", "html"),
        ("export.xls", b"\xef\xbb\xbf\n<!DOCTYPE html><p>x", "html"),
        ("export.doc", b'<?xml version="1.0"?><html xmlns="x"><p>x', "html"),
        ("a.eml", b"From: a@b\nSubject: x\n\nx", "mail"),
        ("a.csv", b"a,b", "delimited"),
    ],
)
def test_content_and_suffix_decide(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    assert kind(tmp_path / name, content) == expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.pdf", b"", ("empty", "zero_bytes")),
        ("a.pdf", b"no pdf", ("damaged", "wrong_suffix")),
        ("a.docx", b"no zip", ("damaged", "wrong_suffix")),
        ("a.rtf", b"no rtf", ("damaged", "wrong_suffix")),
        ("a.docx", b"PK\x03\x04broken", ("damaged", "damaged_archive")),
        ("a.xls", b"<b>x</b> no page", ("unsupported", "old_office")),
        ("a.jpg", b"\xff\xd8\xff", ("unsupported", "unsupported_type")),
        ("binary", b"\x00\x01", ("unsupported", "unsupported_type")),
    ],
)
def test_everything_else_has_a_state_and_a_reason(
    tmp_path: Path, name: str, content: bytes, expected: tuple[str, str]
) -> None:
    assert refused(tmp_path / name, content) == expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [("word/document.xml", "word"), ("ppt/presentation.xml", "slides"), ("xl/workbook.xml", "sheet")],
)
def test_an_office_file_is_known_by_its_parts_whatever_it_is_called(
    tmp_path: Path, part: str, expected: str
) -> None:
    path = tmp_path / "报表.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr(part, "<x/>")
    assert identify(Source(path))[0] == expected


def test_an_archive_is_named_and_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "资料.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("内/合同.txt", "x")
    with pytest.raises(LoadFailed) as caught:
        identify(Source(path))
    assert (caught.value.state.value, caught.value.reason.code) == ("unsupported", "unsupported_type")


def test_a_bomb_is_seen_before_anything_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "炸弹.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(80 << 20))
    with pytest.raises(LoadFailed) as caught:
        identify(Source(path))
    assert (caught.value.state.value, caught.value.reason.code) == ("over_budget", "too_large")


def test_every_suffix_has_a_loader() -> None:
    import importlib

    for name in set(SUFFIXES.values()):
        assert hasattr(importlib.import_module(f"engine.intake.loaders.{name}"), "read")
