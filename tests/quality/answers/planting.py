"""One wrong detail planted into a right statement, by rules written apart from what the product reads."""

import random
import re
import unicodedata
from collections.abc import Callable, Sequence

from tests.quality.answers.paraphrasing import chinese
from tests.quality.answers.statements import Case, split

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(
    rf"\d{{4}}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?|(?:{_MONTHS})(?: \d{{1,2}},)? \d{{4}}|\d{{1,2}}月\d{{1,2}}日"
)
_NUMBER = re.compile(
    r"(?<![\dA-Za-z.,/:〔\[(-])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\dA-Za-z.,/:〔\[(-])\d+(?:\.\d+)?(?![\dA-Za-z/:-])"
)
_NUMERAL = re.compile(
    r"(?<![第一二三四五六七八九十百千万几数])[二三四五六七八九十两][一二三四五六七八九十百千万]*(?=[个名位家项天岁年米])"
)
_UNITS = (
    ("万元", "亿元"), ("亿元", "万元"), ("万美元", "万元"), ("公里", "米"), ("千米", "米"),
    ("个月", "年"), ("小时", "分钟"),
    ("天", "个月"), ("%", "‰"), ("％", "‰"), ("公斤", "克"), ("千克", "克"), ("吨", "公斤"),
    ("平方公里", "平方米"), ("米", "公里"),
    ("年", "个月"), ("元", "万元"), ("岁", "个月"), ("人", "万人"), (" million", " billion"),
    (" billion", " million"),
    (" years", " months"), (" months", " days"), (" days", " weeks"), (" hours", " minutes"),
    (" percent", " points"),
    (" km", " m"), (" miles", " km"), ("mg", "g"), ("℃", "米"),
)  # fmt: skip
_ASKS_NAME = re.compile(
    r"谁|哪|什么名|何人|何地|何处|叫什么|名字|[Ww]ho|[Ww]here|[Ww]hich|[Ww]hat is the name"
)
_NEGATE = (
    ("不得", "可以"), ("没有", "有"), ("未", "已"), ("无法", "可以"), ("不能", "能"), ("不会", "会"),
    ("不是", "是"), ("并非", "是"),
    ("禁止", "允许"), ("是一", "不是一"), ("可以", "不可以"), ("必须", "不必"), ("应当", "不应当"),
    ("应", "不应"), ("能够", "不能够"),
    ("位于", "不位于"), ("包括", "不包括"), ("属于", "不属于"), ("成为", "没有成为"),
    ("获得", "没有获得"), ("担任", "没有担任"),
    ("参加", "没有参加"), ("进行", "没有进行"), ("决定", "没有决定"), ("是", "不是"),
    (" did not ", " did "), (" was not ", " was "), (" is not ", " is "), (" cannot ", " can "),
    (" was ", " was not "),
    (" is ", " is not "), (" were ", " were not "), (" are ", " are not "), (" has ", " has not "),
    (" can ", " cannot "),
    (" will ", " will not "), (" had ", " had not "),
)  # fmt: skip
_COMPARE = (
    ("不超过", "不少于"), ("不低于", "不高于"), ("以上", "以下"), ("以下", "以上"), ("至少", "至多"),
    ("超过", "低于"), ("高于", "低于"),
    ("低于", "高于"), ("增加", "减少"), ("减少", "增加"), ("增长", "下降"), ("下降", "增长"),
    ("提高", "降低"), ("提升", "降低"),
    ("降低", "提高"), ("上升", "下降"), ("扩大", "缩小"), ("最大", "最小"), ("最高", "最低"),
    ("之前", "之后"), ("以前", "以后"),
    ("之后", "之前"), ("最早", "最晚"), ("以内", "以外"), ("盈利", "亏损"), ("不足", "超过"),
    ("more than", "less than"), ("less than", "more than"), ("increased", "decreased"),
    ("increase", "decrease"),
    ("decreased", "increased"), ("at least", "at most"), ("higher", "lower"), ("lower", "higher"),
    ("largest", "smallest"),
    ("before", "after"), ("after", "before"), ("reduced", "increased"), ("highest", "lowest"),
    ("rose", "fell"),
    ("growth", "decline"), ("improved", "worsened"),
)  # fmt: skip

