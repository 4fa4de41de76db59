"""Is what is to be stored covered by what the person said: its numbers, its names, its polarity?

A line may be put into better words than the person used; it may not hold a number or a name they did not say, and
it may not turn a "never" into an "always".
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from memory.dates import CALENDAR, find_dates, number_of
from memory.past_dates import find_past
from memory.periods import last_day
from memory.words import HAN, content, covered, fold, has_han, jaccard, squeeze

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ZH_NUMBER = re.compile(r"[零〇一二两三四五六七八九十]{1,4}")
_EN_NUMBER = {
    word: str(i)
    for i, word in enumerate(
        (
            *(
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
            ),
            *(
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ),
        )
    )
} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "hundred": "100",
    "noon": "12",
    "midnight": "0",
    "once": "1",
}
_EN_NUMBER |= {"twice": "2", "half": "30", "quarter": "15"}
_COUNTED = re.compile(
    r"(?<![一第])([二两三四五六七八九十]{1,3})(?:只|个|条|张|次|岁|年|天|句|点|层|楼|号|块|元|公里|斤|杯|瓶|本|位|"
    r"口|小时|分钟|周|月)"
)
_CLOCK = re.compile(
    r"\d{1,2}:\d{2}|(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})[点點时時](?:半|(?:[\d一二三四五六七八九十]{1,3})分?)?"
)
_GAP = re.compile(r"(?<=\d)\s+(?=[点點时時])")
_HOUR_EN = re.compile(
    r"\b\d{1,2}\s?[ap]\.?m\b|\b(?:at|after|before|by|until|till|from|past) \d{1,2}\b(?!\s*(?:%|\w))", re.I
)
_NO_NAMES = frozenset(
    ["API", "URL", "PDF", "ID", "TV", "PC", "CSV", "SQL", "HTML", "JSON", "SMS", "OK", "FAQ"]
)
_QUOTED = re.compile(r"[「『“\"‘]([^」』”\"’]{1,60})[」』”\"’]")
_LATIN = re.compile(rf"[A-Za-z][^\s{HAN}，。；：、「」『』“”‘’\"'(){{}}<>!?！？,;:]*")
_CLAUSE = re.compile(
    r"[，。；;！!？?\n、]|,\s|\.\s|\bbut\b|"
    r"\bso\b(?= (?:skip|leave|avoid|no|maybe|please|do|don['’]?t|never|can|just|i|it|we|no)\b)|\binstead\b|但是|而是|"
    r"\band\b(?= (?:he|she|it|they|i|we|my|his|her|our)\b)|(?=[你您](?:可|就|千万)?(?:别|不要|甭))"
)

_NO_ZH = re.compile(
    r"不(?!错|少|同|过|得不|断|久|管|仅|但|客气|好意思|知道|是吗|行吗)|没(?!关系|错|事)|别(?!人|的|墅|名|处|致)|勿|"
    r"莫|甭|免(?!费)|禁止|讨厌|拒绝|忌(?!讳)"
)
_NO_EN = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|without|neither|nor|cannot|hates?|hated|dislikes?|avoids?|"
    r"stop|skip|"
    r"refuses?|\w+n['’]t|dont|doesnt|didnt|isnt|arent|wasnt|werent|cant|wont|wouldnt|shouldnt|couldnt|havent|hasnt)\b",
    re.I,
)
_SOFT = re.compile(
    r"最多|至多|以内|只|仅|少|无|限|简|短|at most|only|less|under|instead|rather|short|brief|allerg|过敏|free\b",
    re.I,
)
_ALONE_ZH = re.compile(
    r"^(?:对[，,]?)?(?:就|都|还是)?(?:这样|这么|那样|那么|如上|同上|照旧|照刚才|像刚才)|就这样|这么弄|那么弄|(?:照|"
    r"按)(?:着)?(?:这|那)(?:样|个|么|种)|如上所述|照刚才"
)
_ALONE_EN = re.compile(
    r"\b(?:as above|like that|like this|this way|that way|do that|do this|the same way|as before)\b", re.I
)


def numbers(text: str) -> set[str]:
    """Numbers in digits, without leading zeros: "07:05" → {"7", "5"}; Chinese and English words count too."""
    text = unicodedata.normalize("NFKC", text)
    found = {part.lstrip("0") or "0" for run in _NUMBER.findall(text) for part in re.split(r"[.,:]", run)}
    found |= set(_NUMBER.findall(text))
    for run in _ZH_NUMBER.findall(text):
        value = number_of(run)
        if value is not None:
            found.add(str(value))
    found |= {_EN_NUMBER[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _EN_NUMBER}
    return found


_ISO = re.compile(r"\b20\d\d-\d\d(?:-\d\d)?\b|20\d\d\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?")
_RELATIVE = re.compile(
    r"\b(?:weeks?|fortnight|months?|years?|today|tomorrow|tmrw|yesterday|tonight|weekend|summer|spring|autumn|winter|ago|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|[今明昨后前]天|[下上这本]|周|星期|礼拜|[月年]|暑假|寒假",
    re.I,
)
_FROM_THERE = re.compile(
    r"\b(?:a|one|two|three|four) weeks? (?:on|from|today)\b|\bfortnight\b", re.I
)  # no rule of ours
_FAR = 500  # days from today to which a relative date may reach


def _near(day: str, at: datetime) -> bool:
    year, month = (int(part) for part in re.findall(r"\d+", day)[:2])
    return abs((year - at.year) * 365 + (month - at.month) * 30) <= _FAR


def uncovered_number(text: str, words: str, at: datetime) -> str | None:
    """A number of the text that the words do not hold, resolved dates and clock times allowed; None = all held."""
    held = numbers(words)
    for dated in (*find_dates(words, at), *find_past(words, at)):
        for day in (dated.first, dated.last):
            held |= {str(day.year), str(day.month), str(day.day), f"{day:%m}", f"{day:%d}"}
    if end := last_day(words, at):
        held |= {str(end.year), str(end.month), str(end.day), f"{end:%m}", f"{end:%d}"}
    held.add(str(at.year))  # a day that is resolved has one
    if _CLOCK.search(_GAP.sub("", words)) or _HOUR_EN.search(words):
        held |= {str(int(n) + 12) for n in held if n.isdigit() and int(n) < 12} | {"0", "00"}
        held |= {"30"} if "半" in words else set()
        held |= {str(int(n) - 12) for n in held if n.isdigit() and 12 < int(n) < 24}
    text = unicodedata.normalize("NFKC", text)
    if _FROM_THERE.search(words) or (_RELATIVE.search(words) and not find_dates(words, at)):
        text = _ISO.sub(
            lambda day: " " if _near(day[0], at) else day[0], text
        )  # resolved: "a week on Tuesday"
    for run in _NUMBER.findall(text):
        parts = [part.lstrip("0") or "0" for part in re.split(r"[.,:]", run)]
        if run not in held and not all(part in held for part in parts):
            return str(run)
    for counted in _COUNTED.finditer(text):
        value = number_of(counted[1])
        if value is not None and value >= 2 and str(value) not in held and counted[1] not in words:
            return str(counted[1])
    return None


def uncovered_name(text: str, words: str) -> str | None:
    """A quoted or capitalised Latin name of the text that the words do not hold; None = all held."""
    held = squeeze(words)
    for name in _QUOTED.findall(text):
        if squeeze(name) not in held:
            return str(name).strip()
    words_held = {word.casefold() for word in _LATIN.findall(unicodedata.normalize("NFKC", words))}
    for found in _LATIN.finditer(unicodedata.normalize("NFKC", text)):
        name = found[0].rstrip(".")
        before = text[: found.start()].rstrip()
        opens = not before or before[-1] in ".!?。！？:："  # a sentence opens with a capital anyway
        stem = name.casefold().removesuffix("s").removesuffix("'")
        if not name[:1].isupper() or name == "I" or name in _NO_NAMES or (opens and name[1:].islower()):
            continue
        if name.casefold() not in words_held and squeeze(stem) not in held and stem not in CALENDAR:
            return name
    return None


_BORNE = 0.3  # share of a line's matter that the person's words must hold; a paraphrase keeps more


def unborne(text: str, words: str) -> bool:
    """Whether a line has next to nothing to do with the words it is said to rest on.

    Nothing can be said of texts in two languages, nor of a line that is only a word or two.
    """
    matter = [word for word in content(text) if not word.isdigit()]
    if len(matter) < 2 or has_han(text) != has_han(words):
        return False
    return covered(matter, content(words)) < _BORNE


_NO_TURN = re.compile(
    r"要不(?!要|得|了|起|到)|(?:行|好|成|中|可以)不(?=$|[?？，。！\s])|"
    r"(?P<same>[能可好行是要会对])不(?P=same)(?:以|的)?|(?P<has>有)没有|"  # 能不能, 好不好 ask, and deny nothing
    r"(?:千万)?(?:别|不要|不能|不许)忘(?:记|了|掉)?|\b(?:don['’]?t|do not|never) forget\b",
    re.I,
)


def negations(text: str) -> int:
    """How many words turn it around."""
    text = _NO_TURN.sub(" ", text)
    return len(_NO_ZH.findall(text)) + len(_NO_EN.findall(text))


_ENDED = re.compile(  # what is so no more, with no "not" in it
    r"\b(?:gone|over|ended|finished|stopped|quit|left|dead|died|retired|cancell?ed|dropp?(?:ed)?|without)\b"
    r"|没了|停了|取消|退了|走了|去世|关了|撤了|换了|搬了",
    re.I,
)


def turned(text: str, words: str, whole: str = "") -> bool:
    """Whether the text says the opposite of the words.

    Args:
        whole: the message that the words are taken from: what the text denies may be denied elsewhere in it.


    A negated text needs a negation somewhere in the words. The other way round a paraphrase is common ("不要超过三句"
    → "最多三句"), so the text must repeat nearly all of a clause to be called its opposite.
    """
    denied = negations(whole or words) or _ENDED.search(whole or words)
    if negations(text) and not denied and not _SOFT.search(words):
        return True
    said = [(part, _about(part)) for part in _CLAUSE.split(_IS_NOT.sub(r"\1，\2", words))]
    for clause in _CLAUSE.split(text):
        about = _about(clause)
        if len(about) < 2 or _SOFT.search(clause):
            continue
        part, held = max(said, key=lambda pair: jaccard(about, pair[1]))
        alike = covered(about, held) >= 0.7 and covered(held, about) >= 0.5
        if alike and negations(part) % 2 != negations(clause) % 2:
            return True
    return False


_IS_NOT = re.compile(
    r"((?:是|叫|用|对)[^，。！？不]{1,10}?)(而?不(?:是|叫|用|对))"
)  # 是左撇子不是右撇子 says two things


def _about(clause: str) -> list[str]:
    """What a clause speaks of, its negations left out."""
    clause = _NO_TURN.sub(" ", clause)
    return content(_NO_EN.sub(" ", _NO_ZH.sub("", clause)))


def leans(text: str) -> str | None:
    """Words that mean nothing outside the talk they were said in ("就这样", "like that"), or None.

    Only where they carry the line: a short one, or one that opens with them.
    """
    folded = fold(text)
    found = _ALONE_ZH.search(folded) or _ALONE_EN.search(folded)
    if found and len(content(folded.replace(found[0], " "))) <= 6:
        return found[0]
    return None
