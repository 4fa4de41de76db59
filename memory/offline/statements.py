"""The independent statements in what somebody says: each becomes a line, to be changed and forgotten by itself.

Form alone, and careful: what leans on its neighbour (a pronoun for a thing, a "because", a clause without a subject
that could be about either) stays with it. Nothing is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.people import SAID_EN, SAID_ZH
from memory.phrasing import HAS_DONE
from memory.wording import Language

_MOST = 6  # statements; more than that is a story, and stays whole


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement."""

    text: str  # with its subject: "my wife works at a bank"
    quote: str  # as it was typed: "she works at a bank"


_I_EN = r"(?:i|we)(?:['’](?:m|ve|d|re|ll))? (?!guess\b|mean\b|think\b|hope\b|suppose\b|know\b|swear\b)\w|(?:im|ive) \w"
_OWN_EN = (
    r"(?:my|our) (?:[\w'’-]+ ){0,5}?(?:[\w-]+['’]s (?=an? |the |called |\d)|[\w'’-]+ "
    r"(?:is|are|was|were|has|have|had|can|can['’]?t|does|doesn['’]?t|died|got|went|lives?|works?|likes?|loves?|hates?|"
    r"plays?|speaks?|studies|teaches|runs?|comes?|goes|moved|turns|keeps|drives|eats|owns|started|retired)\b)"
)
_THEY_EN = r"(?:(?:she|he)(?:['’]s)? \w|(?:her|his) (?:[\w'’-]+ ){1,3}?(?:is|was|are)\b)"
_CUT_EN = re.compile(
    r"(?:[.!;\n]+\s+|\s*[,;]\s+|\s+)(?:(?:and|but|also|plus|&)\s+)?(?:also\s+)?"
    rf"(?=(?:{_I_EN}|{_OWN_EN}|{_THEY_EN}))",
    re.I,
)
_JOINS_EN = re.compile(r"[.!;,\n]|\b(?:and|but|also|plus)\b|&", re.I)
_HANGS_EN = re.compile(  # a clause that begins another's time, cause or condition, or stops in the middle
    r"^(?:and |but |so )*(?:if|when|whenever|while|although|though|because|since|unless|before|after|as|once|until|"
    r"given|even)\b|\b(?:said|says|told \w+|think|thinks|know|hope|guess|that|because|when|if|where|who|which|"
    r"since|while|like|as|with|than|to|of)$",
    re.I,
)
_LEANS_EN = re.compile(
    r"\b(?:it|it['’]s|its|that|this|there|them|those|these|both|ones?|too|either|neither|same|instead|then|therefore|"
    r"otherwise|so)\b",
    re.I,
)

_CUT_ZH = re.compile(
    r"(?:[，,；;。！!\n]\s*)+(?=(?:(?:另外|还有|而|然后)[，,]?)?"
    r"(?:我|俺|咱|[他她](?!们)|(?:住|不吃|不喝|从不|从来不|喜欢|讨厌|爱|血型|身高|体重|鞋码|生日|对\S{1,8}过敏|"
    r"在\S{1,12}(?:工作|上班|上学|读书))))"
)
_HANGS_ZH = re.compile(
    r"^(?:但是?|不过|虽然|因为|由于|如果|要是|每次|自从|只要|当|等|一到|除了)|(?:的时候|时|之后|以后|的话|之前|说|"
    r"觉得)$"
)
_LEANS_ZH = re.compile(r"[这那它]|^(?:也|还|又|就|才|所以|但|因为|而且)|一样|同上|也是")
_SUBJECT_ZH = re.compile(r"^(?:另外|还有|而|然后)?[，,]?(?:我|俺|咱|他|她)")
_BRINGS_ZH = re.compile(
    r"[养有买捡](?:了|着)?(?:[一二两三几\d]|个|只|条|辆|套)|认识|家里?有"
)  # "I have a cat, …": whose liking is it?


def statements(text: str, language: Language) -> list[Statement]:
    """The statements in it, at least one; a single one is the text itself."""
    pieces = _pieces(text.strip(), language)
    if not 2 <= len(pieces) <= _MOST:
        return [Statement(text.strip(), text.strip())]
    found: list[Statement] = []
    for piece in pieces:
        said = _with_subject(piece, [each.text for each in found], language)
        if said is None:  # it leans on the one before
            start = text.find(found[-1].quote)
            whole = text[start : text.find(piece, start) + len(piece)]
            found[-1] = Statement(found[-1].text + whole[len(found[-1].quote) :], whole)
        else:
            found.append(Statement(said, piece))
    return found


def _pieces(text: str, language: Language) -> list[str]:
    cut, hangs = (_CUT_ZH, _HANGS_ZH) if language == "zh" else (_CUT_EN, _HANGS_EN)
    pieces, start = [], 0
    for found in cut.finditer(text):
        if language == "en" and not _JOINS_EN.search(found[0]):
            continue  # "the bank my wife works at"
        left = text[start : found.start()].strip()
        if not left or hangs.search(left.rstrip(".,;，。；！!")):
            continue
        pieces.append(left)
        start = found.end()
    return [*pieces, text[start:].strip()]


def _with_subject(piece: str, before: list[str], language: Language) -> str | None:
    """The piece as a sentence of its own; None where it cannot be one."""
    if not before:
        return piece
    opening = re.split(r"[，,；;]|\b(?:and|but)\b", piece, maxsplit=1)[
        0
    ]  # a pronoun further on means what is there
    if (_LEANS_ZH if language == "zh" else _LEANS_EN).search(opening):
        return None
    return _subject_zh(piece, before) if language == "zh" else _subject_en(piece, before)


def _subject_zh(piece: str, before: list[str]) -> str | None:
    piece = re.sub(r"^(?:另外|还有|而|然后)[，,]?", "", piece)
    named = SAID_ZH.match(before[-1])
    if re.match(r"[他她]", piece):
        return f"{named[0]}{piece[1:]}" if named else None
    if _SUBJECT_ZH.match(piece):
        return piece
    if _BRINGS_ZH.search(before[-1]):
        return None
    if named:
        return f"{named[0]}{piece}"
    return piece if before[-1].startswith(("我", "俺")) or not _SUBJECT_ZH.match(before[-1]) else None


def _subject_en(piece: str, before: list[str]) -> str | None:
    they = re.match(r"(?P<who>she|he|her|his)(?P<is>['’]s)?\s+", piece, re.I)
    if not they:
        return piece
    named = list(SAID_EN.finditer(before[-1]))
    if len(named) != 1:
        return None  # nobody, or one of two
    who, rest = named[0][0], piece[they.end() :]
    if they["who"].lower() in ("her", "his"):
        return f"{who}'s {rest}"
    if they["is"]:
        return f"{who} {'has' if HAS_DONE.match(rest) else 'is'} {rest}"
    return f"{who} {rest}"