Planted = tuple[str, str]
"""The statement with the error, and what was put in."""


def _text(case: Case) -> str:
    return unicodedata.normalize("NFKC", "\n".join(f"{title}\n{text}" for _, title, text in case.passages))


def _replaced(text: str, match: re.Match[str], new: str) -> Planted:
    return text[: match.start()] + new + text[match.end() :], new


def _free_numbers(text: str) -> list[re.Match[str]]:
    dates = [match.span() for match in _DATE.finditer(text)]
    return [
        m for m in _NUMBER.finditer(text)
        if not any(a <= m.start() < b for a, b in dates)
        and not (m.start() < 3 and re.match(r"[.、]", text[m.end() :]))
        and not re.match(r"[月日年]", text[m.end() :])
    ]  # fmt: skip


def number(case: Case, statement: str, chance: random.Random) -> Planted | None:
    """A number that occurs nowhere."""
    text = _text(case)
    found = [*_free_numbers(statement), *_NUMERAL.finditer(statement)]
    if not found:
        return None
    match = chance.choice(found)
    for _ in range(30):
        if match[0][0].isdigit():
            old = match[0].replace(",", "")
            new = str(chance.randint(2, 10 ** len(old.split(".")[0]) + 9)) + (
                f".{chance.randint(1, 9)}" if "." in old else ""
            )
            if "," in match[0] and "." not in new:
                new = f"{int(new):,}"
            plain = new.replace(",", "")
            words = chinese(int(plain)) if plain.isdigit() and int(plain) < 10**7 else plain
        else:
            value = chance.randint(2, 29)
            plain, new = str(value), chinese(value)
            words = new
        if plain not in text.replace(",", "") and words not in text and new != match[0]:
            return _replaced(statement, match, new)
    return None


def number_elsewhere(case: Case, statement: str, chance: random.Random) -> Planted | None:
    """A number that the evidence says of something else."""
    found = _free_numbers(statement)
    rest = [
        s
        for _, _, t in case.passages
        for s in split(t)
        if s not in case.statement and case.statement not in s
    ]
    values = sorted(
        {m[0] for s in rest for m in _free_numbers(s)} - {m[0] for m in _NUMBER.finditer(case.statement)}
    )
    held = {m[0].replace(",", "") for m in _NUMBER.finditer(case.statement + statement)}
    values = [value for value in values if value.replace(",", "") not in held]
    if not found or not values:
        return None
    return _replaced(statement, chance.choice(found), chance.choice(values))


def date(case: Case, statement: str, chance: random.Random) -> Planted | None:
    """A date that occurs nowhere."""
    found = list(_DATE.finditer(statement))
    if not found:
        return None
    match, text = chance.choice(found), _text(case)
    for _ in range(30):
        parts = list(re.finditer(rf"\d+|{_MONTHS}", match[0]))
        part = chance.choice(parts)
        if part[0].isdigit() and len(part[0]) == 4:
            new = str(int(part[0]) + chance.choice([-3, -2, -1, 1, 2, 3]))
        elif part[0].isdigit():
            new = str(chance.randint(1, 12))
        else:
            new = chance.choice(_MONTHS.split("|"))
        changed = match[0][: part.start()] + new + match[0][part.end() :]
        if unicodedata.normalize("NFKC", changed) not in text and changed != match[0]:
            return _replaced(statement, match, changed)
    return None


def date_elsewhere(case: Case, statement: str, chance: random.Random) -> Planted | None:
    """A date that the evidence says of something else, of the same form."""
    found = list(_DATE.finditer(statement))
    if not found:
        return None
    match = chance.choice(found)

    def form(text: str) -> str:
        return re.sub(r"\d+", "0", re.sub(_MONTHS, "M", text))

    rest = [
        s
        for _, _, t in case.passages
        for s in split(t)
        if s not in case.statement and case.statement not in s
    ]
    values = sorted({
        m[0] for s in rest for m in _DATE.finditer(s)
        if form(m[0]) == form(match[0]) and m[0] not in case.statement
    })  # fmt: skip
    return _replaced(statement, match, chance.choice(values)) if values else None


