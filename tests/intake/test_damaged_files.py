"""Files that are cut off or have wrong bytes: every one ends in a state, none in an exception."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.documents import FileState
from engine.intake.loaders import LoadFailed, load
from tests.intake import (
    test_ebook_loader,
    test_mail_loader,
    test_mhtml_loader,
    test_opendocument_loader,
    test_outlook_loader,
    test_rtf_loader,
)
from tests.intake.compound_file import compound_file


def _mail(_: Path) -> bytes:
    message = test_mail_loader.letter()
    message.add_attachment(b"x" * 300, maintype="application", subtype="pdf", filename="合同.pdf")
    message.add_attachment(test_mail_loader.letter())
    return message.as_bytes()


def _sheet(tmp_path: Path) -> bytes:
    row = f"<table:table-row>{test_opendocument_loader.cell('甲') * 5}</table:table-row>"
    body = f'<table:table table:name="a">{row * 3}</table:table>'
    return test_opendocument_loader.package(tmp_path / "a.ods", "spreadsheet", body).read_bytes()


SAMPLES: dict[str, Callable[[Path], bytes]] = {
    "epub": lambda path: test_ebook_loader.book(path).read_bytes(),
    "eml": _mail,
    "mhtml": lambda _: test_mhtml_loader.saved(),
    "msg": lambda _: compound_file(test_outlook_loader.message(_1000="内容" * 300)),
    "odt": lambda path: test_opendocument_loader.package(
        path / "a.odt", "text", test_opendocument_loader.TEXT
    ).read_bytes(),
    "ods": _sheet,
    "rtf": lambda _: (test_rtf_loader.HEAD + test_rtf_loader.hexes("公司") * 20 + r"\par}").encode("latin-1"),
    "html": lambda _: "<table><tr><th rowspan=3>甲<td>乙</table><ol><li><p>丙<pre>丁".encode(),
    "md": lambda _: "---\ntitle: 甲\n---\n| a | b |\n|--|--|\n| 1 | 2 |\n```\nx".encode(),
}


@pytest.mark.parametrize("suffix", SAMPLES)
def test_damage_ends_in_a_state(tmp_path: Path, suffix: str) -> None:
    whole = SAMPLES[suffix](tmp_path)
    chance = random.Random(suffix)
    path = tmp_path / f"坏.{suffix}"
    for number in range(60):
        data = bytearray(whole)
        at = chance.randrange(1, len(data))
        if number % 3 == 0:
            del data[at:]
        elif number % 3 == 1:
            data[at] = chance.randrange(256)
        else:
            del data[at : at + chance.randrange(1, 200)]
        path.write_bytes(data)
        try:
            list(load(path))
        except LoadFailed as failed:
            assert failed.state in (FileState.DAMAGED, FileState.UNSUPPORTED, FileState.NEEDS_PASSWORD), (
                number
            )
