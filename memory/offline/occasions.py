"""A wish that holds whenever the person does something: “when I send u a recipe link just list the ingredients”.

What is sent or looked for is when it holds (查菜价默认看成都的), and goes to no place.
"""

from __future__ import annotations

import re

from memory.wording import Language

_OPEN_ZH = r"^(?:\W|对了|那|还有|以后|今后|往后|但凡|凡是|只要|每次|每回|平时|要是|如果|当|下次起)*"
_GIVES_ZH = re.compile(
    _OPEN_ZH
    + r"(?:我|咱|俺)(?:给你|跟你|往这儿|在这儿|把)?(?:发|丢|甩|贴|转|传|扔|分享|问|说|提到|让你|叫你|要你|找你|查|搜)"
    r"(?P<what>[^，,。！？?]{1,16}?)(?:(?:给你|过来|进来|上来|来|到这)?的?(?:时候|时|的话)|给你|过来|进来|(?<=[了过]))[，,\s]*"
    r"(?P<order>[^？?]{3,})$"
)
_LOOKS_ZH = re.compile(  # a query default
    _OPEN_ZH + r"(?:(?:我|你|帮我|给我|替我)(?:要|让你)?)?(?:查|搜索?|找(?!人|对象|工作|老婆|老公)|翻(?!书)|"
    r"检索|查询)(?:我的?|一下)?"
    r"(?P<what>[^，,。！？?]{1,10}?)"
    r"(?P<order>(?:的时候|时|的话)?[，,\s]*(?:都|就|一律)?"
    r"(?:默认|缺省|不说就|"
    r"没说就|只(?:看|查|搜|翻|找|要|给|算|按)|就(?:看|按|查)|一律)"
    r"[^？?]{2,})$"
)
_GIVES_EN = re.compile(
    r"^\W*(?:(?:ok|and|so|also|please|hey|btw|from now on)\W+)*(?:when(?:ever)?|if|every ?time|any ?time|"
    r"each time) (?:i|we|you)"
    r"(?:['’]m)? (?:send|paste|drop|share|forward|fwd|write|draft|book|cite|quote|email|translate|give|post|show|"
    r"ask|search|look|say|type|upload|mention|want|"
    r"need|link|"
    r"text|message|hand|throw|dump)(?:ing)?\b(?P<what>[^.?!]{1,60}?)[,\s]+(?:then )?"
    r"(?P<order>(?:(?:please|just|only|always|can you|you can)[,\s]+)*(?:list|tell me|give me|use|start|begin|"
    r"sort|order|skip|"
    r"show|keep|don['’]?t|never|go|summari[sz]e|translate|answer|reply|explain|assume|check|include|"
    r"it['’]?s always|its always|"
    r"default to|stick to|limit|leave out|ignore|look|say|ask me|name|write|mark|"
    r"read|convert|sign off|sign|close|end|cc|bcc|point out|pull out|stop|do not|add)\b[^?]*)$",
    re.I,
)
_PLACED = re.compile(  # it goes somewhere: a filing rule
    r"(?:放|归|存|收|丢|扔|搁|塞|移|挪)(?:档)?(?:到|进|在|入|去)|归到|归档|「[^」]+」(?:里|分类|文件夹)|"
    r"\b(?:put|file|stick|save|store|keep|drop|archive) (?:it|them|that|those|these)\b[^.]*\b(?:in|into|under)\b|"
    r"\bgoe?s? (?:in|into|under)\b",
    re.I,
)
_THIS_TIME = re.compile(
    r"这次|这回|今天|明天|等[下会]|待会|刚才|"
    r"\b(?:this time|today|tomorrow|tonight|later|in a (?:sec|minute|bit)|just once|next)\b",
    re.I,
)
_BRING = re.compile(r"(?:提醒|叫|喊)我|\bremind me\b", re.I)  # that is a reminder


def on_occasion(text: str, language: Language) -> bool:
    """Whether it says what is to be done whenever the person sends, asks for or looks for something."""
    if _PLACED.search(text) or _THIS_TIME.search(text) or _BRING.search(text):
        return False
    forms = (_GIVES_ZH, _LOOKS_ZH) if language == "zh" else (_GIVES_EN,)
    return any(form.search(text.strip()) for form in forms)
