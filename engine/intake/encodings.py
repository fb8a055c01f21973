"""Bytes to text: the same answer on every machine, whatever its locale and optional libraries.

Order: byte order mark, seven-bit encodings that name themselves, strict UTF-8, the declared encoding,
GB18030 against its look-alikes by how common the resulting characters are, line by line, and the alphabets
of one byte a letter only as the last resort.
"""

import codecs
import re
from dataclasses import dataclass

_BOMS = (  # UTF-32 before UTF-16: its mark starts with the other one's
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
# What the labels mean in practice (the rule of WHATWG's encoding standard).
_MEANT = {
    "gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030", "gb_2312": "gb18030", "x-gbk": "gb18030",
    "cp936": "gb18030", "936": "gb18030", "hz-gb-2312": "hz", "big5": "big5hkscs", "cp950": "big5hkscs",
    "big5-hkscs": "big5hkscs", "x-x-big5": "big5hkscs", "shift_jis": "cp932", "sjis": "cp932",
    "x-sjis": "cp932", "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp_2", "iso-2022-kr": "iso2022_kr",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "iso-8859-1": "cp1252", "latin1": "cp1252",
    "ascii": "cp1252", "us-ascii": "cp1252", "utf8": "utf-8", "unicode": "utf-16-le",
}  # fmt: skip
# With how far each is trusted: GB text read as Korean looks half right, short texts read as anything.
_CANDIDATES = {
    "gb18030": 1.0, "big5hkscs": 0.9, "utf-16-le": 0.9, "utf-16-be": 0.9, "cp932": 0.9, "euc_jp": 0.9,
    "cp949": 0.6,
}  # fmt: skip
_SEVEN_BIT = frozenset({"iso2022_jp", "iso2022_jp_2", "iso2022_kr", "hz", "utf-7", "utf_7"})
_SHIFT_TO_JAPANESE = re.compile(rb"\x1b\$[@B]")
_SHORT = 16
_SAMPLE = 1 << 16
_PLAUSIBLE = 0.15
"""Running Chinese text has about 0.6 of its characters in ``_COMMON``, wrongly decoded text about 0.03."""

# The most frequent characters of written Chinese, simplified and traditional, and its punctuation.
_COMMON = frozenset(
    "，。、；：？！“”（）《》的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之"
    "年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什"
    "二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口"
    "认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队"
    "形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉"
    "格望觉术领共确传师观清今切院让识候带导争运"
    "這個們來為國說時會對發後裡經麼學現當沒動開從實軍無與長機關點業將兩間問並應戰頭體見產話門東聲員論處認條氣題爾別"
    "變總電數報結務場計資許統區隊決馬書聽達強難權設記類據邊張該規萬覺術領傳師觀讓識帶導爭運還進樣過於"
)
# The same for Korean: its whole block would take GB text read as UTF-16 for Korean.
_COMMON_KOREAN = frozenset(
    "이다는에의을를가은고하지로기도사어서나리아인해한자시그대스라들정있수보일제부것니요만되게전여면주"
    "과상장오음안으생적공무관원조소구성경동교개국신위우학발세중방회유치당년월내용민비모분단계물업화행"
    "간러했었없까며와거더선또마바야저운연결실체문항미반재통최명법작진출현및할된근력별율백천약"
)
_BREAKS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ESCAPES = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]")
_UNSAFE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """``confidence`` is 1 where the bytes leave no doubt; ``replaced`` counts U+FFFD put in."""

    text: str
    encoding: str
    confidence: float
    replaced: int = 0


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """The text of ``data`` without byte order mark and made :func:`safe`.

    ``declared`` is the file's own word for its encoding; valid UTF-8 wins over it.
    """
    for mark, name, codec in _BOMS:
        if data.startswith(mark):
            return _finish(data[len(mark) :].decode(codec, "replace"), name, 1.0)
    label = _codec(declared)
    if data.isascii() and (seven_bit := _seven_bit(data, label)) is not None:
        return seven_bit
    utf8 = _strict(data, "utf-8")
    # UTF-16 without a mark is valid UTF-8 as long as it is all ASCII, but full of NULs.
    if utf8 is not None and utf8.count("\0") * 4 <= len(utf8):
        return _finish(utf8, "utf-8", 1.0)
    if (torn := _torn_utf8(data)) is not None:
        return _finish(torn, "utf-8", 0.9)
    if label is not None and label not in ("utf-8", "cp1252"):
        labelled = _lenient(data, label)
        if labelled is not None and labelled.count("\ufffd") <= 1 + len(labelled) // 200:
            return _finish(labelled, label, 0.95)
    return _by_plausibility(data, label)


def safe(text: str) -> str:
    """``text`` with every line break as ``\\n`` and without characters that break files or displays."""
    text = _BREAKS.sub("\n", text)
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    text = _UNSAFE.sub("", text)
    return _SURROGATES.sub("\ufffd", text)


