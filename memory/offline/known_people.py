"""Who is meant by a name or by "he", where the person's pages say whose name it is.

A line tells that Ida is the person's cousin; "she's a baker now", said of "our Ida", is then about her.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.page import CORE, Line
from memory.people import KIN
from memory.wording import Language

_ZH = re.compile(
    rf"用户(?:家|他们)?(?:的|有|养)?(?:了|着)?(?:一?[个只条位])?(?P<kin>{KIN})[，,]?(?:(?:名字)?叫(?:做|作)?|"
    rf"名叫)?(?P<rest>\S{{2,}})"
)
_PET_ZH = re.compile(r"用户养了?一?[只条个](?:叫做?|名叫)(?P<rest>[^，。的]{2,6})的(?P<kin>[^，。]{1,6})")
_EN = re.compile(
    r"\b[Tt]he user['’]s (?P<kin>(?:[a-z-]+ ){0,2}[a-z-]+),? (?:is (?:called|named) |called |"
    r"named )?(?P<name>[A-Z][\w'’-]+)"
)
_HAS_EN = re.compile(
    r"\b[Tt]he user has an? (?P<kin>(?:[a-z-]+ ){0,2}[a-z-]+) (?:called|named) (?P<name>[A-Z][\w'’-]+)"
)
_LONGEST = 4  # characters of a Chinese given name
_NO_NAME = "上在是读的今会对有去了也"  # what follows a name more often than it ends one


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody of the person's."""

    name: str
    phrase: str  # as a line names them: "The user's cousin Ida", 用户的女儿糖糖


def known_people(lines: Sequence[tuple[str, Line]], spoken: str) -> list[Known]:
    """Those of the pages whose name was spoken, each once."""
    found = {each.name: each for page, line in lines if page != CORE for each in _in(line.text, spoken)}
    return list(found.values())


def _in(text: str, spoken: str) -> list[Known]:
    out = []
    for pattern in (_PET_ZH, _ZH):
        if (told := pattern.search(text)) and (name := _spoken_name(told["rest"], spoken)):
            out.append(Known(name, f"用户的{told['kin']}{name}"))
            break
    for pattern in (_EN, _HAS_EN):
        told = pattern.search(text)
        if told and told["name"][0].isupper() and re.search(rf"\b{re.escape(told['name'])}\b", spoken, re.I):
            out.append(Known(told["name"], f"The user's {told['kin']} {told['name']}"))
            break
    return out


def _spoken_name(rest: str, spoken: str) -> str:
    """The longest opening of what follows the relation that was spoken: where a Chinese name ends, nothing tells."""
    lengths = range(min(_LONGEST, len(rest)), 1, -1)
    name = next((rest[:n] for n in lengths if rest[:n] in spoken), "")
    return name if len(name) < 3 else name.rstrip(_NO_NAME)


_ONLY_NAMED = re.compile(
    r"^the user['’]s (?P<en>(?:[a-z-]+ ){0,2}[a-z-]+)(?:['’]s name is| is (?:called|named)) "
    r"(?P<name>[A-Z][\w'’-]+)\.?$|"
    rf"^用户的?(?P<zh>{KIN})(?:的名字)?(?:叫|名叫|是叫)(?P<name_zh>[^\s，。的]{{1,6}})。?$",
    re.I,
)


def named_too(text: str, held: str) -> str:
    """A text on somebody of whom the line that gives way to it told nothing but the name: the name is not lost."""
    found = _ONLY_NAMED.match(held.strip())
    if found is None:
        return text
    name = found["name"] or found["name_zh"]
    whose = re.compile(
        rf"用户的?{found['zh']}(?!的|叫|名叫)"
        if found["zh"]
        else rf"\b(the user['’]s {found['en']})(?= [a-z])",
        re.I,
    )
    if name.casefold() in text.casefold() or re.search(r"\b(?:called|named|name)\b|叫|名字", text):
        return text
    return whose.sub(lambda m: f"{m[0]} {name}" if found["en"] else f"{m[0]}{name}", text, count=1)


def last_named(people: Sequence[Known], spoken: str) -> Known | None:
    """The one who was named last."""
    folded = spoken.casefold()
    placed = [(folded.rfind(each.name.casefold()), each) for each in people]
    return max(placed, key=lambda pair: pair[0])[1] if placed else None


def named_in_full(text: str, people: Sequence[Known], language: Language) -> str:
    """With whose it is, where a statement opens with a bare name: "Ida bakes" → "The user's cousin Ida bakes"."""
    for each in people:
        opening = re.match(rf"\s*{re.escape(each.name)}(?=['’\s]|[\u4e00-\u9fff])", text, re.I)
        if opening:
            rest = text[opening.end() :]
            short = re.match(r"['’]s\s+(?=[a-z\d])", rest) if language == "en" else None
            return f"{each.phrase} is {rest[short.end() :]}" if short else f"{each.phrase}{rest}"
    return text
