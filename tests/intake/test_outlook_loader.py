import struct
from pathlib import Path
from typing import Any

import pytest

from engine.documents import FileState, Page, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, load
from engine.intake.loaders.rtf import compressed
from tests.intake.compound_file import compound_file

SENT = struct.pack("<IIQ", 0x00390040, 6, 133_654_806_000_000_000)  # 2024-07-15 01:30 UTC


def properties(header: int, *fixed: bytes) -> bytes:
    return bytes(header) + b"".join(fixed)


def codepage(number: int, page: int) -> bytes:
    return struct.pack("<HHIQ", 3, number, 6, page)


def texts(**values: str) -> dict[str, bytes]:
    return {f"__substg1.0_{key[1:]}001F": value.encode("utf-16-le") for key, value in values.items()}


def message(**values: Any) -> dict[str, Any]:
    return {"__properties_version1.0": properties(32, SENT)} | texts(**(_USUAL | values))


_USUAL = {
    "_001A": "IPM.Note", "_0037": "关于年假", "_0C1A": "张三", "_5D01": "zhang@example.com",
    "_0E04": "李四; 王五",
}  # fmt: skip


def read(tmp_path: Path, tree: dict[str, Any] | bytes) -> list[LoadItem]:
    path = tmp_path / "信.msg"
    path.write_bytes(tree if isinstance(tree, bytes) else compound_file(tree))
    return list(load(path))


def text(items: list[LoadItem]) -> str:
    return next(item.text for item in items if isinstance(item, Page))


def attachment(name: str, **more: Any) -> dict[str, Any]:
    return {"__properties_version1.0": bytes(8), **texts(_3707=name), **more}


def test_the_page_is_that_of_any_mail(tmp_path: Path) -> None:
    tree = message(_1000="年假可顺延至次年3月31日。\r\n\r\n祝好\r\n")
    tree["__attach_version1.0_#00000000"] = attachment("合同.pdf", **{"__substg1.0_37010102": b"x" * 3000})
    document, page = read(tmp_path, tree)
    assert isinstance(document, SourceDocument)
    assert (document.kind, document.title) == ("mail", "关于年假")
    assert text([page]) == (
        "发件人：张三 <zhang@example.com>\n收件人：李四; 王五\n"
        "日期：2024-07-15 01:30 +0000\n主题：关于年假\n\n"
        "年假可顺延至次年3月31日。\n\n祝好\n\n附件：合同.pdf (2.9 KB)\n"
    )


def test_texts_of_old_outlook_are_in_the_code_page_of_the_mail(tmp_path: Path) -> None:
    tree = {
        "__properties_version1.0": properties(32, codepage(0x3FFD, 936)),
        "__substg1.0_0037001E": "朱镕基会谈".encode("gbk") + b"\0",
        "__substg1.0_1000001E": "弹性".encode("gbk"),
    }
    document, page = read(tmp_path, tree)
    assert isinstance(document, SourceDocument)
    assert document.title == "朱镕基会谈"
    assert "弹性" in text([page])


def test_html_and_rtf_bodies(tmp_path: Path) -> None:
    html = message()
    html["__substg1.0_10130102"] = "<meta charset=gb2312><p>一线城市每晚550元。</p>".encode("gbk")
    assert "一线城市每晚550元。" in text(read(tmp_path, html))
    body = b"{\\rtf1\\ansi\\ansicpg936 \\'b5\\'af\\'d0\\'d4\\par}"
    rtf = message()
    rtf["__substg1.0_10090102"] = struct.pack("<IIII", len(body) + 12, len(body), 0x414C454D, 0) + body
    assert "弹性" in text(read(tmp_path, rtf))


def test_compressed_rtf_is_unpacked() -> None:
    # The two examples of [MS-OXRTFCP].
    simple = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert compressed.decompressed(simple) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    crossing = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert compressed.decompressed(crossing) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"


def test_a_mail_inside_the_mail_stands_below(tmp_path: Path) -> None:
    inner = message(_0037="原邮件", _1000="原来的内容。")
    inner["__properties_version1.0"] = bytes(24)
    tree = message(_1000="见下。")
    tree["__attach_version1.0_#00000000"] = attachment("原邮件", **{"__substg1.0_3701000D": inner})
    shown = text(read(tmp_path, tree))
    assert shown.index("见下。") < shown.index("主题：原邮件") < shown.index("原来的内容。")
    assert "附件" not in shown


def test_an_encrypted_mail_says_that_its_body_is_missing(tmp_path: Path) -> None:
    *_, missing = read(tmp_path, message(_001A="IPM.Note.SMIME"))
    assert isinstance(missing, Missing)
    assert missing.reason.code == "mail_encrypted"


def test_damaged_and_foreign_files_are_damaged(tmp_path: Path) -> None:
    whole = compound_file(message(_1000="内容" * 500))
    for data in (
        whole[:600],
        whole[:1500],
        whole[:512] + b"\xff" * 4000,
        compound_file({"WordDocument": b"x" * 99}),
    ):
        with pytest.raises(LoadFailed) as failed:
            read(tmp_path, data)
        assert failed.value.state is FileState.DAMAGED
