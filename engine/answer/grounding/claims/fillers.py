"""What stands in a sentence and claims nothing: the numbers of lists, and what answers begin with."""

import re

_LIST_NUMBER = re.compile(
    r"^\s*(?:[-*•·#>]+\s*|(?:\d{1,2}|[a-z])[.、)）](?!\d)\s*|[（(]\d{1,2}[）)]\s*|"
    r"第[一二三四五六七八九十]+[,，、:：]\s*)+"
)
_ENUMERATION = re.compile(
    r"(?<=[:：;；,，。])(?<!\d[:：])\s*(?:[（(]\d{1,2}[）)]|\d{1,2}[.、)）](?!\d)|第[一二三四五六七八九十]+[,，、:：])\s*"
)
_FILLER = re.compile(
    r"(?:^|(?<=[，,。；;]))\s*(?:(?:根据|依据|按照)?(?:以上|上述|所给|提供)?的?(?:资料|文档|文件|材料|信息)"
    r"(?:显示|可知|所述|表明|中提到|记载)?|"
    r"简单来说|总的来说|综上所述?|总之|因此|所以|首先|其次|再次|最后|此外|另外|同时|其中|具体来说|也就是说|"
    r"换句话说|可以看到|由此可见)[，,：:]|"
    r"^\s*(?:According to|Based on) the (?:documents?|sources?|text|passages?|evidence|provided \w+),|"
    r"^\s*(?:However|Additionally|In addition|Furthermore|Moreover|Therefore|In summary|Overall|First(?:ly)?|"
    r"Second(?:ly)?|Finally|Lastly|Then|Also),"
)


def blanked(sentence: str) -> str:
    """The sentence with all of these blanked; every character keeps its place."""
    for pattern in (_LIST_NUMBER, _ENUMERATION, _FILLER):
        sentence = pattern.sub(lambda match: " " * len(match.group()), sentence)
    return sentence
