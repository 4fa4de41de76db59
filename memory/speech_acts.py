"""What is done with the words: another's opinion is passed on, something is wondered about, keeping is insisted on.

Form alone, where it speaks plainly; what a message is in general tells the reader.
"""

from __future__ import annotations

import re

from memory.clauses import clauses, sentences
from memory.people import KIN
from memory.phrasing import is_question
from memory.wording import Language

_WHICH_ZH = re.compile(
    r"什么|啥|哪[里儿个些天家位种]?|谁|几[点号岁年个次时月]|多少|多[大高重久远长]|怎么|咋|为什么|"
    r"(?<!不)([^\s一两])不\1"
)
_WHICHEVER_ZH = re.compile(
    r"(?:什么|啥|哪[里儿个些天]?|谁|怎么|多[大久远])\S{0,4}?[都也]|不管|无论|不论|没什么|没啥|"
    r"没多[久少]|好几|十几|几十|差不多"
)
_RELAYS_ZH = re.compile(
    rf"^(?:\W|今天|刚才|刚刚|昨天|那个|有次)*(?P<who>(?:我(?:们|家)?的?"
    rf"(?=\S{{0,4}}(?:{KIN}))|(?![我你您咱]))[^\s，。,.!！?？]{{1,10}}?)\s*"
    r"(?:老?(?:说|讲)(?:过|了|是)?|原话|觉得|认为|建议|主张|要求|规定|嚷嚷)"
)
_ORDERED_ZH = re.compile(  # 我们领导又发话，说以后都…
    rf"^(?:\W|今天|刚才|昨天|那个)*(?:我们|咱们|我|公司|学校|群里|单位|部门)?(?:的|家|那)?(?:{KIN}|"
    rf"老大|头儿|行政|人事|财务|物业|甲方|群主|班主任|医生|大夫)"
    r"[^，。！？]{0,8}(?:发话|发飙|下令|通知|放话|开会|规定|要求|强调|交代|吩咐|嘱咐|"
    r"命令)[^，。！？]{0,4}(?:[，,:：]|说|让|叫|所有|以后|必须|一律)"
)
_NO_TELLER_ZH = re.compile(
    r"(?:[跟和对给][你我]|听我|话|之前|以前|上次|上回|前面|原来|当初|早先|开始|先前|比如|例如|来|"
    r"就是|也是|是|这么|那么|怎么|可以|再|接着|老实|直|总的|虽|听|未|不|没(?:有|怎么|特别|特意|明确|具体)?)$"
)
_RELAYS_EN = re.compile(
    r"^(?:(?:so|well|and|apparently|lol|hey|oh)\W+)*(?P<who>(?:[\w'’-]+ ){0,6}?[\w'’-]+) "
    r"(?:says?|said|reckons?|thinks?|told (?:me|us)|tells (?:me|us)|suggest(?:s|ed)|insists?|claims?|"
    r"keeps? (?:saying|telling))\b",
    re.I,
)
_NO_TELLER_EN = re.compile(
    r"\b(?:i|we|you|it|if|when|what|whatever|that|as|like|anything|everything|one)\b", re.I
)
_BACK_ZH = re.compile(
    r"^(?:算了|不了?|不对|那|嗯|又|要不|想了想|我改主意了|[，,、\s])*(?:还是?(?:(?:改|换|放|挪|移|"
    r"归|收|存|搁)(?:回去?|到|去|在|进)*)?|"
    r"(?:改|换|放|挪|移)回去?)(?P<where>[^，,。]{1,20}?)(?:里|中|那边)?(?:吧|好了?|算了|得了|了)?[。！!]*$"
)
_BACK_EN = re.compile(
    r"^(?:(?:no|nah|actually|hmm|ok|wait|on second thoughts?|scratch that|never mind)\W+)*"
    r"(?:(?:put|move|switch|change|go|keep) (?:(?:it|them|those|that) )?)?"
    r"(?:back (?:to|in|into|under)|(?:in|under)(?=.* after all)) "
    r"(?P<where>[\w&' /-]{1,40}?)(?: after all| again| then| please| instead)*[.!]*$",
    re.I,
)
_FORGETS = re.compile(
    r"^(?:(?:please|pls|ok|okay|actually|just|now|can you|could you)\W+)*(?:forget|erase|delete) "
    r"(?:what|where|who|when|how|which|that|about|the|my|our|whatever|everything|anything|all)\b|"
    r"^(?:请|麻烦|帮我|你|把)*(?:忘掉|忘记掉|删掉|删除|抹掉)(?=.{2})",
    re.I,
)
_PUTS_ZH = re.compile(
    r"^(?:我?改主意了|还是|那)?[，,]?(?P<take>[把将])?[^，,。？?！!]{1,14}(?:截图|截屏|照片|图片|"
    r"相片)(?:以后|今后|现在|请|都|就|全|一律|统一|还是)*"
    r"(?:改[放归存收]?|放|归|存|收)(?:到|进|入|在|去)+\s*[^，,。？?！!哪么吗呢谁几]{1,24}[。！!]?$"
)
_PUTS_EN = re.compile(
    r"^(?:(?:actually|now|ok|so|well)\W+)?[^,.;?!]{2,40}?"
    r"(?: (?:should )?(?:go|goes|belong|belongs) (?:in|into|to|under)|:)"
    r" [^,.;?!]{1,40}[.!]?$",
    re.I,
)
_THESE = re.compile(
    r"[这那]|刚才|刚刚|上一|上次|下一|这次|一次|今天|先|\b(?:this|that|these|those|it|once|today|"
    r"for now|last|next)\b",
    re.I,
)
_REQUESTS = re.compile(
    r"^(?:帮|给我|替|麻烦|请|推荐|写|查|算|找|看看?|想想|讲|说|所以|你|您|那|该|要不|能|可以|怎|咋|"
    r"求|有没有|记)|[不没]$|"
    r"^(?:please|pls|can|could|would|will|what|which|how|why|where|when|who|should|so|help|write|"
    r"draft|give|tell|show|"
    r"suggest|recommend|find|make|plan|look|check|remind|explain|list|is|are|do|does|did|any|thanks|"
    r"but|remember|note)\b",
    re.I,
)


