"""People talking in a messenger, told by its form: whatever they talk about, the picture is of their talk.

Sentence vectors hear the subject: a group that speaks of tiles and their delivery sounds like a delivery. The frame of
a messenger (a group with its size, who speaks, times between, the box to type in) is on no invoice and no parcel.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

CHAT = "chat"
TAKEN = 0.75  # of the chances of what is only talked about, what talk takes
SHOWN = ("code", "error")  # these are pasted into talk, and then what the picture is kept for

_GROUP = re.compile(r"^[<‹＜]?\s*\S.{0,30}[(（]\s?\d{1,4}\s?[)）]\s*[.…·]*$")  # a name and how many are in it
_FRAME = re.compile(
    r"^(?:按住 ?说话|发送|输入消息.*|说点什么.*|type a message.*|message\W*|write a message.*|imessage|已读.{0,6}|"
    r"(?:\[|【)(?:图片|语音|视频|位置|动画表情|文件|表情|捂脸|微笑|photo|sticker|voice message)(?:\]|】)|"
    r".{1,16}(?:拍了拍|撤回了一条消息|加入了群聊).*|read \d{1,2}[:：]\d\d|delivered|"
    r".{0,16}(?:正在输入|is typing|typing)\W*)$|@所有人|@everyone",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"^(?:昨天|今天|前天|星期.|周.|上午|下午|晚上|凌晨|yesterday|today|mon|tue|wed|thu|fri|sat|sun)?\w*[ ,]*"
    r"(?:上午|下午|晚上|凌晨)?\s*\d{1,2}[:：]\d\d\s*(?:am|pm)?$",
    re.IGNORECASE,
)
_NAME = re.compile(r"^(?:[\u3400-\u9fff]{2,5}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)$")
_SPEAKS = re.compile(r"^([\u3400-\u9fffA-Za-z]{1,8})[:：]\s?\S")
_HEAD = 4  # lines, of which one names the group


def is_talk(text: str) -> bool:
    """Whether the form of the lines is a messenger's."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    names = Counter(line for line in lines if _NAME.match(line))
    said = [found[1] for line in lines if (found := _SPEAKS.match(line))]
    signs = (
        any(_GROUP.match(line) for line in lines[:_HEAD]),
        any(_FRAME.search(line) for line in lines),
        sum(times for times in names.values() if times > 1) >= 2 or len(said) > max(2, len(set(said))),
        sum(_TIME.match(line) is not None for line in lines[1:]) >= 2,
    )
    return (signs[0] and sum(signs) >= 2) or (signs[1] and signs[2] and sum(signs) >= 3)


def told_as_talk(chances: Mapping[str, float], text: str) -> dict[str, float]:
    """The chances of the kinds, those of what is only talked about given to talk, where the form of the text is one."""
    if CHAT not in chances or not is_talk(text):
        return dict(chances)
    told = {kind: chance if kind in SHOWN else chance * (1 - TAKEN) for kind, chance in chances.items()}
    told[CHAT] += sum(chances.values()) - sum(told.values())
    return told
