"""Which stored lines an order to forget is about: the clear ones go, several that fit equally well are asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from memory.changes import Retire, Source
from memory.extraction import Extraction, Proposal
from memory.language import language_of
from memory.offline.at_hand import spoken_line
from memory.offline.targets import split_list, spoken_of
from memory.offline.understanding import Understanding
from memory.page import Line
from memory.phrasing import trimmed
from memory.search import Meanings
from memory.speech_acts import forgets
from memory.utterance import Utterance

# Chance of an order to forget from which it is carried out, and from which it is one.
_CERTAIN, _PERHAPS = 0.6, 0.2
_OTHER_THINGS = re.compile(  # what ends, or what is taken out of them, is no memory: 表格删掉第三行, 取消周三那个会
    r"列表|名单|清单|表格|行程|照片|图片|截图|相册|文件|邮箱|邮件|微信|通讯录|会员|订阅|歌单|第.{1,3}[行列条段页]|"
    r"提醒|闹钟|会议|[那这]个会(?![计员])|预约|订单|航班|"
    r"\b(?:lists?|inbox|mails?|e-?mails?|tables?|rows?|columns?|playlists?|albums?|photos?|pictures?|files?|carts?|basket|"
    r"calendar|itinerary|membership|subscri\w+|contacts?|reminders?|alarms?|meetings?|bookings?|appointments?|orders?|"
    r"trips?|flights?)\b",
    re.I,
)
_OF_MEMORY = re.compile(
    r"(?<!日)记(?![者号])|那条|这条|规矩|规则|"
    r"\b(?:rules?|notes?|memory|memories|remember\w*|record\w*|stored?|you have|you['’]ve got|line)\b",
    re.I,
)
_PUT_OFF = re.compile(
    r"推迟|延期|改期|提前|改到|挪到|\b(?:postpon\w+|put off|delayed|moved? to|pushed (?:back|to))\b", re.I
)
Sure = Literal["do", "ask", ""]


def how_sure(part: Understanding, line: Line | None) -> Sure:
    """How sure it is that a part wants something remembered to go, and not to end something else.

    Args:
        line: the one that it seems to mean.
    """
    meant = part.scores.get("forget", 0.0)
    other = [word[0] for word in _OTHER_THINGS.finditer(part.said) if line and word[0] not in line.text]
    if _PUT_OFF.search(part.said):
        return ""  # it takes place, on another day
    if other and not _OF_MEMORY.search(part.said):
        return ""
    if meant < _PERHAPS:
        return "ask" if forgets(part.said) else ""
    return "do" if meant >= _CERTAIN else "ask"


async def forgotten(
    found: Understanding,
    utterance: Utterance,
    earlier: Sequence[Utterance],
    lines: Sequence[tuple[str, Line]],
    source: Source,
    meanings: Meanings,
    sure: Sure,
) -> Extraction:
    """Lines the person wants gone, found by the words. Several that fit equally well are asked about, one by one."""
    about = trimmed(found.keep or utterance.text, language_of(utterance.text) or "zh")
    cosines = await meanings.cosines(about, [line.text for _, line in lines])
    clear, maybe = spoken_of(about, utterance.text, lines, cosines)
    each = [spoken_of(one, one, lines, None)[0] for one in split_list(about)]
    if len(each) > 1 and all(len(one) == 1 for one in each):
        clear, maybe = list(dict.fromkeys(id for one in each for id in one)), []
    line = None if clear else spoken_line(utterance, earlier, lines)
    if line and (line.id in maybe or not maybe):
        clear, maybe = [line.id], []  # 删了吧: what was spoken of just before
    proposals = tuple((Retire(id), source) for id in clear)
    asked: tuple[Proposal, ...] = tuple((Retire(id), source) for id in maybe)
    return Extraction(proposals, asked) if sure == "do" else Extraction((), (*proposals, *asked))
