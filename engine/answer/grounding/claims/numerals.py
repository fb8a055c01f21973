"""Numbers written in words: Chinese numerals, also the financial ones (壹贰叁), and English number words."""

from decimal import Decimal

from engine.answer.grounding.claims import words

NUMERAL = "零〇一二两三四五六七八九十百千万亿廿卅"
"""Characters of a Chinese numeral once :func:`plain` has read the financial ones."""

_DIGIT = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALE = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}

# Only what is a numeral and nothing else; 陆 and 伍 are surnames, too, and stand beside others of these
# in sums.
_FINANCIAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟萬億", "一二三四五六七八九十百千万亿")
FINANCIAL = "壹贰叁肆伍陆柒捌玖拾佰仟"

_LONGEST = 30
"""Characters of a numeral; what is longer counts nothing."""

ENGLISH = {
    word: value
    for value, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
            "sixteen seventeen eighteen nineteen",
        )
    )
} | {word: 10 * value for value, word in enumerate(
    words("twenty thirty forty fifty sixty seventy eighty ninety"), start=2
)}  # fmt: skip
ENGLISH_ORDINALS = {
    word: value
    for value, word in enumerate(
        words("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"), start=1
    )
}


def plain(text: str) -> str:
    """Financial numerals as common ones, character by character."""
    return text.translate(_FINANCIAL)


def chinese_number(text: str) -> Decimal | None:
    """The value of a Chinese numeral (十二, 三千五百, 一点五, 二〇二四, 廿五), or None when it is none.

    Two digits side by side are a guess (三四个, 一两天) or a word (一一核对), not a number.
    """
    if len(text) > _LONGEST:
        return None
    whole, _, fraction = text.replace("廿", "二十").replace("卅", "三十").partition("点")
    value: int | None
    if whole and all(c in _DIGIT for c in whole):
        guess = len(whole) == 2 and not {"零", "〇"} & set(whole)
        value = None if guess else int("".join(str(_DIGIT[c]) for c in whole))
    else:
        value = _scaled(whole)
    if value is None or not all(c in _DIGIT for c in fraction):
        return None
    return Decimal(f"{value}.{''.join(str(_DIGIT[c]) for c in fraction) or 0}")


def _scaled(text: str) -> int | None:
    total = section = digit = largest = smallest = 0
    for character in text:
        if character in _DIGIT:
            if digit and character not in "零〇":
                return None  # 十二三个: a guess
            digit = _DIGIT[character]
            smallest = 1 if character in "零〇" else smallest
        elif character in _SCALE:
            section += (digit or 1) * _SCALE[character]
            digit, smallest = 0, _SCALE[character]
        elif character in _LARGE:
            if not (total or section or digit):
                return None
            scale, section = _LARGE[character], section + digit
            # 三亿五千万 adds to what stands before; 一万亿 multiplies it.
            total = (total + section) * scale if scale >= largest else total + section * scale
            largest, section, digit, smallest = scale, 0, 0, scale
        else:
            return None
    # 一万二 is 12,000 and 三百五 is 350; 一百零五 is 105.
    return total + section + (digit * smallest // 10 if digit and smallest >= 100 else digit)
