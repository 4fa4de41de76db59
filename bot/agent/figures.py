"""Figures, addresses and names of files in talk: a model that sums it up may leave out just those."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.models.tokens import tokens
from memory.secret_shapes import secret_in

MOST = 10  # that are given beside a summary; the newest
CROWD = 8  # of them in one line: that is data, to be looked up where it stands
_BEFORE, _BEHIND = 24, 14  # characters that tell what one is

_FIGURE = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]*\w"  # a mail address
    r"|https?://[^\s<>\"'，。；）)]+"
    r"|[\w-]+\.[a-zA-Z]{2,4}\b"  # a file, a host
    r"|\+?\d[\d ().,:/-]*\d"  # two digits or more: amounts, dates, telephones, versions
)
_CLAUSE = re.compile(r"[\n，。；！？,;!?]|\.\s")
_LOOSE = re.compile(r"[\s,()/-]")


def lost(said: Iterable[str], summary: str) -> list[str]:
    """Pieces of what was said, each around a figure that a summary does not give, in order."""
    given = _LOOSE.sub("", summary)
    pieces: dict[str, str] = {}
    for text in said:
        found = list(_FIGURE.finditer(text))
        if len(found) > CROWD:
            continue
        for match in found:
            figure = _LOOSE.sub("", match.group())
            if not _stands_in(figure, given) and not secret_in(text):
                pieces[figure] = pieces.pop(figure, "") or _piece(text, match)  # as it was said first
    return list(dict.fromkeys(pieces.values()))[-MOST:]


def beside(summary: str, pieces: Iterable[str], heading: str, most: int) -> str:
    """A summary with a line of its own for such pieces, as many as fit into `most` tokens for that line."""
    line = ""
    for piece in pieces:
        longer = f"{line}; {piece}" if line else f"{heading}{piece}"
        if tokens(longer) > most:
            break
        line = longer
    return f"{summary}\n{line}" if line else summary


def _stands_in(figure: str, text: str) -> bool:
    """As it is, not as a part of a longer number."""
    return re.search(rf"(?<!\d){re.escape(figure)}(?!\d)", text) is not None


def _piece(text: str, match: re.Match[str]) -> str:
    before = _CLAUSE.split(text[max(0, match.start() - _BEFORE) : match.start()])[-1]
    behind = _CLAUSE.split(text[match.end() : match.end() + _BEHIND])[0]
    if match.start() > _BEFORE and " " in before and len(before) == _BEFORE:  # a word that was cut
        before = before.split(" ", 1)[1]
    if len(behind) == _BEHIND and " " in behind:
        behind = behind.rsplit(" ", 1)[0]
    return f"{before}{match.group()}{behind}".strip()
