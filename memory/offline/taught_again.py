"""What the person had deleted and teaches again: 那条我之前让你删了 给我记回来吧 我喝咖啡只喝燕麦拿铁."""

from __future__ import annotations

import re

from memory.asked_back import asks_back, says_back
from memory.changes import Instruct, Learn, Origin
from memory.clauses import clauses
from memory.offline.cues import mocks, orders, states, tells_how_to_talk
from memory.phrasing import fact, standing, trimmed, without_questions
from memory.utterance import Utterance
from memory.wording import Language, say

_GONE_ZH = re.compile(
    r"(?:之前|上次|刚才?|那天|前几天)?.{0,6}(?:删|忘)(?:了|掉|的|错)|^[^，。]{0,4}那条|^(?:哦|啊|对|诶|嗯|哎)+对?[，,]?$"
)
_GONE_EN = re.compile(
    r"\b(?:deleted?|removed?|made you forget|told you to (?:forget|delete|remove)|had you (?:forget|delete|"
    r"remove)|asked you to "
    r"(?:forget|delete|remove)|got rid of)\b|^\W*(?:oh|ah|wait|hm+|actually|ok(?:ay)?|right)\W*$",
    re.I,
)


def taught_again(utterance: Utterance, language: Language) -> Instruct | Learn | None:
    """What is to be remembered again, where the message says it once more; None where it only asks for it."""
    if not asks_back(utterance.text) or mocks(utterance.text):
        return None
    gone = _GONE_ZH if language == "zh" else _GONE_EN
    told = [
        part.text.strip(" ，,。.！!…")
        for part in clauses(without_questions(utterance.text))
        if not (says_back(part.text, language) or gone.search(part.text))
    ]
    for said in reversed(told):
        if states(said, language):
            text = fact(trimmed(said, language), utterance.at, language, about_self=True)
            return Learn(text, say(language, "about_me"), origin=Origin.EXPLICIT)
        if tells_how_to_talk(said) or (language == "en" and orders(said)):
            return Instruct(standing(said, utterance.at, language))
    return None