def unit(case: Case, statement: str, chance: random.Random) -> Planted | None:
    """The right number with another unit."""
    for old, new in chance.sample(_UNITS, len(_UNITS)):
        # 12年 may be a year of an era or a date: only what counts is changed.
        match = re.search(
            rf"(?<=[\d一二三四五六七八九十百千万亿])(?<!\d{{4}}){re.escape(old)}(?![\u4e00-\u9fff]?月|\w*代|度)",
            statement,
        )
        if match and old == "年" and not re.search(r"(?<!\d)\d{1,2}$", statement[: match.start()]):
            continue
        if match and new not in statement:
            return _replaced(statement, match, new)
    return None


def name(case: Case, statement: str, chance: random.Random, others: Sequence[str] = ()) -> Planted | None:
    """The name that was asked for replaced by the answer to another question of this kind."""
    if not _ASKS_NAME.search(case.question) or case.gold not in statement or re.search(r"\d", case.gold):
        return None
    text = _text(case)
    han = bool(re.search(r"[\u4e00-\u9fff]", case.gold))
    if not 2 <= len(case.gold) <= (12 if han else 40) or (not han and not case.gold[0].isupper()):
        return None
    fitting = [
        other for other in others
        if other not in text and not re.search(r"[。、，,.\d]", other)
        and bool(re.search(r"[\u4e00-\u9fff]", other)) == han
        and 2 <= len(other) <= (12 if han else 40) and (han or other[0].isupper())
    ]  # fmt: skip
    if not fitting:
        return None
    new = chance.choice(fitting)
    return statement.replace(case.gold, new, 1), new


def name_elsewhere(
    case: Case, statement: str, chance: random.Random, others: Sequence[str] = ()
) -> Planted | None:
    """The name that was asked for replaced by another one of the same document."""
    text = _text(case)
    if not _ASKS_NAME.search(case.question) or case.gold not in statement or re.search(r"\d", case.gold):
        return None
    fitting = [
        o for o in case.others
        if o in others and o in text and o not in statement and 2 <= len(o) <= 20
        and not re.search(r"\d|[。、，,.]", o) and (o[0].isupper() or re.match(r"[\u4e00-\u9fff《]", o))
    ]  # fmt: skip
    if not fitting or not 2 <= len(case.gold) <= 20:
        return None
    new = chance.choice(fitting)
    return statement.replace(case.gold, new, 1), new


def _swapped(pairs: Sequence[tuple[str, str]]) -> Callable[[Case, str, random.Random], Planted | None]:
    def plant(case: Case, statement: str, chance: random.Random) -> Planted | None:
        start = "" if re.search("[\u4e00-\u9fff]", statement) else r"\b"
        for old, new in pairs:
            pattern = start + re.escape(old) + start if old.strip() == old else re.escape(old)
            match = re.search(pattern + ("(?![来婚成知])" if old == "未" else ""), statement)
            if match:
                return _replaced(statement, match, new)
        return None

    return plant


negation = _swapped(_NEGATE)
comparison = _swapped(_COMPARE)

PLAIN: dict[str, Callable[[Case, str, random.Random], Planted | None]] = {
    "number": number, "number elsewhere": number_elsewhere, "date": date, "date elsewhere": date_elsewhere,
    "unit": unit, "negation": negation, "comparison": comparison,
}  # fmt: skip
NAMED = {"name": name, "name elsewhere": name_elsewhere}


def asked_names(questions: Sequence[dict[str, object]]) -> list[str]:
    """The answers of a set to questions for a name."""
    return [
        str(item["answers"][0]) for item in questions  # type: ignore[index]
        if _ASKS_NAME.search(str(item["question"]))
    ]  # fmt: skip
