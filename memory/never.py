"""What is never remembered, whoever asks: secrets, permissions, and business facts that change by the hour.

A permission that lay in memory would let a later model act without asking; a stored price is wrong by tomorrow and
would be told as if it were known. Both are known by form, so that nothing can talk the guard round.
"""

from __future__ import annotations

import re

from memory.filing_rules import read_rule
from memory.secret_shapes import secret_in
from memory.wording import Language, say
from memory.words import visible

_DEED_ZH = (
    r"(?:删|付|转账|汇款|发送|发出|发邮件|发消息|发信|下单|购买|买|支付|执行|运行|提交|部署|登录|访问|改动|修改|"
    r"覆盖|清空|同意|"
    r"批准|签|授权|安装|卸载|格式化)"
)
_UNASKED_ZH = (
    r"(?:(?:不用|不必|无需|不需要|别|不再|用不着|不要|免)(?:再|来|先|经过?)?(?:问|找|请示|征求|向我|经我|我|"
    r"用户)?.{0,4}"
    r"(?:问|确认|同意|批准|许可|请示|意见|授权)|(?:不经|未经|不经过|无须)(?:我|用户)?.{0,4}(?:同意|确认|批准|许可)|"
    r"擅自)"
)
_DEED_EN = (
    r"\b(?:delet\w+|remov\w+|pay\w*|send\w*|transfer\w*|order\w*|buy\w*|purchas\w+|execut\w+|run\w*|"
    r"submit\w*|deploy\w*|"
    r"access\w*|log ?in|approv\w+|sign\w*|install\w*|overwrit\w+|wip\w+|modif\w+|post\w*|e-?mail\w*|act)\b"
)
_UNASKED_EN = (
    r"(?:\bwithout (?:asking|checking|confirm\w*|(?:my |their |the user's )?(?:permission|approval|"
    r"consent|confirmation))"
    r"|\b(?:no need to|don['’]?t|do not|need not|never) (?:ask|check with|"
    r"confirm with)\b[^.]{0,24}\b(?:before|first|to))"
)
_PERMISSION = re.compile(
    rf"{_UNASKED_ZH}.{{0,12}}{_DEED_ZH}|{_DEED_ZH}.{{0,16}}{_UNASKED_ZH}|"
    rf"{_UNASKED_EN}.{{0,40}}{_DEED_EN}|{_DEED_EN}.{{0,40}}{_UNASKED_EN}|"
    r"(?:拥?有|授予|给你|获得)了?.{0,6}(?:管理员|最高|全部|完全|所有|root|sudo).{0,4}权限?|(?:授权|准许|允许|"
    r"批准)(?:你|助手).{0,20}"
    rf"{_DEED_ZH}|"
    r"\b(?:have|has|with|grant\w*|given?|gave) (?:\w+ ){0,3}(?:admin\w*|root|sudo|full) (?:rights?|"
    r"access|privileges?|permissions?)|"
    r"\b(?:grants?|granted|gives?|gave|has|have) (?:\w+ ){0,3}(?:permission|authori[sz]ation) to\b|"
    rf"\b(?:you|the assistant|it)(?: may| are allowed to|['’]re allowed to| is allowed to| are authori[sz]ed to|"
    rf"['’]re authori[sz]ed to| is authori[sz]ed to) (?:now |always )?{_DEED_EN}|"
    r"(?:授权|批准|准许|特批|给了?)(?:了|过)?(?:我|用户)[^，。,]{0,4}(?:看|查|访问|查看|调|改|用|进|"
    r"登)[^，。,]{0,12}(?:薪|工资|权限|数据|账|库|系统|后台|档案|记录|资料|机密)|"
    r"(?:我|用户)(?:现在|这边)?(?:就)?(?:是|有|拿到)[^，。,]{0,4}(?:最高|全部|所有|管理员|超级)[^，。,]{0,3}权限|"
    r"(?:老板|领导|经理|主管|总监|公司)[^，。,]{0,6}(?:授权|批准|特批|准许)(?:了|过)?(?:我|用户)|"
    r"(?:查|看|调|改|访问)[^，。,]{1,14}(?:都|就|也)?(?:不用|不必|无需|不需要|用不着|别)再?(?:核|验|查|确认|申请|"
    r"问)[^，。,]{0,4}权限|"
    r"\b(?:authori[sz]ed|cleared|approved|permitted|allowed)(?: (?:me|the user|us))? to (?:see|view|access|read|"
    r"look at|open|pull|change|edit|use|approve)\b|"
    r"(?:不需要|不用|不必|免)(?:再|二次|重复)*(?:确认|核对)|(?:不用|别|不必)再?(?:跟|和|向)我(?:核对|确认)|别等我点头|"
    r"你(?:以后)?(?:可以|能|就|替我|直接|自己)+[^，。,]{0,6}(?:付款|转账|汇款|还款|还贷|签字|签合同|签就行|登录|下单)|"
    r"\byou (?:can|may) (?:now |always |just )*(?:pay|spend|transfer|log ?in|buy|order|approve|sign)\b|"
    r"\b(?:don['’]?t bother|never ask(?: me)? for|skip the) (?:confirm\w*|checks?)\b|"
    r"\b(?:no|without) (?:confirmation|approval|permission|sign-?off)s?(?: is| are)? (?:needed|required|necessary)\b|"
    r"\bwithout (?:running|clearing|passing|checking) (?:it|them|that|this|anything|those) (?:by|with|past) me\b|"
    r"\b(?:blanket|standing) (?:ok(?:ay)?|approval|permission|consent)\b|"
    r"\b(?:assume|consider) (?:that )?(?:i(?:['’]ve)? (?:approved?|agreed?|consent\w*|said yes)|"
    r"my (?:approval|consent))\b|"
    r"(?:以后|一律|凡是|每次|默认)[^，。]{0,16}替我(?:点|做主|接受|同意|答应|批准|签|付|买|订|发|删)|"
    r"默认我(?:已经|都)?(?:同意|批准|答应)|不(?:说话|吭声|回复?)就(?:当|算)我(?:同意|批准|答应)|"
    r"(?:以后|今后|这种|这类)[^。]{0,14}[你您]看着(?:付|买|订|发|扣|删|转|办)|"
    rf"(?:你|助手|机器人|AI).{{0,4}}(?:有权限?|被授权|获准)(?:直接|自动|自己|随时)?.{{0,6}}{_DEED_ZH}",
    re.I,
)
_FORBIDS = re.compile(  # the very opposite: nothing without being asked
    r"(?:别|不要|不准|不许|禁止|不得|不能|不可以?)[^，。,]{0,8}(?:擅自|不经|未经|没经|不问我?就)"
    r"|(?:擅自|不经|未经|没经?过?)[^。]{0,10}[，,]?[^。，,]{0,4}(?:别|不要|不准|不许|禁止|不得|不能|不可以?)"
    r"|\b(?:never|don['’]?t|do not|must not|mustn['’]?t|may not|cannot|can['’]?t|should not|shouldn['’]?t|not to|"
    r"nothing|not)\b"
    r"[^.,;]{0,40}\b(?:without|unless|before|until) (?:first )?"
    r"(?:asking|checking|confirm\w*|running|clearing|passing|i |my |"
    r"you ask|(?:my |their |the user)[^.]{0,20}(?:permission|approval|consent))",
    re.I,
)
_MONEY = (
    r"(?:[$€£¥￥]\s*\d|\d[\d.,]*\s*"
    r"(?:元|块|美元|美金|欧元|日元|港币|刀|万|dollars?|euros?|pounds?|usd|eur|rmb|cny))"
)
_LIVE = re.compile(
    r"(?:价格|单价|股价|售价|现价|汇率|市值|市价|金价|油价|币价|行情|大盘|指数)[^，。,]{0,10}?\d|"
    rf"(?:现在|目前|今天|今日|当前|现价|涨到|跌到)[^，。,]{{0,8}}{_MONEY}|{_MONEY}[^，。,]{{0,4}}(?:一股|每股|一枚)|"
    r"(?:库存|存货|现货|余量|余票|剩余)[^，。,]{0,10}?\d|(?:还剩|只剩|仅剩)[^，。,]{0,3}\d+\s*(?:件|台|箱|个|套|双|"
    r"瓶|盒|张|份|吨|kg)|"
    r"(?:申请|订单|采购|报销|合同|流程|审批|单子|请假|发票|付款|需求|预算单)[^，。,]{0,10}"
    r"(?:已|刚|还没|尚未|未|没|正在|被|等待|待)[^，。,]{0,4}(?:批|审|通过|驳回|拒)|"
    r"(?:审批|审核|合同|报销|申请|订单|采购单?|流程)[^，。,的]{0,6}(?:通过|批准|批|驳回)"
    r"(?:了(?!再|才|之?后|以后|就|吗|没)|(?=[。！!\s]*$))|"
    r"(?:现在|目前|今天|已经?|暂时|又|还是?)[^，。,]{0,8}(?:缺货|断货|没货|有货|到货|售罄|卖完|卖光)|"
    r"(?:缺货|断货|没货|到货|售罄|卖完|卖光)了(?!再|就|才|之?后|以后|的)|"
    r"\d\s*(?:元|块|万|美元|欧元)?\s*(?:一|每|/)\s*(?:[瓶件斤克箱盒吨股张份]|台(?!北|湾|州)|个(?!月|小时|半|人|"
    r"星期|学期|季))|"
    r"(?:已|刚|还没|尚未)(?:经|被)?(?:批准|批了|审批|审核|驳回|通过)[^，。,]{0,12}(?:申请|订单|采购|报销|合同|流程|单)|"
    r"\b(?:price|share price|stock price|exchange rate|market cap|quote|rate)\b[^.]{0,30}\b(?:is|are|"
    r"was|at|now|to|of)\b[^.]{0,12}\d|"
    r"\b(?:costs?|trades? at|sells? for|is priced at)\b[^.]{0,8}\d|"
    r"\b(?:stock|inventory)\b[^.]{0,30}\b(?:is|are|at|of|has|down to)\b[^.]{0,8}\d|"
    r"(?<!\bthat )(?<!\bwhich )\b(?:is|are|was|were|['’](?:s|re)|back|currently|now)(?: \w+)? "
    r"(?:in|out of|low on) stock\b|"
    r"\b\d+ (?:\w+ )?(?:units?|pieces?|items?|seats?|tickets?)? ?(?:left|in stock|remaining)\b|"
    r"\b(?:order|request|application|invoice|expenses?|purchase|contract|leave|refund|claim|report|"
    r"budget)\b[^.]{0,24}"
    r"\b(?:is|are|has been|have been|was|were|got|is still|is now)\b[^.]{0,12}\b(?:approved|rejected|"
    r"pending|declined|denied|"
    r"under review|awaiting approval)\b",
    re.I,
)
_LASTING = re.compile(
    r"预算|工资|薪|收入|奖金|存款|贷款|学费|会费|年费|房租|租金|月供|以内|以下|以上|不超过|上限|至少|至多|提醒|"
    r"如果|一旦|"
    r"时候?[，,]|默认|一律|"
    r"\b(?:budget of|at most|under|no more than|up to|rent|salary|wages?|earns?|mortgage|tuition|fees?|"
    r"membership|limit|when|if|"
    r"whenever|remind|by default|always)\b",
    re.I,
)


def permits(text: str) -> bool:
    """Whether it claims or grants a permission."""
    return _PERMISSION.search(text) is not None and _FORBIDS.search(text) is None


def forbidden(text: str, language: Language) -> str | None:
    """Why a line, or what somebody wants remembered, is on the never-list; None when it is not."""
    text = visible(text)
    if kind := secret_in(text):
        return say(language, "secret", what=say(language, kind))
    if permits(text):
        return say(language, "permission")
    if _LIVE.search(text) and not _LASTING.search(text) and read_rule(text, None) is None:
        return say(language, "live")
    return None
