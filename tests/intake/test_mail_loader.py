from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.documents import FileState, Page, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, load


def read(tmp_path: Path, data: bytes | EmailMessage, name: str = "信.eml") -> list[LoadItem]:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.as_bytes())
    return list(load(path))


def text(items: list[LoadItem]) -> str:
    page = next(item for item in items if isinstance(item, Page))
    for heading in page.headings:
        assert page.text[heading.offset :].startswith(heading.text + "\n")
    return page.text


def letter(subject: str = "关于年假", body: str = "年假可顺延至次年3月31日。") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "张三 <zhang@example.com>"
    message["To"] = "李四 <li@example.com>, wang@example.com"
    message["Date"] = "Mon, 15 Jul 2024 09:30:00 +0800"
    message["Subject"] = subject
    message.set_content(body)
    return message


def test_header_body_and_attachments(tmp_path: Path) -> None:
    message = letter()
    message.add_attachment(b"x" * 3000, maintype="application", subtype="pdf", filename="合同 最终版.pdf")
    document, page = read(tmp_path, message)
    assert isinstance(document, SourceDocument)
    assert (document.kind, document.title) == ("mail", "关于年假")
    assert text([page]) == (
        "发件人：张三 <zhang@example.com>\n收件人：李四 <li@example.com>, wang@example.com\n"
        "日期：2024-07-15 09:30 +0800\n主题：关于年假\n\n年假可顺延至次年3月31日。\n\n"
        "附件：合同 最终版.pdf (3.0 KB)\n"
    )


def test_labels_are_in_the_language_of_the_mail(tmp_path: Path) -> None:
    shown = text(read(tmp_path, letter("Leave", "You may carry five days over.")))
    assert "Subject: Leave\n\nYou may carry" in shown


def test_headers_of_old_and_careless_programs(tmp_path: Path) -> None:
    subject = "朱镕基与𠮷田的会谈纪要".encode("gb18030")
    # Two words that tear a character apart, as programs do that fold by bytes.
    words = [b"=?gb2312?B?" + b64encode(part) + b"?=" for part in (subject[:5], subject[5:])]
    data = (
        b"Subject: " + b"\r\n ".join(words) + b"\r\nFrom: \xc0\xee\xcb\xc4 <li@example.com>\r\n"
        b"To: =?x-unknown-8bit?Q?=D5=C5=C8=FD?= <z@example.com>\r\nDate: nonsense\r\n"
        b'Content-Type: text/plain; charset="gb_nonsense"\r\n\r\n' + "公司实行弹性工作制。".encode("gbk")
    )
    document, page = read(tmp_path, data)
    assert isinstance(document, SourceDocument)
    assert document.title == "朱镕基与𠮷田的会谈纪要"
    for part in ("李四 <li@", "张三 <z@", "日期：nonsense", "公司实行弹性工作制。"):
        assert part in text([page])


def test_japanese_mail_in_seven_bits(tmp_path: Path) -> None:
    data = b"Subject: a\r\nContent-Type: text/plain; charset=iso-2022-jp\r\n\r\n" + "従業員の就業".encode(
        "iso2022_jp"
    )
    assert "従業員の就業" in text(read(tmp_path, data))


def test_html_is_shown_where_plain_text_says_nothing(tmp_path: Path) -> None:
    html = (
        "<style>x</style><h2>住宿</h2><p>一线城市每晚550元。</p><table><tr><td>北京</td><td>550</td></tr></table>"
        * 2
    )
    for plain, expected in (
        ("请使用支持HTML的软件", True),
        ("住宿：一线城市每晚550元。北京 550。" * 2, False),
    ):
        message = letter(body=plain)
        message.add_alternative(html, subtype="html")
        shown = text(read(tmp_path, message))
        assert ("北京 | 550" in shown) is expected
        assert "x" not in shown.replace("example", "")


def test_mails_inside_mails_stand_below(tmp_path: Path) -> None:
    outer = letter("转发", "见下。")
    outer.add_attachment(letter("原邮件", "原来的内容。"))
    shown = text(read(tmp_path, outer))
    assert shown.index("见下。") < shown.index("主题：原邮件") < shown.index("原来的内容。")


def test_an_encrypted_mail_says_that_its_body_is_missing(tmp_path: Path) -> None:
    message = letter()
    message.set_content(b"0" * 100, maintype="application", subtype="pkcs7-mime", filename="smime.p7m")
    *_, page, missing = read(tmp_path, message)
    assert "smime.p7m" in text([page])
    assert isinstance(missing, Missing)
    assert missing.reason.code == "mail_encrypted"


def test_a_mail_that_is_cut_off_is_partial(tmp_path: Path) -> None:
    message = letter()
    message.add_attachment(b"x" * 3000, maintype="application", subtype="pdf", filename="a.pdf")
    *_, missing = read(tmp_path, message.as_bytes()[:-1500])
    assert isinstance(missing, Missing)
    assert missing.reason.code == "cut_short"


def test_what_is_no_mail_is_refused(tmp_path: Path) -> None:
    for data in ("只是一段文字。\n".encode(), bytes(range(256)) * 20):
        with pytest.raises(LoadFailed) as failed:
            read(tmp_path, data)
        assert failed.value.state is FileState.DAMAGED


def test_deep_nesting_is_no_problem(tmp_path: Path) -> None:
    inner = b"Content-Type: text/plain\r\n\r\nx\r\n"
    for depth in range(1500):
        mark = b"b%d" % depth
        inner = b"Content-Type: multipart/mixed; boundary=" + mark + b"\r\n\r\n--" + mark + b"\r\n" + inner
    try:
        read(tmp_path, b"Subject: a\r\n" + inner)
    except LoadFailed as failed:
        assert failed.state is FileState.DAMAGED
