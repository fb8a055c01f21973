"""The same said in other forms, by rules that change no fact: how numbers and dates are written, the order of
clauses, common synonyms, what a sentence begins with. Written apart from what the product reads."""

import random
import re
from collections.abc import Callable

_DIGITS = "零一二三四五六七八九"
_WIDE = str.maketrans("0123456789%", "０１２３４５６７８９％")
_SYNONYMS = (
    ("位于", "坐落于"), ("任命", "委任"), ("但是", "不过"), ("因为", "由于"), ("并且", "而且"),
    ("开始", "着手"),
    ("增加", "增长"), ("购买", "购置"), ("立即", "马上"), ("公布", "发布"), ("建立", "设立"),
    ("成立于", "创立于"),
    ("包括", "包含"), ("全部", "所有"), ("帮助", "协助"), ("需要", "须"), ("称为", "叫作"), ("提高", "提升"),
    ("大约", "约"), ("居住", "生活"), ("主要", "主要地"), ("目前", "现在"), ("使用", "采用"),
    ("完成", "做完"),
    ("按照", "依照"), ("进行", "开展"), ("决定", "作出决定"), ("为了", "为"), ("问题", "难题"),
    ("不得", "不可以"),
    ("禁止", "严禁"), ("没有", "并没有"), ("低于", "不到"), ("超过", "多于"),
    ("appointed", "named"), ("approximately", "about"), ("located in", "situated in"), ("began", "started"),
    ("however", "but"), ("large", "big"), ("purchased", "bought"), ("established", "founded"),
    ("also", "in addition"),
    ("show", "demonstrate"), ("help", "assist"), ("received", "got"), ("built", "constructed"),
    ("increased", "rose"),
    ("did not", "didn't"), ("was not", "wasn't"), ("is not", "isn't"), ("cannot", "can't"),
)  # fmt: skip
_MONTHS = [
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
]  # fmt: skip