def relays(text: str, language: Language) -> bool:
    """Whether it tells what somebody else says or thinks ("my sister reckons you should …", 老板说以后都…)."""
    found = (_RELAYS_ZH if language == "zh" else _RELAYS_EN).search(text.strip())
    if language == "zh" and _ORDERED_ZH.search(text.strip()):
        return True
    return found is not None and not (_NO_TELLER_ZH if language == "zh" else _NO_TELLER_EN).search(
        found["who"]
    )


def wonders(text: str, language: Language) -> bool:
    """Whether what reads as a fact asks for one, question mark or not (我用什么语言, 我吃不吃辣)."""
    if language == "en":
        return is_question(text, language)
    return is_question(text, language) or (
        _WHICH_ZH.search(text) is not None and _WHICHEVER_ZH.search(text) is None
    )


def deliberates(text: str) -> bool:
    """Whether the person only asks whether to do something (要不要都删了, "should I delete it all")."""
    return (
        re.search(r"要不要|该不该|是不是(?:该|要|得)|\b(?:should|shall|ought) (?:i|we)\b", text, re.I)
        is not None
    )


def back_to(text: str, language: Language) -> str:
    """The place in a change of mind that names nothing else: 还是改回旅行吧, "no, back to Bills after all"; else ""."""
    found = (_BACK_ZH if language == "zh" else _BACK_EN).match(text.strip())
    return found["where"].strip(" 「」『』\"'“”") if found else ""


# What one never or always does, said in few words and as no question. Adverbs of habit only: 我不… may be of today.


def puts_somewhere(text: str) -> str:
    """How sure the form is that a kind of picture goes to a place from now on: "save" (代码截图改放到草稿), else "".

    "ask" where it may be about the ones that are there, or about none (把代码截图放到草稿, "receipts go to 2026").
    """
    if _THESE.search(text):
        return ""
    if found := _PUTS_ZH.match(text.strip()):
        return "ask" if found["take"] else "save"
    return "ask" if _PUTS_EN.match(text.strip()) else ""


_LEAVES_OUT = re.compile(r"(?:别|不要|不用|甭)再?(?:放|搁|加)(?:了|啦|哈)?(?=$|[\s，,。.!！])")


def leaves_out(text: str) -> bool:
    """Whether something is to be left out of what is made (芒果就别放了), which files no picture."""
    return _LEAVES_OUT.search(text) is not None


_POINTS = re.compile(
    r"^\W*(?:我[拍发截]的)?这(?![种类])|^\W*那几|^\W*(?:第?[\d一二三四五六七八九十]+号|#\d+|(?:number|no\.?|"
    r"picture|photo) #?\d+)|"
    r"^[^，。]{0,6}那[张幅]$|"
    r"^\W*(?:the )?(?:attached|following|above)\b|^\W*(?:this|these|those)\b(?! (?:kinds?|sorts?|types?))",
    re.I,
)


