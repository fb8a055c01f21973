"""Units: what they measure, and how many of the smallest one each is."""

import re
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Unit:
    """``measures`` is what two units must have in common to be compared, ``factor`` its size there."""

    measures: str
    factor: Decimal


_TABLE: dict[str, dict[str, str]] = {
    "time": {
        "秒 秒钟 seconds second secs sec": "1", "分钟 minutes minute mins min": "60",
        "个小时 小时 个钟头 钟头 hours hour hrs": "3600", "天 日 days day": "86400",
        "周 个星期 星期 个礼拜 weeks week": "604800",
    },
    "workdays": {"个工作日 工作日 business-days working-days": "1"},
    "months": {
        "个月 月 months month": "1", "个季度 季度 quarters": "3", "年 周年 年度 years year": "12",
        "世纪 个世纪": "1200",
    },
    "age": {"岁 周岁": "1"},
    "yuan": {"元 块钱 块 圆 人民币 元人民币 rmb yuan cny": "1", "角 毛": "0.1"},
    "dollars": {"美元 美金 usd us-dollars dollars": "1"},
    "hk dollars": {"港元 港币 hkd": "1"},
    "tw dollars": {"台币 新台币": "1"},
    "euros": {"欧元 euros euro eur": "1"},
    "pounds": {"英镑 gbp": "1"},
    "yen": {"日元 日圆 jpy": "1"},
    "won": {"韩元 韩圆": "1"},
    "length": {
        "毫米 mm": "0.001", "厘米 公分 cm": "0.01", "米 公尺 m metres meters": "1",
        "千米 公里 km kilometres kilometers": "1000", "英尺 feet foot ft": "0.3048", "英里 miles mile":
        "1609.344",
        "海里": "1852", "英寸 inches inch": "0.0254",
    },
    "area": {
        "平方厘米 cm2": "0.0001", "平方米 平米 m2": "1", "亩": "666.667", "公顷 hectares": "10000",
        "平方公里 平方千米 km2": "1000000",
    },
    "volume": {"毫升 ml": "0.001", "升 公升 l litres liters": "1", "立方米 m3": "1000"},
    "mass": {
        "毫克 mg": "0.001", "克 公克 g grams": "1", "斤": "500", "千克 公斤 kg kilograms": "1000",
        "吨 公吨 t tonnes tons": "1000000", "磅 pounds lbs": "453.592",
    },
    "celsius": {"°c 摄氏度": "1"},
    "fahrenheit": {"°f 华氏度": "1"},
    "degrees": {"度 ° degrees": "1"},
    "share": {"% 个百分点 百分点 percent": "0.01", "‰": "0.001", "成": "0.1"},
    "power": {"瓦 w": "1", "千瓦 kw": "1000", "兆瓦 mw": "1000000"},
    "voltage": {"伏 v": "1", "千伏 kv": "1000"},
    "energy": {"千瓦时 kwh": "1"},
    "data": {"kb": "1", "mb": "1024", "gb": "1048576", "tb": "1073741824"},
    "speed": {"公里/小时 km/h": "1"},
    "times": {"倍 times": "1"},
    "count": {
        "个 位 人 名 次 件 套 台 家 所 种 类 项 份 座 艘 架 辆 只 头 匹 棵 枚 门 首 部 户 间 支 队 颗 "
        "条 场 本 张 根 片 对 双 届 期 集 回 组 批 把 people persons": "1",
    },
    "floor": {"层 楼": "1"},
    "level": {"级": "1"},
    "article": {"章 节 款 页 号": "1"},
    "score": {"分 points": "1"},
    "discount": {"折": "1"},
    "clock": {"o'clock": "60"},
    "code": {"#": "1"},
}  # fmt: skip

UNITS = {
    word.replace("-", " "): Unit(measures, Decimal(factor))
    for measures, rows in _TABLE.items()
    for words, factor in rows.items()
    for word in words.split()
}

_LATIN = [word for word in UNITS if word[0].isascii() and word[0].isalpha()]
_OTHER = [word for word in UNITS if word not in _LATIN]


def _either(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


UNIT = re.compile(rf"(?:余|多|来|几)?\s*(?:({_either(_OTHER)})|[\s-]?({_either(_LATIN)})(?![a-z0-9]))")
"""A unit behind its number, in normalised text; 多 and 余 may stand between."""

# 一个制度 and 一种方法 count nothing; a word that begins like a unit is none.
NO_UNIT = re.compile(
    r"年(?:轻|级|代)|月(?:亮|球)|日(?:本|常)|人(?:民(?!币)|工|类|员)|个(?:别|人)|度假|成(?:立|为|功)|元(?:旦|素)|"
    r"分(?:别|之|为|公司)|号(?:称|召)|级别|部(?:门|分|队)|名(?:为|叫|称)|位(?:于|置)|条(?:件|例)|类(?:型|似)|项目|"
    r"次(?:年|日|月)|节日|把握|场所|对(?:于|方)|组织|本(?:公司|次|身)"
)
