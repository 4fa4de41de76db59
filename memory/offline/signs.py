"""Signs in and around a sentence of how it is meant: laughter, an "if", quotation marks, a nod after one's own
question, a scene that is played, work on a text …

None decides by itself; `earnest.py` weighs them beside the words. Form alone, some tenths of a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.offline.cues import for_good, mocks, orders, stands, states
from memory.offline.said import Said
from memory.scenes import opens_a_scene
from memory.speech_acts import relays
from memory.wording import Language
from memory.words import has_han

_LAUGHS = (
    r"\b(?:a?ha(?:ha)+h?|lol|lmao|rofl|heh+e*|jk|kidding|joking)\b|哈哈|嘿嘿|笑死|hhh|逗你|开玩笑|"
    r"[😂🤣😜😝😆😏😅🐶🙃🙄😉😄😁]|\[(?:doge|偷笑|狗头|捂脸|笑哭)\]"
)
_SUPPOSES = (
    r"如果|要是|假如|假设|倘若|万一|打个比方|比方说|理论上|想象|哪天|说不定|没准|换作|就当|"
    r"\b(?:if|suppose|supposing|imagine|assume|assuming|say|what if|were i|theor\w+|hypothetic\w*|thought experiment|"
    r"maybe|perhaps|might|some ?day|one day)\b"
)
_TEXT_WORK = (
    r"翻译|怎么说|咋说|通顺|语法|改写|润色|写[一个段份首篇]|帮\S{0,6}(?:写|填|改|拟)|列[个出成]|例句|简介|文案|"
    r"\b(?:translate|proofread|correct|grammar|rewrite|write|draft|turn .* into|bio|how do you say|what does|"
    r"sentence)\b"
)
_GAME = (
    r"\b(?:play|game|pretend|act(?:ing)?|scene|story|improv\w*|rehears\w*|role\w*|practi[sc]e|simulat\w*|mock|"
    r"character|"
    r"adventure|dungeon|quiz|you(?:['’]re| are| be| play| run) (?:my |a |an |the )|be (?:my|a|an|the)|"
    r"i'?m (?:the|a|an)|"
    r"imagine|let'?s)\b|"
    r"游戏|扮|演|模拟|假装|故事|对词|台词|跑团|剧本|角色|冒险|练练|练一下|你当|你是|我是|我当|设定|真心话|狼人杀|"
    r"开团|即兴|穿越"
)
_IN_SCENE = (
    r"[*＊].+[*＊]|【.+】|\b(?:your majesty|cap'?n|captain|arr+|aye|ye|thee|thou|m'?lord|your honou?r|dungeon|"
    r"quest|tavern|"
    r"sire|stranger|traveller|commander)\b|"
    r"本[座王宫官]|在下|小的|大人|大王|陛下|皇上|臣妾|客官|掌柜|少侠|姑娘|爱妃|奴婢|贫道|朕"
)
_NODS = (
    r"^\W*(?:ok(?:ay)?|k|right|got(?:cha| it)|i see|ah|oh|fair|noted|thanks?|cheers|ta|cool|nice|good|great|"
    r"perfect|sure|"
    r"alright|understood|makes sense|mm+|hm+|yep|yeah|nope?|nah|哦|噢|嗯|行|好|懂|明白|收到|知道|了解|谢|原来|这样|"
    r"那就|果然|没事|不用|别)"
)
# (name, where it is looked for, form)
_FORMS = tuple(
    (name, where, re.compile(form, re.I))
    for name, where, form in (
        ("laughs", "text", _LAUGHS),
        ("laughs beside", "whole", _LAUGHS),
        ("smirks", "text", r"[🙃🙄😏😜🤡🐶😅😂🤣]|\[(?:doge|狗头|白眼)\]"),
        ("supposes", "text", _SUPPOSES),
        ("supposes beside", "whole", _SUPPOSES),
        ("supposed before", "earlier", _SUPPOSES),
        (
            "only asks",
            "whole",
            r"好奇|随口|就问问|问一下|问问|测试|试试|打听|纯|没别的意思|"
            r"\b(?:just|only|purely) (?:curious|wondering|asking|a question|testing|checking)|"
            r"\b(?:curious|wondering|theoretical|academic|hypothetical)\b",
        ),
        (
            "once was",
            "text",
            r"以前|那会儿|当年|当时|小时候|从前|过去|上学时|有阵子|去年|那时|曾|"
            r"\b(?:used to|back then|back at|in those days|when i was|last (?:year|month|week)|once|years ago|"
            r"had|was|were|"
            r"did|told|said|made|kept)\b",
        ),
        ("works on a text", "text", _TEXT_WORK),
        ("works on a text beside", "whole", _TEXT_WORK),
        ("works on a text before", "before", _TEXT_WORK),
        (
            "goes too far",
            "text",
            r"[百千万亿]|一辈子|永远|宇宙|全世界|\b(?:hundred|thousand|million|forever|ever again|the moon|"
            r"everybody|nobody|"
            r"literally|obviously|clearly)\b",
        ),
        ("in a scene", "text", _IN_SCENE),
        ("heard in a scene", "heard", _IN_SCENE),
        ("was in a scene", "earlier", _IN_SCENE),
        ("of a game", "whole", _GAME),
        ("you", "text", r"你|您|\b(?:you|your|ye|u)\b"),
        ("me", "text", r"我|咱|俺|\b(?:i|i['’]m|my|me|mine)\b"),
        ("please", "text", r"请|麻烦|拜托|\b(?:please|pls)\b"),
        (
            "of others",
            "text",
            r"^\W*(?:my|our|the|his|her|their|mum|mom|dad|he|she|they|someone|somebody|everyone|people)\b|"
            r"^\W*(?:他|她|人家|别人|有人|公司|我们公司|学校|领导|老板|主管|我手机|系统|老[^师板]|小[^票])",
        ),
        (
            "gives in",
            "whole",
            r"呗|得了|算了|敢情|可不|好嘛|是是|对对|行行|好好好|得嘞|牛啊|呦|哟|"
            r"\b(?:oh sure|yeah right|by all means|of course|great|brilliant|wonderful|lovely|fine|right|cool cool|"
            r"love that)\b",
        ),
        ("exclaims", "text", r"[!！]"),
        ("exclaims much", "whole", r"[!！].*[!！]"),
        ("shouts", "text", r"(?-i:\b[A-Z]{3,}\b)"),
        ("asks", "text", r"[?？]\W*$|[吗呢]\W*$"),
        ("asks beside", "whole", r"[?？]\W*$|[吗呢]\W*$"),
    )
)
_GAMES, _NOD = re.compile(_GAME, re.I), re.compile(_NODS, re.I)
_ASKED = re.compile(r"(?:[?？]|[吗呢不没])[”」\"'\s]*$")
_QUOTED = re.compile(r"[「『“\"][^」』”\"]{2,}[」』”\"]|(?<!\w)'[^']{6,}'(?!\w)")
_SHORT_HAN, _SHORT = 14, 40  # characters of a nod that says nothing else


def signs(one: Said) -> Sequence[str]:
    """Those that a sentence bears, each also under the name of its language."""
    language: Language = "zh" if has_han(one.text) else "en"
    found = [name for name, where, form in _FORMS if (said := getattr(one, where)) and form.search(said)]
    found += _of_the_talk(one, language)
    quoted = sum(len(part[0]) for part in _QUOTED.finditer(one.text)) / max(len(one.text), 1)
    good, smiles = for_good(one.text), "laughs beside" in found
    for name, there in (
        ("quotes", quoted > 0),
        ("quotes a word", 0.1 < quoted <= 0.5),
        ("is a quotation", quoted > 0.5),
        ("for good", good),
        ("for good, you", good and "you" in found),
        ("for good, me", good and "me" in found),
        ("for good, laughing", good and smiles),
        ("for good, giving in", good and "gives in" in found),
        ("mocks", mocks(one.whole)),
        ("orders", orders(one.text)),
        ("stands", stands(one.text)),
        ("states", states(one.text, language)),
        ("relays", relays(one.text, language)),
        ("opens a scene", opens_a_scene(one.whole)),
    ):
        if there:
            found.append(name)
    return [*found, *(f"{name} {language}" for name in found)]


def _of_the_talk(one: Said, language: Language) -> Sequence[str]:
    """What the words before it make of it."""
    if not (one.earlier or one.heard):
        return []
    nods, short = (
        _NOD.search(one.text) is not None,
        len(one.text) < (_SHORT_HAN if language == "zh" else _SHORT),
    )
    asked, asks = _ASKED.search(one.earlier) is not None, _ASKED.search(one.heard) is not None
    games = len(_GAMES.findall(one.earlier))
    told = (
        ("earlier", bool(one.earlier)),
        ("heard", bool(one.heard)),
        ("was asked", asks),
        ("had asked", asked),
        ("had its answer", asked and not asks),
        ("nods", nods),
        ("nods, no more", nods and short),
        ("nods at the answer", nods and asked and not asks),
        ("short", short),
        ("played before", games > 0),
        ("played before, surely", games > 1),
        ("a scene before", opens_a_scene(one.earlier)),
    )
    return [name for name, there in told if there]