def chinese(number: int) -> str:
    """A whole number below 100,000,000 in Chinese numerals."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        return chinese(high) + "万" + (("零" if low < 1000 else "") + chinese(low) if low else "")
    words, skipped = "", False
    for power, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            words += ("零" if skipped and words else "") + _DIGITS[digit] + unit
            skipped = False
        else:
            skipped = True
    return words.removeprefix("一") if words.startswith("一十") else words or "零"


def numerals(text: str, chance: random.Random) -> str:
    """10个 as 十个."""
    return re.sub(
        r"(?<![\d.,年月/:-])([1-9]\d{0,3})(?=(?:个|名|位|家|项|天|次|人|岁|米|公里|小时|年(?!\d)))(?![\d.,])",
        lambda m: chinese(int(m[1])) if int(m[1]) < 1900 else m[1], text,
    )  # fmt: skip


def digits(text: str, chance: random.Random) -> str:
    """三个 as 3个, 二〇二三年 as 2023年."""
    text = re.sub(
        r"[一二][零〇一二三四五六七八九]{3}(?=年)",
        lambda m: "".join(str(max(_DIGITS.find(c), 0)) for c in m[0].replace("〇", "零")), text,
    )  # fmt: skip
    return re.sub(
        r"(?<![第一二三四五六七八九十百千万几数多])([二三四五六七八九])(?=(?:个|名|位|家|项|天|岁|米|公里))",
        lambda m: str(_DIGITS.index(m[1])), text,
    )  # fmt: skip


def separators(text: str, chance: random.Random) -> str:
    """12600 as 12,600 and the other way round."""
    if re.search(r"\d,\d{3}", text):
        return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return re.sub(r"(?<![\d.年/-])([1-9]\d{4,8})(?![\d.年])", lambda m: f"{int(m[1]):,}", text)


def wide(text: str, chance: random.Random) -> str:
    return text.translate(_WIDE)


def iso(text: str, chance: random.Random) -> str:
    """2024年3月1日 as 2024-03-01 or 2024/3/1; March 1, 2024 as 2024-03-01 and 1 March 2024."""
    form = "{0}-{1:02}-{2:02}" if chance.random() < 0.5 else "{0}/{1}/{2}"
    text = re.sub(
        r"(\d{4})年(\d{1,2})月(\d{1,2})日", lambda m: form.format(int(m[1]), int(m[2]), int(m[3])), text
    )
    return re.sub(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}}), (\d{{4}})", lambda m: f"{m[2]} {m[1]} {m[3]}", text)


def large(text: str, chance: random.Random) -> str:
    """5000万元 as 50,000,000元 or 0.5亿元; 3亿 as 30000万; $5 million as $5,000,000."""
    text = re.sub(r"(?<![\d.])(\d+)万(?=元|人)", lambda m: f"{int(m[1]) * 10_000:,}", text)
    text = re.sub(r"(?<![\d.])(\d+)亿(?=元)", lambda m: f"{int(m[1]) * 10_000}万", text)
    return re.sub(r"\$(\d+) million", lambda m: f"${int(m[1]) * 1_000_000:,}", text)


def percent(text: str, chance: random.Random) -> str:
    text = re.sub(r"百分之([一二三四五六七八九])(?![十百点])", lambda m: f"{_DIGITS.index(m[1])}%", text)
    return re.sub(
        r"(\d+(?:\.\d+)?)[%％]", r"百分之\1" if re.search("[\u4e00-\u9fff]", text) else r"\1 percent", text
    )


def units(text: str, chance: random.Random) -> str:
    for one, other in (
        ("公里", "千米"),
        ("公斤", "千克"),
        ("℃", "摄氏度"),
        ("小时", "个小时"),
        ("平方公里", "平方千米"),
    ):
        if re.search(rf"\d\s*{one}", text):
            return re.sub(rf"(?<=\d)\s*{one}", other, text)
    return text


def clauses(text: str, chance: random.Random) -> str:
    """The last clause left out, or the first put last."""
    end = text[-1] if text[-1] in "。." else ""
    parts = re.split(r"[，；]", text.removesuffix(end))
    if len(parts) < 3:
        return text
    if chance.random() < 0.5:
        return "，".join(parts[:-1]) + end
    return "，".join([*parts[1:], parts[0]]) + end


def synonyms(text: str, chance: random.Random) -> str:
    for old, new in _SYNONYMS:
        text = text.replace(old, new)
    return text


def led_in(text: str, chance: random.Random) -> str:
    if re.search("[\u4e00-\u9fff]", text):
        return chance.choice(["根据资料，", "资料显示，", "资料中提到，", "简单来说，"]) + text
    return (
        chance.choice(["According to the documents, ", "The sources say that "]) + text[0].lower() + text[1:]
        if not text.split()[0].istitle() or text.split()[0] in {"The", "In", "A", "It", "This"}
        else text
    )


def spoken(text: str, chance: random.Random) -> str:
    """Active to passive with 由 and 被 by hand-made pairs; 的 left out."""
    text = re.sub(r"由([\u4e00-\u9fff]{2,8})负责", r"\1负责", text)
    return text.replace("进行了", "作了").replace("的时候", "时")


RULES: dict[str, Callable[[str, random.Random], str]] = {
    "numerals": numerals, "digits": digits, "separators": separators, "wide": wide, "iso": iso,
    "large": large,
    "percent": percent, "units": units, "clauses": clauses, "synonyms": synonyms, "led_in": led_in,
    "spoken": spoken,
}  # fmt: skip


def paraphrase(text: str, chance: random.Random) -> str:
    """One to four of the rules that change something, one after the other."""
    wanted = chance.randint(1, 4)
    for rule in chance.sample(list(RULES), len(RULES)):
        changed = RULES[rule](text, chance)
        if changed != text:
            text, wanted = changed, wanted - 1
        if not wanted:
            break
    return text
