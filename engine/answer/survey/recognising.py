"""Whether a question asks about all documents: 所有合同的金额分别是多少？ 哪些文件提到了保密？

Rules, and careful ones: one fact is asked for in the same words (年假有多少天？ 所有合同须由谁审批？ 报销需要
哪些材料？). So a question must speak of documents as such (所有合同, 每份报告, 哪些文件, 多少份), and not say
what somebody must do with them.
"""

import re
from dataclasses import dataclass
from typing import Literal

from engine.answer.prompting import is_chinese
from engine.normalise import normalise

Kind = Literal["count", "list", "sum"]
Wanted = Literal["amount", "date", "duration", "percent", "number", "name", "passage", "documents"]

_FILE = (
    r"(?:文件|文档|合同|协议|报告|制度|手册|资料|简历|发票|收据|纪要|通知|公告|方案|办法|规定|规程|细则|条例|"
    r"邮件|表格|论文|判决书?|清单|周报|月报|年报|报价单|标书)"
)
_NOUN = rf"(?:{_FILE}|项目|订单|标准|证书|专利)"
_KIND = r"[^，。？、的是有和自]{0,8}?"
_ALL = r"(?:所有|全部|每一?[份个篇封本项]|各[份个篇封本项]?(?![自种类级方地部])|这些|这几份)的?"
_MENTIONS = (
    r"提到|提及|涉及|包含|含有|包括|规定|约定|写明|写到|写了|说明|说到|讲到|谈到|记载|要求|有关|关于|适用|签订|签署|"
    r"到期|过期|超过|没有|有|是|属于|里|中"
)
# What somebody must do with documents is a rule, which one document states.
_MUST = r"(?:必?须|需要|需(?!求)|应当|(?<![供对反])应(?![商用急付收对届聘])|必须)"
_DO = r"(?:提交|提供|准备|携带|出示|递交|上交|填写|打印|寄送?|签署?|审批)"
_RULE = re.compile(
    rf"(?:所有|全部|每一?[份个篇封本项]|各[份个篇]?)[^，。？]{{0,12}}?(?:均|都)?(?:{_MUST}|要由|由谁|由哪|经谁|归谁|保存|保管)|"
    rf"(?:{_MUST}|要|得)?{_DO}(?:的是)?(?:哪|几|多少)|(?:{_MUST}|要)(?:的是)?(?:哪[些几]|几份|多少份)|"
    rf"(?:哪[些几][份个]?|多少份|几份)[^，。？]{{0,6}}(?:{_MUST}|要|可以){_DO}?|"
    r"一式|副本|正本|复印件|几份[^，。？]{0,4}原件|^(?:根据|按照|依据)"
)
_EVERY = re.compile(rf"{_ALL}(?P<kind>{_KIND}{_NOUN})(?:中|里面?|内|之中)?")
_SUCH = re.compile(rf"(?:所有|全部|哪些)的?(?:{_MENTIONS})(?P<of>[^，。？]{{2,20}})的(?P<kind>{_FILE})")
_COUNT = re.compile(
    rf"(?:一共|总共|共|库里|库中|里面?|中)?有?(?:多少|(?<!哪)几)[份篇封本个](?P<kind>{_KIND}{_FILE})|"
    rf"(?P<kind_b>{_KIND}{_FILE})(?:一共|总共|共)有?(?:多少|几)[份篇封本个](?!月)|"
    rf"(?:统计|计算)(?:一下)?(?P<kind_c>{_KIND}{_FILE})的?(?:数量|份数|个数|总数)"
)
_WHICH = re.compile(rf"哪(?:些|几[份个篇封本])(?P<kind>{_KIND}{_FILE})(?=[^，。？]{{0,12}}?(?:{_MENTIONS}))")
_LIST = re.compile(r"(?:列出|列举|汇总|罗列|整理|梳理|统计|找出)")
_SUM = re.compile(r"合计|总额|总金额|总价|总计|总和|总数|总共多少|加起来|一共多少|共计|总量")

_EN_FILE = (
    r"(?P<kind>(?:[a-z-]+ ){0,2}?(?:documents?|files?|contracts?|agreements?|reports?|polic(?:y|ies)|"
    r"manuals?|invoices?|receipts?|resumes?|minutes|memos?|letters?|e?mails?|papers?))"
)
_EN_ALL = re.compile(rf"\b(?:all|every|each)(?: of)?(?: the| our| my)? {_EN_FILE}\b")
_EN_COUNT = re.compile(rf"^how many(?: of the| of our)? {_EN_FILE}\b")
_EN_WHICH = re.compile(
    rf"^(?:which|what)(?: of the| of our)? {_EN_FILE} (?:mention|contain|refer|cover|include|say|specify|"
    r"state|have|has|talk|deal|discuss|are|is|concern|describe|expire)\w*\b"
)
_EN_SUM = re.compile(r"\b(?:total|sum|altogether|in all|combined)\b")
_EN_RULE = re.compile(
    r"\b(?:must|should|need(?:s|ed)?|required?|have to|submit(?:ted)?|provide|bring|copies)\b|"
    r"\b(?:who|how long) \w+ (?:all|every|each)\b"
)
_EN_ASKS = re.compile(
    r"^(?:please |can you |could you )?(?:list|show|give|summari[sz]e|compile|collect|find|what|which|how)\b|"
    r"\b(?:what|how much|when)\b"
)