def points_at(what: str) -> bool:
    """Whether a kind of picture is no kind but some that are there: 这几页, "these two"."""
    return _POINTS.search(what) is not None


def wants_forgotten(text: str) -> bool:
    """Whether it opens as the order to forget something ("forget what my aunt is called"), however it goes on."""
    return _FORGETS.match(text.strip()) is not None


_NOT_FORGOTTEN = re.compile(
    r"(?:别|不要|不许|不能|不准|勿|甭|没让你)[^，。,.]{0,3}(?:忘|删|清)"
    r"|\b(?:don['’]?t|do not|never|not to|not)\b[^,.]{0,12}\b(?:forget|delete|remove|erase|lose)\b",
    re.I,
)


def not_to_be_forgotten(text: str) -> bool:
    """Whether it asks that something stay: 别忘了我对虾过敏, "don't ever delete my allergy"."""
    return _NOT_FORGOTTEN.search(text) is not None


_FORGETS_INSIDE = re.compile(
    r"(?:[那这][条个]|记的|存的|\S事儿?|记忆|记录)[，,]?(?:就|都|也|给我|帮我|可以|请)*(?:删|划|抹|清|去)(?:了|掉|"
    r"除)?(?:吧|好了|就行|$|[，,。！!])"
    r"|(?:[那这][条个]|\S事儿?)(?:就|也|你)*(?:别|不要|不用|不必)(?:再)?(?:留|记|存)(?:着|了|住)*(?:吧|$|[，,。！!])"
    r"|^(?:\W|那|就|嗯|对|好)*(?:删|抹)(?:了|掉)(?:吧|它|$|[，,。！!])"
    r"|\b(?:you can|can you|could you|please|just) (?:drop|ditch|scrap|lose|delete|remove|forget) (?:the|that|my) "
    r"[^?.!,]{2,30}? (?:thing|rule|note|line|entry|one)\b"
    r"|\b(?:can|could|would) (?:you|u) (?:please |pls |just )*(?:forget|delete|erase|remove) (?:the|that|what|"
    r"about|my)\b[^?.!]{2,40}"
    r"(?:thing|stuff|bit|part|note|entry|memory|line|one|info)\b",
    re.I,
)


def forgets(text: str) -> bool:
    """Whether it asks amid other words that something kept should go: 那条删了吧, "can you forget the bike thing"."""
    ordered = _FORGETS_INSIDE.search(text) or any(wants_forgotten(part.text) for part in sentences(text))
    return bool(ordered) and not deliberates(text)


def carried_on(text: str, kept: str, language: Language) -> str:
    """A kept statement with the clauses that go on in its sentence: "…, used to be a miner". Not with a request."""
    end = text.find(kept) + len(kept)
    home = next((part for part in sentences(text) if part.start < end <= part.end), None)
    if home is None or kept not in text:
        return kept
    for part in clauses(text):
        if part.start < end - 1 or part.start >= home.end:
            continue
        if _REQUESTS.search(part.text) or wonders(part.text, language):
            break
        end = part.end
    return text[text.find(kept) : end]


_HOW_KNOWN = re.compile(  # "how do you know?", which says nothing of what
    r"^\W*(?:那|咦|哎|嗯)?\W*(?:你|您)?(?:是|又|都)?(?:怎么|咋|如何|为什么|为啥|凭什么|从哪儿?|从哪里|哪儿?|哪里|"
    r"什么时候)?(?:会)?"
    r"(?:知道|晓得|听说|这么(?:说|想|觉得|认为|回答)|觉得|认为|得知|看出来|记得|听来|来|说)?(?:的|了|这个|这些|"
    r"这样|到)*"
    r"[呢啊呀吗]?\W*$|"
    r"^\W*(?:and|but|so|wait|hm+)?\W*(?:why|how|what makes you|how come|where)?\W*"
    r"(?:do|did|would|can|could)?\W*(?:you)?\W*(?:think|know|say|believe|get|have|learn|hear|assume)?\W*"
    r"(?:so|that|this|it|about that|about it|about this|from)*\W*$",
    re.IGNORECASE,
)
_ASKS_HOW = re.compile(
    r"怎么|咋|如何|为什么|为啥|凭什么|从哪|哪[儿里]|什么时候|\b(?:why|how|where|what makes)\b", re.IGNORECASE
)
_SHORT = 40  # characters of a question that says nothing of what it is about


def asks_how_known(text: str) -> bool:
    """Whether it is asked how something is known, or why it was said, and left open what: what was just answered."""
    if len(text) > _SHORT or not _ASKS_HOW.search(text):
        return False
    return _HOW_KNOWN.fullmatch(text) is not None
