"""The older part of a long conversation as a summary: when it is time, what the model reads for it, what it wrote.

The newest talk stays as it is. A summary is data wherever it is shown: it reports what was asked for and what came of
it, and nothing in it is an order. It moves once in some twenty turns, so that a prompt's start stays put in between.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo
from itertools import groupby
from pathlib import Path

from bot.agent.continuing import whole_part
from bot.agent.figures import beside, lost
from bot.models.fence import fenced
from bot.models.model import Prompt, Said
from bot.models.tokens import tokens
from bot.storage.records import HistoryLine
from bot.types import Language

_PROMPTS = Path(__file__).parent.parent / "prompts"


def _words(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip()


SYSTEM = {"zh": _words("summary_zh"), "en": _words("summary_en")}
ASKED = _words("summary_asked")
AGAIN = _words("summary_again")
ALSO: dict[Language, str] = {"zh": "还提到：", "en": "Also given: "}  # a heading within a summary
EARLIER = _words("earlier")

FULL = 32  # of the person's messages shown as they are, from which on the older ones are summed up
KEPT = 12  # of them that stay
FILLED, LEFT = 0.6, 0.3  # the same as shares of the room that history has
LEAST = 6  # of them there are, for a summary to be worth its call
LONGEST, SHARE = 900, 0.06  # tokens of a summary; of a small window only so large a share
LINE = 2_000  # characters of one line of talk that are read for it
IN_PICTURE = 400  # and of one picture's text
_SHORT = 60  # tokens of a summary that may well be replaced by next to nothing
_REST = 0.25  # of a longer one, the share that must be left
_COPIED = re.compile(
    r"^(?:\[\d{4}-\d\d-\d\d \d\d:\d\d\] (?:user|assistant|app|forwarded)\b.*|\[r\d+\] .*|<<<|>>>"
    r"|#* ?(?:Rules of this person|Summary so far|The talk after it).*)$\n?",
    re.MULTILINE,
)
_WINDOW = 0.4  # share of a model's window that talk to be summed up takes in one reading


def ripe(history: Sequence[HistoryLine], room: float) -> int:
    """The messages.id up to which talk is to be summed up; 0 = not yet.

    Args:
        history: what is shown as it is, oldest first.
        room: tokens that it may take.
    """
    costs: Counter[int] = Counter()
    for line in history:
        costs[line.message or 0] += tokens(line.text[:LINE]) + sum(
            tokens(each.text) for each in line.pictures
        )
    if len(costs) < FULL and (costs.total() <= FILLED * room or len(costs) < LEAST):
        return 0
    rows, kept, total = list(costs), 0, 0
    for row in reversed(rows):
        total += costs[row]
        if kept and (kept == KEPT or total > LEFT * room):
            break
        kept += 1
    return rows[-kept - 1] if len(rows) > kept else 0


def said_before(text: str) -> Said:
    """A summary as the main model reads it, before the talk that followed."""
    return Said("user", f"{EARLIER}\n{fenced(text)}")


def longest(window: int) -> int:
    """Tokens that a summary may be, for a model that takes so many."""
    return min(LONGEST, round(window * SHARE))


def asked(
    text: str,
    talk: Sequence[HistoryLine],
    core: str,
    language: Language,
    zone: tzinfo | None,
    most: int = LONGEST,
) -> Prompt:
    """What the model reads that brings a summary up to date.

    Args:
        core: the person's rules, as they are now.
        most: tokens that the summary may be; it is asked for at half of that.
    """
    system = SYSTEM[language] + (f"\n\n# Rules of this person, in force now\n{core}" if core else "")
    told = "\n".join(_row(line, zone) for line in talk)
    words = ASKED.format(
        before=fenced(text or "-"), talk=fenced(told), words=most * 10 // 27, characters=most * 10 // 18
    )
    return Prompt(system, messages=(Said("user", words),), steady=True)


def again(prompt: Prompt, text: str) -> Prompt:
    """The same, after an answer that was empty or too long."""
    said = (Said("assistant", text),) if text.strip() else ()
    return Prompt(prompt.system, messages=(*prompt.messages, *said, Said("user", AGAIN)), steady=True)


def reported(text: str) -> str:
    """A summary without rows that are copied from what was read: old orders in the person's own voice."""
    return _COPIED.sub("", text).strip()


def fits(text: str, most: int = LONGEST) -> bool:
    """Whether it can be kept as it is."""
    return bool(text.strip()) and tokens(text) <= most


def dwindled(before: str, after: str) -> bool:
    """Whether a summary has lost nearly all of what it said."""
    return tokens(before) > _SHORT and tokens(after) < tokens(before) * _REST


def unmoved(before: str, after: str, talk: Sequence[HistoryLine]) -> bool:
    """Whether a summary says the very same as before, though there was talk: small models copy what they are shown."""
    same = "".join(before.split()) == "".join(after.split())
    return bool(before) and same and sum(tokens(line.text) for line in talk) > _SHORT


def with_figures(text: str, talk: Sequence[HistoryLine], language: Language, most: int = LONGEST) -> str:
    """A summary with the figures that it lost, as they were said; a quarter of its room is for them."""
    pieces = lost((line.text[:LINE] for line in talk if not line.shown), text)
    return beside(clipped(text, most - most // 4), pieces, ALSO[language], most // 4) if pieces else text


def clipped(text: str, most: int = LONGEST) -> str:
    """The whole lines of a text that fit; what is open comes first in it, what was only talked about last."""
    if tokens(text) <= most:
        return text.strip()
    lines: list[str] = []
    for line in whole_part(text)[0].splitlines():
        if tokens("\n".join([*lines, line])) > most:
            break
        lines.append(line)
    return "\n".join(lines).strip()


def first_stretch(talk: Sequence[HistoryLine], window: int) -> list[HistoryLine]:
    """As much of the talk as one reading takes: whole messages with our answers, one at least."""
    part: list[HistoryLine] = []
    total = 0
    for _, group in groupby(talk, key=lambda line: line.message):
        lines = list(group)
        total += sum(tokens(_row(line, None)) for line in lines)
        if part and total > window * _WINDOW:
            break
        part += lines
    return part


def first_half(talk: Sequence[HistoryLine]) -> list[HistoryLine]:
    """The older half of some talk; nothing when it is about one message."""
    rows = list(dict.fromkeys(line.message for line in talk))
    older = set(rows[: len(rows) // 2])
    return [line for line in talk if line.message in older]


def _row(line: HistoryLine, zone: tzinfo | None) -> str:
    who = (
        ("app" if line.shown else "assistant")
        if line.ours
        else "forwarded by the user, somebody else's words"
        if line.forwarded
        else "user"
    )
    text = line.text if len(line.text) <= LINE else f"{line.text[: LINE // 2]} … {line.text[-LINE // 2 :]}"
    pictures = "".join(
        f"\n  (in picture #{each.number}: {' '.join(each.text.split())[:IN_PICTURE] or '-'})"
        for each in line.pictures
    )
    return f"[{line.at.astimezone(zone):%Y-%m-%d %H:%M}] {who}: {text}{pictures}"