def joined(text: str) -> str:
    """``text`` with two halves of a character put together; a half that is alone becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def control_share(text: str) -> float:
    """Share of characters that no written text holds: the sign of bytes that are not text."""
    sample = _ESCAPES.sub("", text[:_SAMPLE])
    odd = sum(1 for char in sample if char == "\x7f" or (char < " " and char not in "\t\n\r\f\v"))
    return odd / max(1, len(sample))


def _by_plausibility(data: bytes, declared: str | None) -> Decoded:
    scored: dict[str, tuple[float, str]] = {}
    for codec, trust in _CANDIDATES.items():
        text = _strict(data, codec)
        if text is not None:
            scored[codec] = (_score(text) * trust, text)
    best = max(scored, key=lambda codec: scored[codec][0], default="")
    if len(data) < _SHORT and "gb18030" in scored:
        # Too few bytes to compare: what Chinese Windows would have written, or perhaps that of Taiwan.
        clearly = best == "big5hkscs" and scored["gb18030"][0] <= 0 and scored[best][0] >= 2 * _PLAUSIBLE
        codec = best if clearly else "gb18030"
        return _finish(scored[codec][1], codec, 0.5)
    if best and scored[best][0] >= _PLAUSIBLE:
        score, text = scored[best]
        return _finish(text, best, min(0.95, 0.5 + score))
    mixed = _line_by_line(data)
    if mixed is not None:
        return mixed
    if declared == "cp1252":
        return _finish(data.decode("cp1252", "replace"), "cp1252", 0.6)
    damaged = data.decode("gb18030", "replace")
    if _score(damaged) >= _PLAUSIBLE and damaged.count("\ufffd") <= 1 + len(damaged) // 50:
        return _finish(damaged, "gb18030", 0.5)
    alphabet = _alphabet(data)
    gb_score, gb_text = scored.get("gb18030", (-1.0, ""))
    if alphabet is not None and (alphabet.encoding == "cp1252" or gb_score < 0):
        return alphabet
    if gb_text and (gb_score >= 0 or best == "gb18030"):
        return _finish(gb_text, "gb18030", 0.3)
    return _finish(damaged, "gb18030", 0.1)


def _torn_utf8(data: bytes) -> str | None:
    """UTF-8 with a bad byte here and there, as at the end of a file that was cut off."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - bad if bad * 20 < len(text) or len(text) < 40 else 0
    return text if good >= max(3, 20 * (bad - 1)) else None


def _line_by_line(data: bytes) -> Decoded | None:
    """A log file whose writers used two encodings: each line is UTF-8 or else GB18030."""
    lines = data.split(b"\n")
    texts = [_strict(line, "utf-8") or _torn_utf8(line) for line in lines]
    utf8 = sum(1 for line, text in zip(lines, texts, strict=True) if text and not line.isascii())
    others = [line for line, text in zip(lines, texts, strict=True) if text is None]
    rest = "".join(line.decode("gb18030", "replace") for line in others)
    if not utf8 or _score(rest) < _PLAUSIBLE:
        return None
    joined = "\n".join(
        line.decode("gb18030", "replace") if text is None else text
        for line, text in zip(lines, texts, strict=True)
    )
    return _finish(joined, "utf-8+gb18030", 0.5)


def _seven_bit(data: bytes, declared: str | None) -> Decoded | None:
    """Text of bytes that are all ASCII and still mean other characters, as in Japanese mail."""
    if declared in _SEVEN_BIT:
        text = _lenient(data, declared)
        return _finish(text, declared, 0.95) if text is not None else None
    if _SHIFT_TO_JAPANESE.search(data[:_SAMPLE]):
        text = _strict(data, "iso2022_jp_2")
        return _finish(text, "iso2022_jp_2", 0.9) if text is not None else None
    return None


def _alphabet(data: bytes) -> Decoded | None:
    """Western text, or Russian in one of its two encodings; told apart by how many letters are not ASCII.

    Russian is written in small letters mostly, and the two have them in opposite halves.
    """
    sample = data[:_SAMPLE]
    high = sum(1 for byte in sample if byte >= 0xC0)
    ascii_letters = sum(1 for byte in sample if chr(byte).isascii() and chr(byte).isalpha())
    if any(byte < 0x20 and byte not in b"\t\n\v\f\r\x1b" for byte in sample):
        return None
    if high > ascii_letters:
        upper = sum(1 for byte in sample if byte >= 0xE0)
        codec = "cp1251" if upper * 2 >= high else "koi8-r"
        return _finish(data.decode(codec, "replace"), codec, 0.3)
    if high * 3 <= ascii_letters:
        return _finish(data.decode("cp1252", "replace"), "cp1252", 0.3)
    return None


def _score(text: str) -> float:
    """Share of the non-ASCII characters of ``text`` that are common, less twice the impossible ones."""
    good = bad = total = 0
    for char in text[:_SAMPLE]:
        if char < "\x80":
            bad += _is_odd(char)
            total += char == "\0"
            continue
        total += 1
        if char in _COMMON or "\u3041" <= char <= "\u30fa" or char in _COMMON_KOREAN:
            good += 1
        elif _is_odd(char) or "\ue000" <= char <= "\uf8ff" or char == "\ufffd":
            bad += 1
    return (good - 2 * bad) / total if total else 0.0


def _is_odd(char: str) -> bool:
    return (char < " " and char not in "\t\n\r\f\v") or "\x7f" <= char < "\xa0"


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None


def _lenient(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec, "replace")
    except (LookupError, UnicodeError):
        # Python also knows codecs that are no encodings of text (hex), or not forgiving (idna).
        return None


def _codec(declared: str | None) -> str | None:
    if not declared:
        return None
    name = declared.strip().strip("\"'").lower()
    name = _MEANT.get(name, name)
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return name


def _finish(text: str, encoding: str, confidence: float) -> Decoded:
    text = safe(text)
    return Decoded(text, encoding, round(confidence, 3), text.count("\ufffd"))
