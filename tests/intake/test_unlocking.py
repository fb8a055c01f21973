import hashlib
import io
import logging
import struct
import tempfile
from pathlib import Path
from typing import Any

import docx
import msoffcrypto
import olefile
import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from msoffcrypto.method.rc4 import DocumentRC4

from engine.documents import FileState, Page, Reason
from engine.intake import legacy, unlocking
from engine.intake.loaders import LoadFailed, Source, load
from tests.intake.ole import ole

PASSWORD = "密码-Pa55"
SECRET = "合同金额为八十六万元。"


def locked_docx(path: Path, password: str = PASSWORD) -> Path:
    plain, wrapped = io.BytesIO(), io.BytesIO()
    document = docx.Document()
    document.add_paragraph(SECRET)
    document.save(plain)
    OOXMLFile(plain).encrypt(password, wrapped)
    path.write_bytes(wrapped.getvalue())
    return path


def failure(path: Path, *passwords: str) -> tuple[str, str]:
    with pytest.raises(LoadFailed) as caught:
        list(load(path, passwords))
    return caught.value.state.value, caught.value.reason.code


def test_the_right_password_opens_the_document(tmp_path: Path) -> None:
    path = locked_docx(tmp_path / "合同.docx")
    assert failure(path) == ("needs_password", "password_needed")
    assert failure(path, "", "") == ("needs_password", "password_needed")
    assert failure(path, "错的", "x" * 300, "\ud800") == ("needs_password", "password_wrong")
    page = list(load(path, ["错的", PASSWORD]))[1]
    assert isinstance(page, Page)
    assert page.text == SECRET + "\n"


def test_a_password_of_the_program_itself_is_none(tmp_path: Path) -> None:
    page = list(load(locked_docx(tmp_path / "保护.docx", "VelvetSweatshop")))[1]
    assert isinstance(page, Page)
    assert page.text == SECRET + "\n"


def test_nothing_secret_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    path = locked_docx(tmp_path / "合同.docx")
    list(load(path, ["猜的词", PASSWORD]))
    data = bytearray(path.read_bytes())
    data[-20000:-1000] = bytes(19000)
    path.write_bytes(data)
    failure(path, PASSWORD)
    assert PASSWORD not in caplog.text
    assert "猜的词" not in caplog.text
    assert not [record.name for record in caplog.records if record.name.startswith("msoffcrypto")]


def test_damaged_containers_are_damaged(tmp_path: Path) -> None:
    path = locked_docx(tmp_path / "合同.docx")
    whole = path.read_bytes()
    for name, data in {
        "断.docx": whole[: len(whole) // 2],
        "头.docx": whole[:600],
        "零.docx": whole[:8] + bytes(4000),
        "词.docx": whole[:8] + "EncryptedPackage".encode("utf-16-le"),
        "空.docx": ole({"EncryptedPackage": b"", "EncryptionInfo": b""}),
        "乱.docx": ole({"EncryptedPackage": b"", "EncryptionInfo": b"\4\0\4\0\x40\0\0\0<a>"}),
    }.items():
        (tmp_path / name).write_bytes(data)
        state, code = failure(tmp_path / name, PASSWORD)
        assert (state, code) in [("damaged", "damaged"), ("unsupported", "encryption_unsupported")], name
        assert state == "damaged" or name == "空.docx"


def test_rights_management_is_not_asked_for_a_password(tmp_path: Path) -> None:
    path = tmp_path / "权限.docx"
    path.write_bytes(ole({"EncryptedPackage": b"x", "DRMEncryptedTransform": b"x"}))
    assert failure(path, PASSWORD) == ("unsupported", "encryption_unsupported")


def record(number: int, data: bytes) -> bytes:
    return struct.pack("<HH", number, len(data)) + data


def word(flags: int) -> bytes:
    return struct.pack("<HHHHHH", 0xA5EC, 193, 0, 0, 0, flags)


OLD = {
    "锁.doc": ({"WordDocument": word(0x0100), "1Table": b""}, True),
    "开.doc": ({"WordDocument": word(0x0200), "1Table": b""}, False),
    "短.doc": ({"WordDocument": b""}, False),
    "锁.xls": ({"Workbook": record(2057, bytes(16)) + record(0x2F, bytes(54))}, True),
    "开.xls": ({"Workbook": record(2057, bytes(16)) + record(0x0A, b"") + record(0x2F, b"")}, False),
    "锁95.xls": ({"Book": record(2057, bytes(4)) + record(0x2F, bytes(4))}, True),
    "锁.ppt": ({"PowerPoint Document": b"", "Current User": bytes(12) + b"\xdf\xc4\xd1\xf3"}, True),
    "开.ppt": ({"PowerPoint Document": b"", "Current User": bytes(12) + b"\x5f\xc0\x91\xe3"}, False),
    "无.doc": ({"Other": b"x"}, False),
}


@pytest.mark.parametrize("name", OLD)
def test_old_documents_say_whether_they_are_encrypted(tmp_path: Path, name: str) -> None:
    streams, is_locked = OLD[name]
    path = tmp_path / name
    path.write_bytes(ole(streams))
    assert unlocking.is_locked(Source(path)) is is_locked
    # Nobody asks for a password of what nothing opens; nothing of it is ever an exception of a library.
    state, _ = failure(path)
    assert state in ("needs_password", "damaged", "unsupported")


def locked_doc(text: bytes) -> bytes:
    """A Word 97 document's streams encrypted with RC4 (the cipher is its own inverse)."""
    salt, verifier = b"s" * 16, b"v" * 16

    def hide(data: bytes) -> bytes:
        return bytes(DocumentRC4.decrypt(PASSWORD, salt, io.BytesIO(data)).read())

    table = struct.pack("<HH", 1, 1) + salt + hide(verifier + hashlib.md5(verifier).digest())
    hidden = hide((bytes(0x44) + text).ljust(4096, b"\0"))
    return ole({"WordDocument": (word(0x0300) + bytes(64))[:0x44] + hidden[0x44:], "1Table": table})


def test_an_old_document_is_decrypted_in_memory_and_then_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "旧合同.doc"
    path.write_bytes(locked_doc(SECRET.encode("utf-16-le")))
    assert failure(path) == ("needs_password", "password_needed")
    assert failure(path, "错的") == ("needs_password", "password_wrong")

    def on_disk(*_: Any, **__: Any) -> None:
        raise AssertionError("decrypted bytes go to the disk")

    monkeypatch.setattr(tempfile, "TemporaryFile", on_disk)
    handed: list[Source] = []

    def convert(source: Source) -> bytes:
        handed.append(source)
        raise LoadFailed(FileState.UNSUPPORTED, Reason("old_office"))

    monkeypatch.setattr(legacy, "convert", convert)
    failure(path, PASSWORD)
    (source,) = handed
    assert source.content is not None
    with olefile.OleFileIO(io.BytesIO(source.content)) as container:
        assert SECRET.encode("utf-16-le") in container.openstream("WordDocument").read()
    assert not unlocking.is_locked(source)


def test_what_is_encrypted_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = locked_docx(tmp_path / "合同.docx")
    again = path.read_bytes()
    monkeypatch.setattr(unlocking, "_decrypted", lambda data, password: again)
    assert failure(path, PASSWORD) == ("damaged", "damaged")


def test_the_library_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "旧合同.doc"
    path.write_bytes(locked_doc(b""))
    unlocking.unlock(Source(path, (PASSWORD,)))
    assert msoffcrypto.format.doc97.tempfile is tempfile
