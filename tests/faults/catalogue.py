"""One of each fault by name, with the states and reasons that are right for it."""

import os
from dataclasses import dataclass
from pathlib import Path

from engine.intake import legacy
from tests.faults import broken, good
from tests.faults.good import Maker, plain

READ: tuple[str | None, ...] = (None,)
DEEP = "/".join(["深"] * 40)
LONG_NAME = "长" * 83 + ".md"
"""253 bytes: a name that is made from it, with another suffix, may be too long for the disk."""


@dataclass(frozen=True)
class Fault:
    """A file to be made, the state it has to end in, and the reasons that explain it."""

    name: str
    make: Maker
    state: str = "indexed"
    reasons: tuple[str | None, ...] = READ


def catalogue(outside: Path) -> list[Fault]:
    """All that can be made on this system; ``outside`` is a folder for what stands elsewhere."""
    faults = _READ + _NAMES + _LEFT_OUT + _EMPTY + _DAMAGED + _LOCKED_OR_HARMFUL + _NOT_READ
    if legacy.find_program() is None:  # where there is a converter, it decides
        faults = faults + _OLD_OFFICE
    if os.name == "posix":
        faults = faults + _POSIX + [Fault("外面.txt", broken.link_to_file(outside))]
    return faults


_READ = [
    Fault("手册.pdf", good.pdf),
    Fault("制度.docx", good.word),
    Fault("宏.docm", good.word_with_macros),
    Fault("汇报.pptx", good.slides),
    Fault("台账.xlsx", good.sheet),
    Fault("台账.csv", good.csv),
    Fault("小说.epub", good.ebook),
    Fault("来信.eml", good.mail),
    Fault("旧信.rtf", good.rtf),
    Fault("开放.odt", good.opendocument),
    Fault("网页.html", good.html),
    Fault("存档.mhtml", good.saved_page),
    Fault("国标.txt", plain("gb18030")),
    Fault("大五码.txt", plain("big5", "本規定自發布之日起施行，由資訊處負責解釋。{text}\n")),
    Fault("记事本.txt", plain("utf-16")),
    Fault("零字符.txt", plain(form="前\0\0后\x0b\x1b[31m{text}\0\n")),
    Fault("分行符.txt", plain(form="第一行\u2028{text}\x0c第三\x85行\u2029")),
    Fault("一行.txt", good.repeated(50_000)),
    # A suffix that does not say what the file is, where the first bytes do.
    Fault("其实是PDF.txt", good.pdf),
    Fault("其实是Word.pdf", good.word),
    Fault("宏改名.docx", good.word_with_macros),
    Fault("大写.PDF", good.pdf),
    Fault("大写.TXT", plain()),
    Fault("没有后缀", plain()),
]

_NAMES = [
    Fault("📊报表🚀.md", plain()),
    Fault("a#b%20?[1]&;'$.txt" if os.name == "posix" else "a#b%20[1]&;'$.txt", plain()),
    Fault("报告.pdf.txt", plain()),
    Fault("Café ガイド.txt", plain()),
    Fault(LONG_NAME, plain()),
    Fault(f"{DEEP}/底.txt", plain()),
]

_LEFT_OUT = [
    Fault("~$合同.docx", broken.data(b"\x05zhang" + bytes(156)), "excluded", ("lock_file",)),
    Fault(".~lock.台账.ods#", plain(), "excluded", ("lock_file",)),
    Fault(".隐藏.txt", plain(), "excluded", ("hidden",)),
    Fault(".git", broken.folder_of("HEAD.txt"), "excluded", ("hidden",)),
    Fault("node_modules", broken.folder_of("readme.md"), "excluded", ("ignored",)),
    Fault("Thumbs.db", broken.data(broken.OLE_HEAD), "excluded", ("ignored",)),
]

_EMPTY = [
    Fault("空.txt", broken.nothing, "empty", ("zero_bytes",)),
    Fault("空.pdf", broken.nothing, "empty", ("zero_bytes",)),
    Fault("空.docx", broken.nothing, "empty", ("zero_bytes",)),
    Fault("空白.txt", plain(form=" \n\t\u3000\u200b\n"), "empty", ("no_text",)),
    Fault("空壳.html", plain(form="<div id=app></div><script>{text}</script>"), "empty", ("no_text",)),
]

