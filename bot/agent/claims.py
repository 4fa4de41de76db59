"""Which deeds an answer claims: "saved", "I've moved it", 「我会提醒你」; said of itself, as a fact, in two languages.

Form decides. A question, an offer, a condition, a negation, somebody else's deed, quoted or drafted words are no
claim. A miss costs an honest line; a false alarm costs a request and a puzzled person: where form leaves it open,
there is no claim.
"""

from __future__ import annotations

import re
from functools import cache

from bot.agent.claim import Claim, Language, found_in

__all__ = ["Claim", "claims", "load"]

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.S)
_QUOTED = re.compile(r"「[^」\n]*」|『[^』\n]*』|“[^”\n]*”|\"[^\"\n]*\"|《[^》\n]*》|【[^】\n]*】")
_CITED = re.compile(r"^\s*>.*$", re.M)
_DRAFT = re.compile(
    r"^.*(?:草稿|译文|翻译|文案|初稿|稿子|模板|范文|示例|例句|回复|邮件|可以这样|可以这么|如下|改写|润色|"
    r"\b(?:drafts?|translations?|versions?|template|example|sample|e-?mail|letter|reply|message|caption|"
    r"something like|could (?:say|write)|rewritten|here(?:'s| is| are))\b).{0,40}[:：]\s*$",
    re.I | re.M,
)
_SENTENCE = re.compile(r"(?<=[。！？!?；;])|(?<=[.])(?=\s|$)|\n+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_MARKS = re.compile(r"[*_#>~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}|^\s*(?:[-•·]|\d+[.)、])\s+", re.M)
_SIGN = re.compile(r"^[\s✓✔✅☑👌👍🎉📌📝⏰🗂️]+")


def claims(text: str) -> list[Claim]:
    """The deeds that an answer says were done, are being done or will be, in order."""
    draft = _DRAFT.search(text)
    if draft is not None:  # what follows is written for the person to use: its "I" is somebody else
        text = text[: draft.start()]
    text = _CITED.sub(" ", _CODE.sub("… ", text))
    text = _QUOTED.sub(lambda quoted: f"{quoted[0][0]}…{quoted[0][-1]}", text)
    found: list[Claim] = []
    for sentence in _SENTENCE.split(text):
        bare = _SIGN.sub("", _MARKS.sub("", sentence)).strip()
        if bare:
            found += found_in(bare, _forms(bare))
    return found


@cache
def load() -> tuple[Language, Language]:
    """The forms of (Chinese, English), at first need: compiling their patterns takes a tenth of a second."""
    from bot.agent import claims_en, claims_zh

    return claims_zh.FORMS, claims_en.FORMS


def _forms(sentence: str) -> Language:
    zh, en = load()
    return zh if len(_HAN.findall(sentence)) >= 2 else en
