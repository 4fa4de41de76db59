"""What somebody does or is, told without a sentence of its own: "31 years laying tile will do that", 干了二十年瓦工.

It stands beside a request and says how long, or as what; put as a plain statement it can be kept.
"""

from __future__ import annotations

import re

from memory.wording import Language

_TRADE_EN = (
    r"(?:nurse|teacher|doctor|gp|lawyer|solicitor|barrister|accountant|engineer|developer|programmer|designer|"
    r"driver|chef|cook|"
    r"baker|barista|editor|journalist|writer|student|electrician|plumber|carpenter|joiner|mechanic|paramedic|"
    r"firefighter|"
    r"midwife|dentist|vet|pharmacist|librarian|translator|photographer|musician|farmer|gardener|cleaner|postie|postman|"
    r"bartender|waiter|waitress|cashier|salesman|consultant|manager|analyst|scientist|researcher|freelancer|"
    r"widower?|pensioner|"
    r"vegan|vegetarian|pescatarian|diabetic|coeliac|celiac|single (?:mum|mom|dad|parent)|dad of \w+|mum of \w+|"
    r"mom of \w+)"
)
_COUNT_EN = (
    r"(?P<n>\d{1,2}\+?|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|a couple of) "
    r"(?P<unit>years?|decades?)(?: now| straight)?"
)
_STOPS = (
    r"(?!(?:will|would|does|did|do|has|have|is|are|was|and|but|so|my|i|i['’]\w+|now|that|which|it|this|any|what|"
    r"how|ago|"
    r"can|takes?|taught|made|makes?|left|leaves?)\b)"
)
_YEARS_EN = re.compile(
    rf"(?:^\W*|\b(?:after|with|nearly|almost|over|about|been)\s+){_COUNT_EN} (?:of )?(?:"
    rf"(?P<doing>(?!waiting|trying|looking|watching|wishing|hoping|asking|telling|dealing|listening|being|going|"
    rf"paying)\w+ing"
    rf"(?: {_STOPS}[\w-]+){{0,3}})"
    rf"|as an? (?P<trade>[\w-]+(?: {_STOPS}[\w-]+)?)"
    rf"|(?P<place>(?:in|on|at|behind) (?:the |a )?[\w-]+(?: {_STOPS}[\w-]+)?))",
    re.I,
)
_AS_EN = re.compile(
    rf"^\W*(?:(?:well|so|hey|and)\W+)*(?:being|as|speaking as) (?P<what>an? (?:[\w-]+ ){{0,2}}{_TRADE_EN})\b,?"
    r"(?= (?:i|i['’]\w+|my|we|our)\b)",
    re.I,
)
_CANT_EN = re.compile(
    r"^\W*(?:(?:so|ok|well|btw)\W+)*(?P<what>can['’]?t (?:do|have|eat|drink) (?:dairy|gluten|nuts|peanuts|eggs?|"
    r"shellfish|"
    r"lactose|wheat|soy|seafood|pork|milk|caffeine|alcohol|sugar|spicy))\b",
    re.I,
)
_SHIFTS_EN = re.compile(
    r"^\W*(?:(?:so|ok|well|btw)\W+)*(?P<what>i (?:do|work|am on) (?:the )?(?:night|day|late|early|double|split) shifts?"
    r"(?: (?:at|in|on|for) (?:an? |the )?[\w-]+(?: (?!so|and|when|what|how|but)[\w-]+)?)?)",
    re.I,
)
_YEARS_ZH = re.compile(
    r"(?:^|[，,。！!\s])(?P<all>(?:我|俺|咱)?(?:都|已经|也)?(?P<where>在[^，。,\s]{1,8}?)?(?:都|已经)?"
    r"(?:干|做|当|开|教|跑|修|卖|写|送|种|养|搬|画|带)(?:了)?(?:快|整整|将近)?"
    r"(?:[一二两三四五六七八九十]{1,3}|\d{1,2}|几十?|好几|大半)(?:来|多|几)?(?:年|辈子)(?:了)?(?:的)?(?P<what>"
    r"(?!的?(?:老?同学|朋友|邻居|梦))[^，。,！!？?\s吗呢了]{0,8}))"
    r"(?=$|[，,。！!\s])"
)
_ONE_ZH = re.compile(
    r"^(?:\W|对了)*(?P<who>我|俺|咱)(?:就)?一?个?(?P<what>(?:开|干|做|教|搞|跑|卖|送|修|当|学|搬|写|画)[^，。,！!？?\s]{1,8}的)(?=[，,。\s]|$)"
)


_DOING_EN = re.compile(
    r"^\W*(?:(?:so|ok|well|btw|currently|still)\W+)*(?P<what>(?![^,.]{0,60}\b(?:is|was|are|sucks|takes|makes|gets|"
    r"kills|on a)\b)(?:teaching|studying|working (?:as|at|in|for)|"
    r"training (?:for|as)) "
    r"[\w'’ -]{3,40}?)(?=,| so\b| and (?:my|i)\b|[.!]*$)",
    re.I,
)
_NO_SUBJECT_EN = re.compile(
    r"(?:(?:just|now|recently|finally|have|has) )*(?:moved|switched jobs|changed jobs|started|quit|left|became|"
    r"eat|eats|drink|live|"
    r"work|use|drive|can|can['’]t|don['’]t|stopped|sold|bought)\b(?! (?:you|it|this|that|me)\b)",
    re.I,
)
_ILL_ZH = re.compile(
    r"^(?:\W|对了|那)*(?:我|俺|咱)(?:有|得了)?(?P<what>高血压|糖尿病|高血脂|痛风|哮喘|胃溃疡|脂肪肝|甲亢|甲减|鼻炎|腰椎间盘突出)(?=还?能|可以?|该|要|"
    r"适合|吃|喝|跑|平时)"
)
_READS_ZH = re.compile(
    r"^(?:\W|对了|我|目前|现在)*(?P<what>在读(?:研[一二三]|博[一二三四]?|大[一二三四]|高[一二三]|初[一二三]|研究生|博士|本科))"
)


def lacks_subject(text: str) -> bool:
    """Whether an English statement leaves out its "I": "just moved to Lyon", "can eat bread again"."""
    return _NO_SUBJECT_EN.match(text) is not None


def practised(text: str, language: Language) -> str:
    """What is told of the person so, as a statement of theirs; "" where nothing is."""
    return _chinese(text.strip()) if language == "zh" else _years(text.strip()) or _plain(text.strip())


def _chinese(text: str) -> str:
    found = _YEARS_ZH.search(text)
    if found and (found["what"] or found["where"]):
        return found["all"] if found["all"][0] in "我俺咱" else f"我{found['all']}"
    if ill := _ILL_ZH.match(text):
        return f"我有{ill['what']}"
    if reads := _READS_ZH.match(text):
        return f"我{reads['what']}"
    one = _ONE_ZH.match(text)
    return f"我是{one['what']}" if one and "一" in one[0] else ""


def _years(text: str) -> str:
    found = _YEARS_EN.search(text)
    if found is None or (found["place"] and text.endswith("?")):
        return ""
    doing = found["doing"] or found["place"]
    if not doing:
        doing = f"{'an' if found['trade'][:1].lower() in 'aeiou' else 'a'} {found['trade']}"
    return f"I have been {doing} for {found['n']} {found['unit']}"


def _plain(text: str) -> str:
    for form, opening in ((_AS_EN, "I'm "), (_CANT_EN, "I "), (_SHIFTS_EN, ""), (_DOING_EN, "I'm ")):
        if found := form.match(text):
            return f"{opening}{found['what']}"
    return ""