_DAMAGED = [
    Fault("文字.pdf", plain(), "damaged", ("wrong_suffix",)),
    Fault("文字.docx", plain(), "damaged", ("wrong_suffix",)),
    Fault("文字.xlsx", plain(), "damaged", ("wrong_suffix",)),
    Fault("文字.epub", plain(), "damaged", ("wrong_suffix",)),
    Fault("断.pdf", broken.cut(good.pdf, 0.02), "damaged", ("damaged",)),
    Fault("断.docx", broken.cut(good.word, 0.6), "damaged", ("damaged_archive",)),
    Fault("断.xlsx", broken.cut(good.sheet, 0.6), "damaged", ("damaged_archive",)),
    Fault("断.pptx", broken.cut(good.slides, 0.6), "damaged", ("damaged_archive",)),
    Fault("断.epub", broken.cut(good.ebook, 0.6), "damaged", ("damaged_archive",)),
    Fault("断.odt", broken.cut(good.opendocument, 0.6), "damaged", ("damaged_archive",)),
    Fault("乱码.txt", broken.data(bytes(range(256)) * 8), "damaged", ("not_text",)),
    Fault("坏旧.doc", broken.data(broken.OLE_HEAD), "damaged", ("damaged",)),
]

_LOCKED_OR_HARMFUL = [
    Fault("加密.pdf", broken.locked_pdf, "needs_password", ("password_needed",)),
    Fault("加密.docx", broken.locked_word, "needs_password", ("password_needed",)),
    Fault("扫描.pdf", broken.pictures(), "needs_ocr", ("scanned",)),
    Fault("水印.pdf", broken.pictures("内部资料 请勿外传"), "needs_ocr", ("scanned",)),
    Fault("无映射.pdf", broken.unmapped, "unmapped_text", ("unmapped_text",)),
    Fault("炸弹.docx", broken.word_bomb, "over_budget", ("too_large",)),
    Fault("笑.docx", broken.laughing_word, "damaged", ("damaged", "loader_failed")),
    Fault("笑.html", broken.laughing_page),
    Fault("笑.epub", broken.laughing_book),
]

_NOT_READ = [
    Fault("五层.zip", broken.nested_archive, "unsupported", ("unsupported_type",)),
    Fault("包.7z", broken.data(b"7z\xbc\xaf\x27\x1c" + bytes(90)), "unsupported", ("unsupported_type",)),
    Fault("包.rar", broken.data(b"Rar!\x1a\x07\x01\x00" + bytes(90)), "unsupported", ("unsupported_type",)),
    Fault("照片.jpg", broken.data(b"\xff\xd8\xff\xe0" + bytes(90)), "unsupported", ("unsupported_type",)),
    Fault("程序", broken.data(b"\x7fELF\2\1\1" + bytes(90)), "unsupported", ("unsupported_type",)),
]

_OLD_OFFICE = [
    Fault("旧.doc", broken.data(broken.OLD_WORD), "unsupported", ("old_office",)),
    Fault("旧版.docx", broken.data(broken.OLD_WORD), "unsupported", ("old_office",)),
]

_POSIX = [
    Fault("CON.md", plain()),  # a device on Windows
    Fault(" 前后有空格 .txt", plain()),
    Fault("结尾空格.txt ", plain(), "unsupported", ("unsupported_type",)),
    Fault("两\n行.txt", plain()),
    Fault("管道.txt", broken.pipe, "unreadable", ("not_a_file",)),
    Fault("套接字.txt", broken.socket_file, "unreadable", ("not_a_file",)),
    Fault("自己.txt", broken.link("自己.txt"), "unreadable", ("not_a_file",)),
    Fault("断链.txt", broken.link("没有.txt"), "unreadable", ("vanished",)),
    Fault("无权.txt", broken.without_permission, "unreadable", ("no_permission",)),
]
