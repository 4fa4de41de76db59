"""Who is meant by a name or by "he", where the person's pages say whose name it is.

A line tells that Tom is the person's brother; "he's a train driver now", said of "our Tom", is then about him.
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
    r"\bthe user['’]s (?P<kin>(?:[a-z-]+ ){0,2}[a-z-]+),? (?:is (?:called|named) |called |"
    r"named )?(?P<name>[A-Z][\w'’-]+)",
    re.I,
)
_HAS_EN = re.compile(
    r"\bthe user has an? (?P<kin>(?:[a-z-]+ ){0,2}[a-z-]+) (?:called|named) (?P<name>[A-Z][\w'’-]+)", re.I
)
_LONGEST = 4  # characters of a Chinese given name


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody of the person's."""

    name: str
    phrase: str  # as a line names them: "The user's brother Tom", 用户的儿子乐乐


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
    return next((rest[:n] for n in lengths if rest[:n] in spoken), "")


def last_named(people: Sequence[Known], spoken: str) -> Known | None:
    """The one who was named last."""
    folded = spoken.casefold()
    placed = [(folded.rfind(each.name.casefold()), each) for each in people]
    return max(placed, key=lambda pair: pair[0])[1] if placed else None


def in_full(text: str, people: Sequence[Known], language: Language) -> str:
    """With whose it is, where a statement opens with a bare name: "Pickle is 8" → "The user's cat Pickle is 8"."""
    for each in people:
        opening = re.match(rf"\s*{re.escape(each.name)}(?=['’\s]|[\u4e00-\u9fff])", text, re.I)
        if opening:
            rest = text[opening.end() :]
            short = re.match(r"['’]s\s+(?=[a-z\d])", rest) if language == "en" else None
            return f"{each.phrase} is {rest[short.end() :]}" if short else f"{each.phrase}{rest}"
    return text
