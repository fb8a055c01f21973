from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from engine.documents import Page
from engine.intake.loaders import LoadFailed, Source
from engine.intake.loaders.pdf import document as loader
from engine.intake.loaders.pdf.opening import _as_doc_encoding, _forms
from tests.intake.pdf_files import missing_of, pages_of, save, write

AES, RC4 = pymupdf.PDF_ENCRYPT_AES_256, pymupdf.PDF_ENCRYPT_RC4_128


def locked(make_pdf: Callable[..., Any], path: Path, encryption: int = AES, **how: Any) -> Path:
    document = make_pdf()
    write(document.new_page(), 60, 80, "受保护的文字")
    return save(document, path, encryption=encryption, permissions=0, **how)


def refusal(path: Path, *passwords: str) -> tuple[str, str]:
    with pytest.raises(LoadFailed) as caught:
        pages_of(path, *passwords)
    return caught.value.state.value, caught.value.reason.code


def test_a_user_password_is_asked_for_and_an_owner_password_is_not(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    path = locked(make_pdf, tmp_path / "用户.pdf", user_pw="密码", owner_pw="o")
    assert refusal(path) == ("needs_password", "password_needed")
    assert refusal(path, "错误", "") == ("needs_password", "password_wrong")
    path = locked(make_pdf, tmp_path / "所有者.pdf", owner_pw="o")
    assert pages_of(path)[0].text == "受保护的文字"


@pytest.mark.parametrize("password", ["星桥2023", "  ! < > ½ 𠜎 😀  ", "plain"])
def test_passwords_are_tried_in_order_as_user_and_as_owner(
    make_pdf: Callable[..., Any], tmp_path: Path, password: str
) -> None:
    path = locked(make_pdf, tmp_path / "用户.pdf", user_pw=password, owner_pw="the owner")
    for right in (password, "the owner"):
        assert pages_of(path, "错误", right)[0].text == "受保护的文字"


def test_a_password_in_another_form_of_the_same_letters_opens(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    path = locked(make_pdf, tmp_path / "用户.pdf", user_pw="ABC 1⁄4")
    assert pages_of(path, "ＡＢＣ\u3000¼")[0].text == "受保护的文字"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_older_encryption_opens_with_the_bytes_of_the_writers_system(
    make_pdf: Callable[..., Any], tmp_path: Path, encoding: str
) -> None:
    in_bytes = _as_doc_encoding("密码".encode(encoding))
    assert in_bytes
    path = locked(make_pdf, tmp_path / "旧.pdf", RC4, user_pw=in_bytes, owner_pw="o")
    assert pages_of(path, "密码")[0].text == "受保护的文字"


def test_forms_of_a_password_are_few_and_the_first_is_as_typed() -> None:
    assert next(_forms(" p¼ ")) == " p¼ "
    assert list(_forms("plain")) == ["plain"]
    assert list(_forms("")) == []


def test_bytes_stand_for_the_path_when_they_are_given(make_pdf: Callable[..., Any], tmp_path: Path) -> None:
    document = make_pdf()
    write(document.new_page(), 60, 80, "解密后的文字")
    source = Source(tmp_path / "名.pdf", content=document.tobytes())
    assert [item.text for item in loader.read(source) if isinstance(item, Page)] == ["解密后的文字"]


def test_a_file_that_breaks_off_gives_the_pages_it_holds_and_says_that_more_are_lost(
    make_pdf: Callable[..., Any], tmp_path: Path
) -> None:
    document = make_pdf()
    for number in range(6):
        document.new_page().insert_text((60, 80), f"fact number {number}")
    data = document.tobytes(garbage=0)
    # Nothing that lists the pages is left: the catalogue and the tree stand first here.
    data = data.replace(b"/Type/Catalog", b"/Type/Catalxx").replace(b"/Type/Pages", b"/Type/Paxxs")
    path = tmp_path / "断.pdf"
    path.write_bytes(data[: data.rindex(b"xref\n0")])
    missing = missing_of(path)
    assert missing is not None
    assert (missing.pages, missing.reason.code) == ((7,), "pages_lost")
    assert [page.text for page in pages_of(path)] == [f"fact number {number}" for number in range(6)]


def test_a_file_without_any_page_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "空壳.pdf"
    path.write_bytes(b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n")
    assert refusal(path)[0] == "damaged"
