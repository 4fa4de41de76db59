"""Facts about oneself or one's people that are lasting by what they say: an allergy, a trade, a home, children, a body.

Form alone; what the probe half believes is then not asked about but kept.
"""

from __future__ import annotations

import re

from memory.clauses import clauses
from memory.people import KIN, SAID_EN
from memory.wording import Language

_TRADE_ZH = (
    r"(?:老师|教师|医生|护士|律师|会计|工程师|程序员|设计师|司机|厨师|编辑|记者|警察|消防员|销售|产品经理|运营|"
    r"财务|公务员|学生|研究生|博士生?|大[一二三四]|"
    r"高[一二三]|退休|自由职业|全职妈妈|全职爸爸|个体户|导游|翻译|摄影师|画师|教练|兽医|药剂师|木匠|电工|水管工|"
    r"快递员|外卖员|店主|咖啡师)"
)
_ZH = re.compile(
    r"(?:^|[，,。！!\s])(?:我|俺|咱)(?:们家?|家)?(?:也|还|本来|其实|一直|从小|现在|又|就|都|是真的?)*"
    r"(?:对\S{1,10}过敏|[^\s，。,对不没是有会怕]{1,4}过敏(?!药|季|原|源|科|测)|(?:有|得了)\S{0,6}(?:糖尿病|高血压|哮喘|过敏性?鼻炎|痛风|胃病|近视|乳糖不耐|强直|抑郁|癫痫|"
    r"湿疹|心脏病|甲亢|甲减)|"
    rf"是(?:个|一?名|一?个|位|做|干|学|教)?[^，。！!？?吗呢]{{0,10}}{_TRADE_ZH}|(?:住在?|家住|家在|搬到了?|"
    rf"定居)(?!院|校|宿)[^，。！!？?吗呢]{{2,14}}|"
    r"在[^，。！!？?吗呢]{2,12}(?:上班|工作|上学|读书|念书|读研|读博|实习|教书)|"
    r"(?:吃素|吃斋|不吃(?!了|早|午|晚|饭|惯|饱)\S{1,6}|不喝酒|戒酒|不沾酒|吃清真|左撇子|是左撇子|色盲|色弱|怀孕|"
    r"乳糖不耐受?|素食)|"
    r"(?:有|养了?|带着?)(?:一|两|俩|三|仨|\d)?(?:个|只|条)?\S{0,6}(?:儿子|女儿|闺女|孩子|娃|宝宝|双胞胎|猫|狗|兔子|"
    r"仓鼠))",
)
TRADE_EN = (
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
_EN = re.compile(
    r"(?:^|[,.;!?\n]\s*|\b(?:and|but|cos|because|since|as|btw|also)\s+)(?:(?:i['’]?m|i am) (?:also |actually |"
    r"still |now |quite |badly |severely |really )*"
    rf"(?:(?:an? )?(?:[\w-]+ ){{0,2}}{TRADE_EN}\b|allergic to|intolerant|lactose|gluten[- ]free|dairy[- ]free|"
    rf"left[- ]handed|colou?r[- ]?blind|"
    r"dyslexic|deaf|pregnant|(?:\w+ )?weeks pregnant|asthmatic|epileptic|teetotal|sober|retired|self[- ]employed|"
    r"(?:on|off) (?:nights|night shifts?|dialysis|insulin|warfarin))"
    r"|i (?:also |actually |still |now |only )*(?:live (?:in|on|near|with|alone)|work (?:in|at|as|for|from|nights|"
    r"shifts|part)|teach|"
    r"don['’]?t (?:eat|drink (?:alcohol|coffee|milk|caffeine)|drive)|can['’]?t (?:eat|have|drink|swim|"
    r"drive) (?!this|that|it\b|any ?more|now)|"
    r"(?:have|['’]ve got) (?:an? |two |three |four |\d )?(?:\w+ )?(?:kids?|sons?|daughters?|twins|toddlers?|"
    r"bab(?:y|ies)|cats?|dogs?|asthma|"
    r"diabetes|eczema|arthritis|adhd|autism|crohn['’]?s|migraines|epilepsy|allerg\w+))"
    r"|(?:i|we)(?:['’]ve got|['’]ve|ve got) (?:an? |two |three |four |\d )?(?:\w+ )?(?:kids?|sons?|daughters?|"
    r"twins|toddlers?|bab(?:y|ies)|cats?|dogs?|asthma|diabetes|eczema|arthritis|adhd|migraines|epilepsy)\b"
    r"|(?:i['’]?m|i am) (?:doing|writing|building|making|planning|organi[sz]ing|researching|studying for|training for|"
    r"working on) (?:my|our|an?) (?:[\w-]+ ){0,3}(?:dissertation|thesis|capstone|novel|degree|phd|masters|marathon|"
    r"wedding|extension|coursework)\b)",
    re.I,
)
_WORK_ZH = re.compile(
    r"(?:^|[，,。！!\s])(?:我|俺|咱)(?:最近|现在|今年)?(?:正在?|在)(?:写|做|准备|备考|忙)(?:我的|我)?[^\s，。！？]{0,4}"
    r"(?:毕业论文|论文|毕设|毕业设计|课题|考研|考公|考编|高考|中考)"
)
_BODY_ZH = re.compile(
    r"(?:^|[，,。！!\s])(?:我|俺|咱)(?:也|还|有点|一直|从小|特别|很|挺|最)*(?:鞋码(?:是)?\s*\d|晕车|晕船|晕机|恐高|"
    r"怕(?:高|狗|猫|打雷|黑|蛇)|扁平足|散光|近视|"
    r"耳背|失眠(?:好|很)?多?年|身高\s*\d|体重\s*\d|血型|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|"
    r"\S{0,2}是[白金双巨狮处天射摩水]\S{1,2}座)"
)
_BODY_EN = re.compile(
    r"(?:^|[,.;!?\n]\s*|\b(?:know|context|btw|fyi|but|and|so)[,:]?\s+)(?:i['’]?m|i am) (?:\w+ )?(?:deaf|"
    r"hard of hearing|blind in|(?:afraid|scared|terrified) of |"
    r"long[- ]sighted|short[- ]sighted|near[- ]?sighted)|\bmy (?:shoe|ring|collar|hat|dress) size is \w|"
    r"\bi take a size \d|\bi get (?:migraines|travel sick|car ?sick|seasick)",
    re.I,
)
_OTHERS_ZH = re.compile(
    rf"(?:^|[，,。！!\s])(?:我|俺|咱)?(?:们家?|家)?(?:的)?(?:(?:孩子|娃)他?[爸妈爷奶]|老伴儿?|那口子|{KIN}|老[大二三四幺]|"
    rf"[大二三]宝)[^，。！!？?\s]{{0,4}}?(?:也|还|一直|从小|现在|"
    rf"是个)?"
    rf"(?:对\S{{1,8}}过敏|[^\s，。,对不没]{{1,4}}过敏(?!药|季|原|源|科|测)|是[^，。！!？?吗呢]{{0,6}}{_TRADE_ZH}|吃素|吃斋|不能吃\S{{1,6}}|"
    rf"有?(?:糖尿病|高血压|哮喘|"
    rf"痛风)|晕车|晕船|色盲|耳背|怀(?:孕|二胎|三胎))"
)
_OTHERS_EN = re.compile(
    rf"{SAID_EN.pattern}(?: [A-Z][\w'’-]+)? (?:also |still )?"
    r"(?:wears (?:an? )?(?:hearing aids?|glasses|braces|contacts?|"
    r"contact lenses|an eye patch|a brace|an insulin pump)|uses a (?:wheelchair|walking stick|walker|frame|cane))\b|"
    rf"{SAID_EN.pattern}(?: [A-Z][\w'’-]+)?(?:['’]s| is| are|['’]re) (?:also |badly |very |still |now )*"
    rf"(?:an? (?:[\w-]+ ){{0,2}}{TRADE_EN}|vegan|vegetarian|coeliac|celiac|diabetic|deaf|blind|pregnant|retired|"
    rf"allergic to|gluten[- ]free|lactose|"
    r"left[- ]handed|colou?r[- ]?blind|afraid of|scared of)\b",
    re.I,
)
_PET_ZH = re.compile(  # 我们家猫叫年糕
    r"(?:^|[，,。！!\s])(?:我|俺|咱)(?:们)?家?(?:的|那只|那条)?(?:猫咪?|狗子?|兔子|仓鼠|鹦鹉|乌龟)叫[^，。！？\s吗呢什啥]{1,6}(?=$|[，,。！!\s])"
)
_OWNS_ZH = re.compile(  # what sort a thing of one's own is: 俺那小货车是烧柴油的
    r"(?:^|[，,。！!\s])(?:我|俺|咱)(?:们家?|家)?(?:的|那|这)(?:[辆台只个条部架把间套])?[^，。！!？?\s]{0,4}"
    r"(?:车|电脑|手机|平板|相机|耳机|打印机|冰箱|洗衣机|空调|热水器|灶|房子?|屋|船|琴|吉他|表|鞋|锅|烤箱|灯)"
    r"是[^，。！!？?\s吗呢啥谁哪几什么]{1,8}的(?=$|[，,。！!\s])"
)
_ASKS = re.compile(r"[?？吗呢么]\W*$")
_SHOWN = re.compile(r"[「『“\"]")


def lasts(text: str, language: Language) -> bool:
    """Whether a sentence says a lasting thing of the person, and no quotation does: 我对花粉过敏, "I'm a baker"."""
    forms = (
        (_ZH, _BODY_ZH, _OTHERS_ZH, _OWNS_ZH, _WORK_ZH, _PET_ZH)
        if language == "zh"
        else (_EN, _BODY_EN, _OTHERS_EN)
    )
    told = [part.text for part in clauses(text) if not _ASKS.search(part.text)]
    return any(form.search(part) for form in forms for part in told) and _SHOWN.search(text) is None


def lasts_of_another(text: str, language: Language) -> bool:
    """Whether it is one of the person's people that it is told of: "my brother's vegan"."""
    forms = (_OTHERS_ZH, _PET_ZH) if language == "zh" else (_OTHERS_EN,)
    return any(form.search(text) for form in forms)
