"""Numbers as word processors print them in front of paragraphs: 3, iii, C, 三, 叁, 丙, ③."""

_DIGITS = "零一二三四五六七八九"
_LEGAL_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_UNITS = ("", "十", "百", "千")
_LEGAL_UNITS = ("", "拾", "佰", "仟")
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_LIMIT = 10_000


def numeral(value: int, form: str) -> str:
    """``value`` in WordprocessingML's number format ``form``; in digits where the form has no more."""
    if not 0 < value < _LIMIT:
        return str(value)
    match form:
        case "none":
            return ""
        case "decimalZero":
            return f"{value:02}"
        case "upperRoman":
            return _roman(value)
        case "lowerRoman":
            return _roman(value).lower()
        case "upperLetter":
            return _letter(value)
        case "lowerLetter":
            return _letter(value).lower()
        case "chineseCounting" | "chineseCountingThousand" | "japaneseCounting" | "taiwaneseCounting" \
            | "taiwaneseCountingThousand":  # fmt: skip
            return _chinese(value, _DIGITS, _UNITS).removeprefix("一" if 10 <= value < 20 else "")
        case "chineseLegalSimplified" | "ideographLegalTraditional" | "japaneseLegal":
            return _chinese(value, _LEGAL_DIGITS, _LEGAL_UNITS)
        case "ideographDigital" | "taiwaneseDigital" | "japaneseDigitalTenThousand":
            return "".join("〇" if digit == "0" else _DIGITS[int(digit)] for digit in str(value))
        case "ideographTraditional" if value <= len(_STEMS):
            return _STEMS[value - 1]
        case "ideographZodiac" if value <= len(_BRANCHES):
            return _BRANCHES[value - 1]
        case "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" if value <= 20:
            return chr(0x2460 + value - 1)
        case "decimalEnclosedParen":
            return f"({value})"
        case "decimalEnclosedFullstop":
            return f"{value}."
        case "decimalFullWidth" | "decimalFullWidth2":
            return str(value).translate(_FULL_WIDTH)
        case _:
            return str(value)


def _roman(value: int) -> str:
    text = ""
    for worth, sign in _ROMAN:
        text += sign * (value // worth)
        value %= worth
    return text


def _letter(value: int) -> str:
    """A to Z, then AA, BB and so on, as Word counts."""
    times, place = divmod(value - 1, 26)
    return chr(ord("A") + place) * min(times + 1, 20)


def _chinese(value: int, digits: str, units: tuple[str, ...]) -> str:
    text, skipped = "", False
    for place in reversed(range(4)):
        digit = value // 10**place % 10
        if digit:
            text += (digits[0] if skipped and text else "") + digits[digit] + units[place]
        skipped = not digit
    return text