_KINDS: tuple[tuple[Wanted, str], ...] = (
    ("percent", r"比例|比率|百分之几|占比|利率|税率|增长率|[^效]率是|percent|rate\b"),
    (
        "duration",
        r"多少[天年日周]|几[天年日周]|多[久长]|期限|年限|工期|时长|有效期|几?个月|how long|duration|term\b",
    ),
    (
        "amount",
        r"金额|预算|价格?|费用|总额|款项?|多少钱|工资|薪资|成本|造价|押金|保证金|标的额|amount|price|budget|cost|fee|value\b",
    ),
    ("date", r"日期|时间|何时|什么时候|哪[天年月]|几号|到期日|date\b|when\b|deadline"),
    (
        "name",
        r"谁|负责人|联系人|甲方|乙方|经理|作者|签署人|法定代表人|名称|地址|who\b|parties|party\b|author|manager",
    ),
    ("number", r"人数|数量|面积|多少|几[个名人台件]|how many|number of|quantity"),
)  # fmt: skip
_ASKING = re.compile(
    r"(?:分别|各自?|都|一共|总共|各是|各为)|是?(?:多少钱?|什么时候|何时|什么|谁|几[个天年月日号份名人]?|哪[些天年月里]?)|"
    r"(?:有|为|是)?(?:哪些|多[久长大])|合计|总计|总和|加起来|共计|有多少|[请帮]我?|麻烦|一下|列出|列举|汇总|罗列|整理|梳理|统计|找出|"
    r"了|呢|吗|数量|份数|个数|知识库|资料库?[里中]|库[里中]"
)
_EN_ASKING = re.compile(
    r"\b(?:please|can|could|you|list|show|give|me|summari[sz]e|compile|collect|find|what|which|how|many|much|when|that|"
    r"who|is|are|was|were|the|of|in|do|does|there|for|total|sum|altogether|combined|together|on|and|a|an)\b"
)
_MENTION_VERBS = re.compile(
    r"^(?:提到|提及|涉及|包含|含有|包括|规定|约定|写明|写到|写了|说明|说到|讲到|谈到|记载|要求|关于|有关|里|中)+"
)
_EN_MENTION_VERBS = re.compile(
    r"\b(?:mention|contain|refer|cover|include|say|specify|state|have|has|talk|deal|discuss|concern|describe)\w*\b"
    r"(?: to| about| with)?"
)


@dataclass(frozen=True, slots=True)
class Census:
    """What is asked of all documents.

    ``noun`` is what they are called (采购合同), ``aspect`` what is looked for in each (金额; empty where only
    they themselves are counted), ``wanted`` the kind of detail that a row holds.
    """

    kind: Kind
    noun: str
    aspect: str
    wanted: Wanted


def census(question: str) -> Census | None:
    """What a question asks of all documents; None for any other."""
    text = normalise(question).strip()
    return _chinese(text) if is_chinese(question) else _english(text)


def _chinese(text: str) -> Census | None:
    if _RULE.search(text):
        return None
    if (such := _SUCH.search(text)) is not None:
        is_counted = re.search(r"多少|几[份篇]|数量", text) is not None
        aspect = such["of"].removeprefix("了").strip(_ENDS)
        return Census("count" if is_counted else "list", such["kind"], aspect, "passage")
    count, which, every = _COUNT.search(text), _WHICH.search(text), _EVERY.search(text)
    found = count or which or every
    if found is None:
        return None
    kind: Kind = "count" if count else "list"
    if every is not None and not (count or which):
        has_order = _LIST.search(text) is not None
        if not has_order and not re.search(r"多少|什么|何时|哪|谁|几|多[久长]|分别|合计|总", text):
            return None
        # 列出 and 汇总 are orders; 汇总表 and 统计口径 are things.
        kind = "sum" if _SUM.search(text) else "list"
    noun = next(group for group in found.groups() if group)
    rest = text[: found.start()] + " " + text[found.end() :]
    aspect = _SPACE.sub(" ", _ASKING.sub(" ", rest)).strip(_ENDS)
    aspect = _MENTION_VERBS.sub("", aspect).strip(_ENDS)
    wanted = _wanted(rest if not which else "", aspect, noun, kind)
    return Census(kind, noun, aspect, wanted)


def _english(text: str) -> Census | None:
    if _EN_RULE.search(text):
        return None
    count, which, every = _EN_COUNT.search(text), _EN_WHICH.search(text), _EN_ALL.search(text)
    found = count or which or every
    if found is None or (found is every and not _EN_ASKS.search(text)):
        return None
    kind: Kind = "count" if count else "sum" if every and _EN_SUM.search(text) else "list"
    noun = found.group("kind")
    end = found.end("kind")
    rest = text[: found.start()] + " " + text[end:]
    aspect = _SPACE.sub(" ", _EN_ASKING.sub(" ", _EN_MENTION_VERBS.sub(" ", rest))).strip(_ENDS)
    return Census(kind, noun, aspect, _wanted(rest if not which else "", aspect, noun, kind))


_SPACE = re.compile(r"\s+")
_ENDS = " 的地是有为在和与，,。.？?！!；;：:、"


def _wanted(asked: str, aspect: str, noun: str, kind: Kind) -> Wanted:
    if not aspect:
        return "documents"
    if kind == "count":
        return "passage"
    for wanted, words in _KINDS:
        if re.search(words, asked):
            return wanted
    return "passage"
