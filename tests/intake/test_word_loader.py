import zipfile
from pathlib import Path

import docx
import pytest

from engine.documents import Page, SourceDocument
from engine.intake.loaders import LoadFailed, load


def word(path: Path) -> tuple[SourceDocument, Page]:
    document, page = load(path)
    assert isinstance(document, SourceDocument)
    assert isinstance(page, Page)
    for heading in page.headings:
        assert page.text[heading.offset :].startswith(heading.text + "\n")
    return document, page


def test_paragraphs_tables_and_headings_in_order(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("采购制度", 1)
    made.add_paragraph("单笔金额在两万元以下的，由部门经理审批。")
    made.add_heading("预算", 2)
    table = made.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "合并的表头"
    table.cell(0, 2).text = "负责人"
    for column, text in enumerate(["预算", "100", "200"]):
        table.cell(1, column).text = text
    table.cell(1, 0).add_paragraph("第二段")
    table.cell(1, 2).merge(table.cell(2, 2))
    made.add_heading("附则", 1)
    made.save(str(tmp_path / "制度.docx"))
    document, page = word(tmp_path / "制度.docx")
    assert document.title == "采购制度"
    assert [(heading.level, heading.text) for heading in page.headings] == [
        (1, "采购制度"), (2, "预算"), (1, "附则"),
    ]  # fmt: skip
    assert page.text == (
        "采购制度\n\n单笔金额在两万元以下的，由部门经理审批。\n\n预算\n\n合并的表头 | 负责人\n"
        "预算 第二段 | 100 | 200\n\n附则\n\n"
    )


def body(inner: str) -> str:
    return (
        '<?xml version="1.0"?><w:document '
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<w:body>{inner}</w:body></w:document>"
    )


def pack(path: Path, inner: str, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", body(inner))
        for name, text in parts.items():
            archive.writestr(f"word/{name}.xml", text)
    return path


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_insertions_controls_and_boxes_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    box = f"<w:txbxContent><w:p>{run('框里的字')}</w:p></w:txbxContent>"
    _, page = word(
        pack(
            tmp_path / "修订.docx",
            f"<w:p>{run('金额在')}<w:del><w:r><w:delText>10万</w:delText></w:r></w:del>"
            f"<w:ins>{run('15万')}</w:ins>{run('以上')}</w:p>"
            f"<w:sdt><w:sdtContent><w:p>{run('控件里')}</w:p></w:sdtContent></w:sdt>"
            f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
            f"</mc:AlternateContent></w:r></w:p>"
            f"<w:p>{run('有脚注')}<w:r><w:footnoteReference w:id='2'/></w:r></w:p>",
            footnotes=body("")
            .replace("w:document", "w:footnotes")
            .replace("<w:body></w:body>", "")
            .replace(
                "</w:footnotes>",
                f"<w:footnote w:id='2'><w:p>{run('脚注正文')}</w:p></w:footnote></w:footnotes>",
            ),
        )
    )
    assert page.text.split() == ["金额在15万以上", "控件里", "框里的字", "有脚注", "脚注正文"]


def test_every_bad_file_has_a_reason_of_its_own(tmp_path: Path) -> None:
    ole = bytes.fromhex("D0CF11E0A1B11AE1")
    bad = {
        "旧版.docx": (ole + b"\0" * 600, "unsupported", "old_office"),
        "旧版.doc": (ole + b"\0" * 600, "unsupported", "old_office"),
        "加密.docx": (ole + "EncryptedPackage".encode("utf-16-le"), "needs_password", "password_needed"),
        "空.docx": (b"", "empty", "zero_bytes"),
        "断.docx": (b"PK\x03\x04" + b"\0" * 100, "damaged", "damaged_archive"),
        "文字.docx": ("其实是文字".encode(), "damaged", "wrong_suffix"),
        "文字.pdf": ("其实是文字".encode(), "damaged", "wrong_suffix"),
    }
    for name, (data, state, code) in bad.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(LoadFailed) as caught:
            list(load(tmp_path / name))
        assert (caught.value.state, caught.value.reason.code) == (state, code), name


def test_a_renamed_file_is_read_by_its_content(tmp_path: Path) -> None:
    pack(tmp_path / "宏.docm", f"<w:p>{run('带宏')}</w:p>")
    pack(tmp_path / "改名.pdf", f"<w:p>{run('其实是Word')}</w:p>")
    assert word(tmp_path / "宏.docm")[1].text == "带宏\n"
    assert word(tmp_path / "改名.pdf")[0].kind == "word"


def test_archives_that_swell_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "炸弹.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * (80 << 20))
    with pytest.raises(LoadFailed) as caught:
        list(load(tmp_path / "炸弹.docx"))
    assert caught.value.state == "over_budget"


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("机密内容", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "实体.docx", "w") as archive:
        document = body(f"<w:p>{run('前&x;后')}</w:p>").replace(
            '<?xml version="1.0"?>',
            f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
        )
        archive.writestr("word/document.xml", document)
    assert "机密" not in word(tmp_path / "实体.docx")[1].text
