"""Which standing instructions a judge of pictures is shown: all but those whose scope names other work.

Rules are never cut for room. A line goes only where its scope can apply, and where that is in doubt it is carried: it
is left out when its scope says that it is about writing or talking, and neither scope nor line speaks of pictures, of
filing, or of a title or summary, which the judge writes too.
"""

from __future__ import annotations

import re

from classifiers.rules import PICTURE

_SCOPE = re.compile(r"[(（](?:when|仅限|何时)\s*[:：]\s*(?P<scope>[^)）]*)[)）]", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"^\s*(?:在|每次|我)?(?:写|回复?|发|起草|修改|撰写|润色|翻译)(?:给\S{1,6}的?)?"
    r"(?:邮件|周报|日报|月报|报告|信|简历|合同|文案|论文|代码|消息|公告|通知|纪要|总结|方案)|"
    r"^\s*(?:聊天|闲聊|对话|回答问题?|开会|提醒我?)时?\s*$|"
    r"^\s*(?:when |while )?(?:writing|drafting|answering|replying|chatting|translating|composing|reminding)\b|"
    r"^\s*(?:in |for )?(?:my |work )?"
    r"(?:e-?mails?|reports?|weekly reports?|letters?|replies|chats?|commit messages?)\s*$",
    re.IGNORECASE,
)
_MAY_TOUCH = re.compile(
    r"图|拍|存|档|分类|标题|题目|摘要|标签|\b(?:titles?|summar|tags?|categor|captions?)", re.IGNORECASE
)


def carried(rules: str) -> str:
    """The lines of `core()` that can apply to filing a picture."""
    return "\n".join(line for line in rules.splitlines() if not _elsewhere(line))


def _elsewhere(line: str) -> bool:
    scopes = [found["scope"] for found in _SCOPE.finditer(line)]
    if not scopes or PICTURE.search(line) or _MAY_TOUCH.search(line):
        return False
    return all(_ELSEWHERE.search(scope) for scope in scopes)
