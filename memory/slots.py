"""Slots: what a person has one of at a time, so that a new value takes the old one's place.

A table, not a model: each row names a slot and how its value is introduced, in Chinese and English. It only ever
compares lines that are stored already or are about to be (plain, third person), never what people type in a chat.
A slot that is missing here costs a line too many, which the person sees and can take back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_LANGUAGES = r"中文|英文|英语|汉语|普通话|粤语|日语|日文|法语|法文|德语|韩语|西班牙语|俄语|繁体字?|简体字?"
_LANGUAGES_EN = (
    r"english|chinese|mandarin|cantonese|japanese|french|german|korean|spanish|russian|italian|portuguese"
)
_V = r"(?P<value>[^，。；,;.!！()（）]{1,40})"

_TABLE: tuple[tuple[str, str], ...] = (
    (
        "called",
        r"(?:称呼用户为?|管用户叫|把用户叫作?|(?:请|要)?叫(?!(?:用户|我|TA)?(?:醒|起|车|外卖|做|上|去|来|"
        r"停))(?:用户|我|TA)?)\s*" + _V,
    ),
    ("called", r"\b(?:call|address) (?:the user|them|me) (?:as )?" + _V),
    ("called", r"\bthe user (?:goes by|(?:wants|likes|prefers) to be called) " + _V),
    ("home", r"(?:现居|定居|居住在|住在|住(?=[^院宿])|搬到了?|搬去了?|搬进了?)\s*" + _V),
    ("home", r"\b(?:lives?|living|resides?|moved|moving|relocated) (?:in|to|at|near) " + _V),
    (
        "work",
        r"(?:就职于|任职于|跳槽到了?|调[到回]了?|入职了?|在(?=[^，。]{1,20}(?:工作|上班|任职)))\s*" + _V,
    ),
    (
        "work",
        r"在(?P<value>[^，。的家]{1,16}?)\s*(?:做|当|担任|任)\s*(?=PM|HR|产品|运营|销售|设计|开发|程序|工程师|会计|"
        r"财务|人事|行政|经理|"
        r"主管|总监|助理|护士|医生|老师|教师|讲师|编辑|记者|律师|顾问|客服|司机|厨师|保安|实习|前台|测试|后端|前端|"
        r"算法|研究员|市场|采购|"
        r"物流|法务|翻译|店长|教练|收银|文员|质检|技术员|导游)",
    ),
    ("work", r"\b(?:works?|working|employed|started) (?:at|for) " + _V),
    ("job", r"(?:职业是|职位是|转岗[到做]了?|改行做了?|升任了?)\s*" + _V),
    ("job", r"\b(?:works? as|job is|became) (?:an? |the )?" + _V),
    ("project", r"(?:在做|负责|转到了?|调到了?)(?P<value>[^，。]{1,20}项目)"),
    ("project", r"\b(?:is on|moved to|switched to|works on) (?P<value>project [^,.;]{1,30})"),
    (
        "database",
        r"用的?(?:数据库(?:是|为)?)?\s*(?P<value>PostgreSQL|MySQL|SQLite|MongoDB|Oracle|Postgres|Redis|MariaDB)",
    ),
    (
        "database",
        r"切[到换]\S{0,2}\s*(?P<value>PostgreSQL|MySQL|SQLite|MongoDB|Oracle|Postgres|Redis|MariaDB)",
    ),
    ("name", r"(?:用户(?:的)?(?:名字|姓名)?(?:叫|是叫)|名叫)\s*" + _V),
    ("name", r"\bthe user['’]s name is " + _V),
    ("birthday", r"生日(?:是|在)?\s*" + _V),
    ("birthday", r"\bbirthday is (?:on )?" + _V),
    ("age", r"(?P<value>\d{1,3}|[一二两三四五六七八九十]{1,3})\s*岁"),
    (
        "grade",
        r"(?:读|上|升|念|这学期|今年|现在|已经|都)了?(?:是|到|上)?(?:小学|初中|"
        r"高中)?(?P<value>[一二三四五六七八九]年级|[初高大][一二三四]|幼儿园|大班|中班|小班)",
    ),
    ("car", r"\b(?:drives?|driving|car is|car['’]s) (?:an? |the )?(?P<value>[^,.;]{2,40})"),
    ("layout", r"(?P<value>表格|列表|清单|分点|列点|要点|项目符号|段落|大段|一段话|散文|纯文字)"),
    (
        "layout",
        r"\b(?P<value>bullet(?:s| points?|ed lists?)?|numbered lists?|lists?|tables?|paragraphs?|prose|full sentences|"
        r"plain text|running text)\b",
    ),
    ("age", r"\b(?:is|turned) (?P<value>\d{1,3})(?: years old\b|$|[.,])"),
    ("height", r"身高(?:是)?\s*" + _V),
    ("weight", r"体重(?:是)?\s*" + _V),
    ("phone", r"手机(?:用的?是|是|换成了?|换了)\s*" + _V),
    ("car", r"(?:开的?车?是|车是|换了辆)\s*" + _V),
    ("shoe", r"(?:鞋码|穿)(?:是)?\s*(?P<value>\d{2}(?:\.5)?)\s*码"),
    ("shoe", r"\bshoe size is " + _V),
    ("blood", r"血型(?:是|为)?\s*" + _V),
    ("diet", r"(?P<value>吃素|素食(?:者|主义)?|吃全素|吃荤|开荤|又?吃肉|不吃肉)"),
    ("diet", r"\b(?P<value>vegan|vegetarian|pescatarian|eats meat|omnivore)\b"),
    ("answer language", rf"(?:用|说|讲|改用|使用)\s*(?P<value>{_LANGUAGES})"),
    ("answer language", rf"\b(?:in|use|speak|write) (?P<value>{_LANGUAGES_EN})\b"),
    (
        "length",
        r"(?P<value>简短|简洁|精简|短一点|短一些|短点|详细|详尽|展开|长一点|最多[^，。]{1,8}[句字行段])",
    ),
    ("length", r"\b(?P<value>short|brief|concise|detailed|at length|in detail|long|at most [^,.]{1,20})\b"),
    ("units", r"(?P<value>公制|英制|摄氏度?|华氏度?)"),
    ("units", r"\b(?P<value>metric|imperial|celsius|fahrenheit)\b"),
    (
        "order",
        r"(?P<value>先写?结论|结论(?:放|在)?(?:最前|前面|先行)|按?时间顺序|先(?:写|说)(?:背景|过程|数据)|倒序)",
    ),
    (
        "order",
        r"\b(?P<value>(?:result|conclusion|background|summary|numbers|data)s? first|chronological(?:ly)?)\b",
    ),
    (
        "order",
        r"\b(?:open|start|begin)s? (?:\w+ ){0,4}with (?:the )?(?P<value>result|conclusion|background|"
        r"summary|data)",
    ),
    ("clock", r"(?P<value>24\s*小时制?|12\s*小时制?)"),
    ("clock", r"\b(?P<value>24[- ]hour|12[- ]hour)\b"),
    ("tone", r"(?P<value>正式|随意|口语化|书面语?|客气|直接)(?:一点|一些|点|的语气)"),
    ("tone", r"\b(?P<value>formal|informal|casual)\b"),
)
_SLOTS = tuple((name, re.compile(pattern, re.I)) for name, pattern in _TABLE)


# How people ask for a slot or speak of it without naming its value.
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.I))
    for name, pattern in (
        (
            "home",
            r"住(?:在?哪|的地方|址)|家在哪|搬到哪|\bwhere i live\b|\bmy (?:home )?address\b|\bwhere do i live\b",
        ),
        (
            "work",
            r"在哪(?:上班|工作)|我的?(?:工作单位|公司|单位)|\bwhere i work\b|\bmy (?:employer|workplace)\b",
        ),
        ("job", r"职业|做什么工作|\bmy job\b"),
        ("called", r"怎么(?:称呼|叫)我|叫我什么|\bwhat (?:you|to) call me\b"),
        ("name", r"我?叫什么|(?:我的)?名字|\bmy name\b"),
        ("birthday", r"生日|\bbirthday\b"),
        ("age", r"几岁|多大|年龄|\bmy age\b|\bhow old\b"),
        ("height", r"身高|多高|\bheight\b|\bhow tall\b"),
        ("weight", r"体重|多重|\bweight\b"),
        ("shoe", r"鞋码|多大码|\bshoe size\b"),
        ("blood", r"血型|\bblood type\b"),
        ("phone", r"手机|\bmy phone\b"),
        ("answer language", r"(?:用|说)什么(?:语言|话)|\bwhich language\b"),
    )
)


def asked_slot(text: str) -> str | None:
    """The slot that a question or a "forget" speaks of."""
    return next((name for name, pattern in _ASKED if pattern.search(text)), None)


# Slots of how to do something: they are set apart by what they are about ("邮件用英文", "回答用中文").
MANNERS = frozenset({"answer language", "length", "units", "order", "clock", "tone", "layout"})
_GENERIC = re.compile(
    r"还是|恢复|变回|正常|普通|原来|尽量|稍微|一些|一点|些|请|吧|给我|"
    r"回答|回复|回我|答复|说话|跟用户|给用户|对用户|聊天|内容|一律|统一|使用|改用|写成|写|用|时|再|改|回|成|点|"
    r"\b(?:answers?|repl(?:y|ies)|respond|speak|talk|write|use|keep|be|again|instead|now|open|start|go|"
    r"back|to|normal|regular|plain|ordinary|usual|proper|when(?:ever)?|you|the user|user|please|just|me|short|"
    r"begin|with|in)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot, what stands in it, and whose or what's slot it is."""

    name: str
    value: str
    holder: str  # for a manner: what it applies to; else: the words before it, which name whose it is


def slots_of(text: str) -> Mapping[str, Slot]:
    """Every slot a line fills, by name; the first value of each."""
    return _slots_of(text)


@lru_cache(maxsize=4_096)
def _slots_of(text: str) -> Mapping[str, Slot]:
    slots: dict[str, Slot] = {}
    for name, pattern in _SLOTS:
        found = pattern.search(text)
        if found is None or name in slots:
            continue
        around = (
            f"{text[: found.start()]} {text[found.end() :]}" if name in MANNERS else text[: found.start()]
        )
        around = re.sub(r"^(?:用户|我)(?!的)|^the user(?!['’]s)\b", " ", around.strip(), flags=re.I)
        holder = _GENERIC.sub(" ", around) if name in MANNERS else re.sub(r"[\d\-/年月日号起]+", " ", around)
        slots[name] = Slot(name, found["value"].strip(" 「」“”\"'了的"), holder.strip())
    return slots
