"""The banks of messages that the embedded default learns from: `examples/*.txt`, blocks with an empty line between.

    = a stored line                     (any number; they count from 1)
    - an earlier message of the person
    < what the assistant said just before
    > [task]Summarise this, [rule.rule+:1]and {from now on put the risks first}, please

The message is cut into parts, each led by its label: `[label.of+:n]`, where `of` is what a change is about, `+` says
that keeping it was asked for in words, and `:n` which stored line it speaks of. `[?]` is a part whose label nobody
knows. {…} are the words to keep (all of the part, where there are none), ⟨…⟩ the kind of picture, ⟪…⟫ the category.
A line break inside a message is written \\n.

sentences_*, plain, told, days  single messages, plainly or clumsily put
everyday                        talk that holds nothing: most messages
filing*                         what goes where; in `filing` some frames are filled in from the others
talk_*, chats_*                 messages of several sentences, with what was said before
work_*, life_*                  of one corner of life each, by one writer each
dialogues_*, answers            whole conversations, message by message, with what stood around each
long                            of many sentences, in which few count
lines_*, changes_*, targets     beside stored lines, which they change, add to, take back or leave alone
places                          where pictures go, with all that is said around it
tasks                           what is asked for now, against what is wished for good
never_*                         secrets, leave to act and facts of the hour, against what only resembles them
hard_*, errors_*                what the reader still got wrong (errors_* are not in the weights yet)
rules, facts                    each against what only resembles them
near_misses, earnest, scenes, silent
                                what is not meant as it is said, and what only looks like that
heldout*                        by people who have not seen the rest; never learned from

The label of a kept part is of KEEPS; the rest say why nothing is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from memory.offline.labels import HOLDS, KEEPS, LABELS
from memory.wording import Language
from memory.words import has_han

EXAMPLES = Path(__file__).with_name("examples")
UNKNOWN = "?"
_TAG = re.compile(r"\[(?P<label>[a-z_]+|\?)(?:\.(?P<of>[a-z]+))?(?P<asked>\+?)(?::(?P<line>\d+))?\]")
_MARKS = {"{": "}", "⟨": "⟩", "⟪": "⟫"}

Span = tuple[int, int]


class BadBlock(ValueError):
    """A block that is not of that form; says which and why."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A part of a message and what it means. Spans are of the message."""

    start: int
    end: int
    label: str  # of LABELS, "ask" or UNKNOWN
    of: str = ""
    asked: bool = False
    line: int | None = None  # which stored line it speaks of, from 0; None where nobody said or none is
    keep: Span | None = None
    what: Span | None = None
    where: Span | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message in its surroundings."""

    bank: str
    text: str
    parts: tuple[Meant, ...]
    lines: tuple[str, ...] = ()
    earlier: str = ""
    heard: str = ""

    @property
    def language(self) -> Language:
        """Of the message."""
        return "zh" if has_han(self.text) else "en"

    @property
    def label(self) -> str:
        """Of all of it: what it holds, or what it begins with."""
        return next((part.label for part in self.parts if part.label in HOLDS), self.parts[0].label)

    @property
    def holds(self) -> bool:
        """Whether it holds something to keep or to forget."""
        return any(part.label in HOLDS for part in self.parts)


def read(*names: str) -> list[Message]:
    """The messages of banks.

    Raises:
        BadBlock: one is not of the form.
    """
    return [message for name in names for message in _messages(name)]


def names(*, held_out: bool = False) -> list[str]:
    """The banks to learn from, or those to judge by."""
    found = sorted(path.stem for path in EXAMPLES.glob("*.txt"))
    return [name for name in found if name.startswith("heldout") is held_out]


@cache
def _messages(name: str) -> tuple[Message, ...]:
    text = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(_in_bank(name, block) for block in re.split(r"\n\s*\n", text.strip()))


def _in_bank(name: str, block: str) -> Message:
    try:
        return message(name, block.splitlines())
    except BadBlock as problem:
        raise BadBlock(f"{name}: {problem}: {block}") from problem


def message(bank: str, block: Sequence[str]) -> Message:
    """The message of one block.

    Raises:
        BadBlock: it is not of the form.
    """
    held: dict[str, list[str]] = {"=": [], "-": [], "<": [], ">": []}
    for line in block:
        if line[:1] not in held:
            raise BadBlock(f"a line begins with {line[:1]!r}")
        held[line[0]].append(line[1:].strip())
    if len(held[">"]) != 1:
        raise BadBlock("not one message")
    text, parts = _parted(held[">"][0].replace("\\n", "\n"), len(held["="]))
    return Message(bank, text, parts, tuple(held["="]), "\n".join(held["-"]), "\n".join(held["<"]))


def _parted(marked: str, lines: int) -> tuple[str, tuple[Meant, ...]]:
    tags = list(_TAG.finditer(marked))
    if not tags or tags[0].start():
        raise BadBlock("the message does not begin with a label")
    text, parts = "", list[Meant]()
    for tag, following in zip(tags, [*(tag.start() for tag in tags[1:]), len(marked)], strict=True):
        label, start = tag["label"], len(text)
        if label not in (*LABELS, "ask", UNKNOWN):
            raise BadBlock(f"no such label: {label}")
        line = int(tag["line"]) - 1 if tag["line"] else None
        if line is not None and not 0 <= line < lines:
            raise BadBlock(f"there is no line {tag['line']}")
        said, spans = _unmarked(marked[tag.end() : following], start)
        text += said
        keep = spans.get("{") or (_bare(said, start) if label in (*KEEPS, "same", "forget") else None)
        parts.append(
            Meant(
                start,
                len(text),
                label,
                tag["of"] or "",
                bool(tag["asked"]),
                line,
                keep,
                spans.get("⟨"),
                spans.get("⟪"),
            )
        )
    return text, tuple(parts)


def _unmarked(said: str, start: int) -> tuple[str, dict[str, Span]]:
    """A part without its marks, and what they mark. A brace that is none of them stays: the first and the last mark."""
    spans: dict[str, Span] = {}
    for opening, closing in _MARKS.items():
        a, b = said.find(opening), said.rfind(closing)
        if 0 <= a < b:
            said = said[:a] + said[a + 1 : b] + said[b + 1 :]
            # what was marked before and lies behind these marks moves
            spans = {
                mark: (_moved(x, start + a, start + b), _moved(y, start + a, start + b))
                for mark, (x, y) in spans.items()
            }
            spans[opening] = (start + a, start + b - 1)
    return said, spans


def _moved(place: int, opening: int, closing: int) -> int:
    """Where a place lies when a mark before it is gone, and one behind."""
    return place - (place > opening) - (place > closing)


def _bare(said: str, start: int) -> Span:
    left = len(said) - len(said.lstrip())
    return start + left, start + len(said.rstrip())
