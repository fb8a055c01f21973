"""The documents that a question itself names: 在合同里…, 《员工手册》中…, 2023年的报告里…, in the handbook….

Rules only, and careful ones: a place must be said in so many words, and it must choose some of the documents
but not all. Who asks does not know that he chose; so a search among these that fails is done again without.
"""

import calendar
import re
from collections.abc import Iterator, Sequence
from datetime import date

from engine.answer.filters import Entry, entries, matching
from engine.document_filter import DocumentFilter
from engine.index.library import Library
from engine.normalise import normalise

# A place ends where 里 or 中 is not the beginning of another word.
_INSIDE = r"(?:里面?|之?中(?![国央心间学文等级期])|之?内(?![部容蒙地]))"
_KIND = (
    r"合同|协议|手册|制度|办法|规定|规程|规则|规范|细则|条例|章程|报告|年报|通知|公告|文件|方案|计划|指南|说明书?|"
    r"纪要|标准|清单|简历|论文|教材|法"
)
_ABOUT = r"(?:在|从|根据|按照?|依据|依照|查一?下|看一?下)"
_TITLE = re.compile(
    rf"{_ABOUT}\s*《([^《》]{{2,40}})》|《([^《》]{{2,40}})》(?:这[份个本篇][^，。？]{{0,4}})?\s*{_INSIDE}|"
    r"《([^《》]{2,40})》这[份个本篇]"
)
_PLACE = re.compile(
    rf"(?:^|[，。；：\s])(?:请问)?{_ABOUT}\s*(?:这[份个]|我们?的|公司的)?([^，。？《》\s]{{2,20}}?)\s*{_INSIDE}"
)
_THIS_FILE = re.compile(
    r"(?:^|[，。；：\s])(?:在|根据)?([^，。？《》]{2,30}?)这[份个篇本](?:文件|文档|材料|表格|合同|报告)"
)
_FORMAT = re.compile(
    rf"(pdf|word|excel|ppt|幻灯片|表格|电子表格|邮件|网页|电子书)\s*(?:文件|文档)?\s*{_INSIDE}|"
    r"\bin (?:the |my )?(pdf|word|excel|spreadsheet|slide|email|mail)(?: file| document)?s?\b"
)
_YEAR = re.compile(
    rf"((?:19|20)\d\d)\s*年(?:(\d{{1,2}})\s*月)?(?:度|份)?的?(?:所有)?(?:{_KIND}|文档|材料|邮件|记录)\s*{_INSIDE}"
)
_ENGLISH = re.compile(
    r"\b(?:in|from|according to|per|under)\s+(?:the|our|this|my)?\s*((?:[\w-]+ ){0,4}?"
    r"(?:handbook|manual|report|contract|agreement|policy|guide|memo|minutes|letter|invoice|plan|document))\b"
)

_FORMATS = {
    "pdf": "pdf", "word": "word", "excel": "sheet", "ppt": "slides", "幻灯片": "slides", "表格": "sheet",
    "电子表格": "sheet", "邮件": "mail", "网页": "html", "电子书": "ebook", "spreadsheet": "sheet",
    "slide": "slides", "email": "mail", "mail": "mail",
}  # fmt: skip


def understood(question: str, libraries: Sequence[Library]) -> DocumentFilter | None:
    """The filter that a question speaks of; None without one, or where it chooses nothing or everything."""
    normal = normalise(question)
    said = [*_names(normal), *_formats(normal)]
    years = list(_YEAR.finditer(normal))
    if not said and not years:
        return None
    known = list(entries(libraries)) if years else []
    for match in years:
        said += _year(match, known)
    for wanted in said:
        left, total = matching(libraries, wanted)
        if 0 < left < total:
            return wanted
    return None


def _names(normal: str) -> Iterator[DocumentFilter]:
    for match in _TITLE.finditer(normal):
        yield DocumentFilter(names=(next(group for group in match.groups() if group),))
    for pattern in (_THIS_FILE, _PLACE):
        for match in pattern.finditer(normal):
            place = match.group(1)
            if pattern is _THIS_FILE or re.search(f"(?:{_KIND})$", place):
                yield DocumentFilter(names=(place,))
                yield DocumentFilter(folders=(place,))
    for match in _ENGLISH.finditer(normal):
        yield DocumentFilter(names=(match.group(1),))


def _formats(normal: str) -> Iterator[DocumentFilter]:
    for match in _FORMAT.finditer(normal):
        yield DocumentFilter(types=(_FORMATS[match.group(1) or match.group(2)],))


def _year(match: re.Match[str], known: Sequence[Entry]) -> list[DocumentFilter]:
    """Documents with the year in their name; where none has, those that are of that time."""
    year, month = int(match.group(1)), int(match.group(2) or 0)
    if not month and any(match.group(1) in entry.path or match.group(1) in entry.title for entry in known):
        return [DocumentFilter(names=(match.group(1),))]
    if month > 12:
        return []
    first, last = month or 1, month or 12
    return [
        DocumentFilter(since=date(year, first, 1), until=date(year, last, calendar.monthrange(year, last)[1]))
    ]
