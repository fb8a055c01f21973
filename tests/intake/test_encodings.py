import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.intake.encodings import decode, safe

TEXT = "# 员工手册\n\n公司实行弹性工作制，核心工作时间为上午10时至下午4时。\n年假可顺延至次年3月31日。\n"
TRADITIONAL = "公司實行彈性工作制，核心工作時間為上午10時至下午4時。年假可順延至次年3月31日。\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16", "utf-16-le-bom", "utf-32"]
)
def test_the_same_text_from_every_encoding(encoding: str) -> None:
    data = b"\xff\xfe" + TEXT.encode("utf-16-le") if encoding.endswith("bom") else TEXT.encode(encoding)
    decoded = decode(data)
    assert decoded.text == TEXT
    assert decoded.replaced == 0


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        (TRADITIONAL, "big5", "big5hkscs"),
        (TEXT, "utf-16-be", "utf-16-be"),
        ("東京都の人口は約1400万人です。これは日本の総人口の一割を超えます。", "cp932", "cp932"),
        ("서울특별시의 인구는 약 구백사십만 명이며 수도이다.", "cp949", "cp949"),
        ("𠮷田和䶮先生在会议上发言，他们是公司的人。", "gb18030", "gb18030"),
        ("联通", "gbk", "gb18030"),
    ],
)
def test_look_alikes_are_told_apart_without_a_mark(text: str, codec: str, expected: str) -> None:
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding) == (text, expected)


def test_gb2312_means_gb18030_and_one_bad_byte_costs_one_character() -> None:
    sentence = "朱镕基、陈喆和𠮷田出席了会议。" * 30
    data = sentence.encode("gb18030")
    assert decode(data, "gb2312").text == sentence
    middle = len("朱镕基、陈喆和𠮷田出席了会议。".encode("gb18030")) * 15
    torn = decode(data[:middle] + b"\xff" + data[middle:], "gb2312")
    assert torn.replaced == 1
    assert sentence[:200] in torn.text


def test_valid_utf8_wins_over_its_label() -> None:
    assert decode(TEXT.encode(), "gbk").text == TEXT


def test_a_log_in_two_encodings_is_read_line_by_line() -> None:
    data = "第一行是用新程序写的。\n".encode() * 3 + "第二行是老程序写的，服务器型号。\n".encode("gbk") * 3
    assert decode(data).text.count("是") == 6


@pytest.mark.parametrize(
    "char", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\r", "\r\n"]
)
def test_every_line_break_becomes_one_newline(char: str) -> None:
    assert decode(f"第一行{char}第二行".encode()).text == "第一行\n第二行"


def test_harmful_characters_go() -> None:
    assert safe("弹\0性\x1b[31m工\x1b[0m作\ufeff制\ud800") == "弹性工作制\ufffd"


@given(st.text())
def test_any_utf8_survives_apart_from_what_is_unsafe(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    decoded = decode(data).text
    assert decoded == safe(decoded)
    assert len(decoded.splitlines()) <= decoded.count("\n") + 1


@given(st.binary(max_size=400), st.sampled_from([None, "gb2312", "utf-8", "big5", "nonsense", "hex", "idna"]))
def test_no_bytes_and_no_label_can_raise(data: bytes, label: str | None) -> None:
    decode(data, label)


@pytest.mark.parametrize("locale", ["C", "zh_CN.GBK"])
def test_the_locale_and_missing_libraries_change_nothing(locale: str) -> None:
    program = (
        "import sys; sys.modules['charset_normalizer'] = sys.modules['chardet'] = None\n"
        "from engine.intake.encodings import decode\n"
        f"text = {TEXT!a}\n"
        "for codec in ('utf-8', 'utf-8-sig', 'gbk', 'gb18030', 'utf-16'):\n"
        "    assert decode(text.encode(codec)).text == text, codec\n"
    )
    environment = {"PYTHONUTF8": "0", "LC_ALL": locale, "PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, timeout=60)


SENTENCES = [
    "广东省北部的铁路干线。德龙烟铁路西与德大铁路、黄大铁路在大家洼站接轨。",
    "个赛季，莱昂德罗内托辗转到葡萄牙发展，在2006赛季，他在上海申花的比赛下半场替补登场",
    "本手册适用于星桥科技有限公司全体正式员工，自2023年9月1日起施行。",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_chinese_is_not_taken_for_korean(text: str) -> None:
    # Read as UTF-16 or CP949, most bytes of simplified Chinese are Korean syllables.
    for length in range(8, len(text)):
        assert decode(text[:length].encode("gbk")).text == text[:length]


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        ("第一章　総則。本規程は、当社の従業員の就業に関する事項を定める。", "euc_jp", None),
        ("第一章　総則。本規程は、当社の従業員の就業に関する事項を定める。", "iso2022_jp", None),
        ("従業員", "iso2022_jp", "iso-2022-jp"),
        ("员工手册", "hz", "HZ-GB-2312"),
        ("员工手册", "utf-7", "utf-7"),
        ("서울특별시의 인구는 약 구백사십만 명이며 수도이다.", "euc_kr", "euc-kr"),
        ("L'été dernier, la société a coûté 3 €.", "cp1252", None),
        ("Компания ввела гибкий график работы.", "cp1251", None),
        ("Компания ввела гибкий график работы.", "koi8-r", None),
    ],
)
def test_other_writings(text: str, codec: str, label: str | None) -> None:
    assert decode(text.encode(codec), label).text == text


def test_utf8_that_is_cut_off_or_has_a_bad_byte_stays_utf8() -> None:
    data = "公司实行弹性工作制。".encode()
    for torn in (data[:-1], data * 30 + data[:-2], data + b"\xff" + data * 5, b"# " + data[:-1]):
        decoded = decode(torn)
        assert (decoded.encoding, decoded.replaced) == ("utf-8", 1)
        assert "公司实行弹性工作制" in decoded.text


def test_a_few_bytes_of_traditional_chinese() -> None:
    assert decode("聯絡人".encode("big5")).text == "聯絡人"
