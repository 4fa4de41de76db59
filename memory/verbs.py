"""English from the first person to the third: "I coach on Wednesdays" → "The user coaches on Wednesdays"."""

from __future__ import annotations

import re

from memory.words import bag

_FIXED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.I), words)
    for pattern, words in (
        (r"\bI['’]?m not\b|\bI am not\b|\bI ain['’]?t\b", "the user is not"),
        (r"\bI['’]m\b|\bI am\b|(?<![\w'])im\b(?!\w)", "the user is"),
        (r"\bI['’]ve\b|\bI have\b|(?<![\w'])ive\b", "the user has"),
        (r"\bI['’]d (?=like|love|prefer|rather)", "the user would "),
        (r"\bI['’]d\b", "the user had"),
        (r"\bI['’]ll\b", "the user will"),
        (r"\bwe['’]re\b|\bwe are\b", "the user is"),
        (r"\bwe['’]ve\b|\bwe have\b", "the user has"),
        (r"\bwe['’]ll\b", "the user will"),
        (r"\bI was\b", "the user was"),
        (r"\bI (?:don['’]?t|dont|do not)\b", "the user does not"),
        (r"\bI (?:haven['’]?t|havent)\b", "the user has not"),
        (r"\bI do\b", "the user does"),
        (r"\bme and (?=\w)", "the user and "),
        (r"\b(?:and|&) me\b", "and the user"),
    )
)
_VERB = re.compile(
    r"\b(?:I|i|[Ww]e) (?P<adverbs>(?:(?!(?:fly|rely|apply|reply|supply|comply|multiply) )\w+ly |no longer |"
    r"always |never |only |just |still |also |both |now |often |"
    r"sometimes |usually )*)(?P<verb>[a-z]+)\b"
)
_PAST = bag(
    "was were had went got bought sold moved took made left lost found began broke brought built came "
    "chose did drank drove ate fell felt flew forgot gave grew heard held kept knew learnt led lent met "
    "paid ran said saw sent slept spent spoke stood stopped taught thought told understood won wore wrote "
    "quit can could will would shall should may might must ought used swam sang hurt became caught dealt "
    "drew fed fought hid hung laid lit meant rode rose sat shook shot stole stuck struck swore threw woke "
    "cannot cant wont didnt"
)  # fmt: skip
_MORE = re.compile(
    r"\b(?P<join>and|but|or) (?P<verb>live|work|love|hate|like|prefer|have|need|want|drink|eat|take|"
    r"wear|use|own|run|teach|study|speak|do)\b"
)


def third_person(text: str) -> str:
    """The person's sentence about themself, said of "the user"."""
    for pattern, words in _FIXED:
        text = pattern.sub(words, text)
    spoken = _VERB.search(text) is not None or "the user" in text
    text = _VERB.sub(lambda m: f"the user {m['adverbs']}{conjugated(m['verb'])}", text)
    if spoken and not re.search(r"\b(?:does not|will|would|can|should|must)\b", text):
        text = _MORE.sub(lambda m: f"{m['join']} {conjugated(m['verb'])}", text)
    text = re.sub(r"\bI\b", "the user", text)
    text = re.sub(r"(?<!')\bmy\b", "the user's", text, flags=re.I)
    text = re.sub(r"\bmine\b", "the user's", text, flags=re.I)
    text = re.sub(r"\bmyself\b", "themself", text, flags=re.I)
    text = re.sub(r"\bours?\b", "the user's", text, flags=re.I)
    text = re.sub(r"(?<!for )\bme\b", "the user", text, flags=re.I)
    return re.sub(r"\bfor me\b", "for the user", text, flags=re.I)


def conjugated(verb: str) -> str:
    """A base form with its ending for "she"; a past form or a modal stays."""
    word = verb.lower()
    if word in _PAST or word.endswith(("ed", "n't", "ss'")) or word in ("the", "and", "not"):
        return verb
    if word == "have":
        return "has"
    if word in ("do", "go"):
        return f"{verb}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    return f"{verb}s"
