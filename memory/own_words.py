"""The part of a message that the person wrote, without what they pasted into it.

By form only: fenced code, quoted rows, a chat or mail of other speakers, and what stands under an announcement
("translate this:", 下面这段：). What is left out can be read as context; it is never what somebody said.
"""

from __future__ import annotations

import re

_FENCED = re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S)
_QUOTED = re.compile(r"^[ \t]*(?:>|》|\|).*$", re.M)
_SPEAKER = re.compile(
    r"^[ \t]*(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?[ \t]*)?[^\s:：，。,.!?！？]{1,20}(?: [^\s:：]{1,20})?"
    r"(?:[ \t]*[(\[（]?\d{1,2}:\d{2}[)\]）]?)?[:：][ \t]*\S.*$",
    re.M,
)
_HEADER = re.compile(
    r"^[ \t]*(?:from|to|subject|date|sent|cc|发件人|收件人|主题|时间|抄送)[:：]", re.I | re.M
)
_ATTACHED = re.compile(  # what a program puts in the place of a picture or file
    r"\[(?:photo|picture|image|screenshot|file|voice|video|sticker|图片|照片|截图|文件|语音|视频|表情)[:：][^\]\n]*\]",
    re.I,
)
_FORWARD = re.compile(r"^[ \t]*-{3,}.*(?:forwarded|original message|转发|原始邮件).*$", re.I | re.M)
_SHOWN = re.compile(
    r"(?:翻译|改一?[句下段]|造句|译[成为]|润色|总结|概括|改写|校对|看看|解释|摘要|下面|以下|如下|原文|内容|这段|这封|这篇|这份|转发)"
    r"[^\n：:。！？]{0,16}[：:][ \t]*\n?"
    r"|\b(?:translate|summari[sz]e|proofread|rewrite|polish|explain|review|below|following|this (?:text|mail|"
    r"email|article|message|paragraph|page|log)|pasted?|wrote|says|said)\b[^\n:.!?]{0,30}:[ \t]*\n?",
    re.I,
)


def own_words(text: str) -> str:
    """What the person wrote themself; "" when nothing of the message is their own."""
    text = _FENCED.sub("", text)
    if found := _FORWARD.search(text) or (_HEADER.search(text) if len(_HEADER.findall(text)) > 1 else None):
        text = text[: found.start()]
    text = _ATTACHED.sub("", _QUOTED.sub("", text))
    if len(_SPEAKER.findall(text)) > 1:
        text = _SPEAKER.sub("", text)
    if found := _SHOWN.search(text):
        text = text[: found.start()]
    return text.strip()
