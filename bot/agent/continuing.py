"""An answer that ended at the length limit: where it goes on, and what the model reads to go on there."""

from __future__ import annotations

import re
from pathlib import Path

CONTINUE = (Path(__file__).parent.parent / "prompts" / "continue.md").read_text(encoding="utf-8").strip()
BRIEFLY = (Path(__file__).parent.parent / "prompts" / "briefly.md").read_text(encoding="utf-8").strip()
TIMES = 2  # how often one answer is continued before it is told to be cut

_BACK = 400  # characters at most that are said once more
_LINE = re.compile(r"\n+")
_ENDED = re.compile(r"[.!?。！？；]\Z")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])\s*")


def whole_part(text: str) -> tuple[str, str]:
    """(the answer up to its last whole line or sentence, what stood between that and the next).

    What comes after it is said anew: models do not go on in the midst of a word, and the joint would show.
    """
    code = text.count("```") % 2  # within code only lines count
    if not code and (end := _ENDED.search(text)):
        return text, " " if end.group().isascii() else ""
    ends = [match for match in _LINE.finditer(text) if match.end() < len(text)]
    if not code:
        ends += [match for match in _SENTENCE.finditer(text) if match.end() < len(text)]
    last = max(ends, key=lambda match: match.end(), default=None)
    if last is None or len(text) - last.end() > _BACK:
        return text, ""
    return text[: last.start()], last.group()


def joined(said: str, between: str, more: str) -> str:
    """Both parts as one answer; what the second repeats of the first is there once."""
    tail = said.rsplit("\n", 1)[-1].strip()
    if len(tail) >= 12 and more.lstrip().startswith(tail):
        more, between = more.lstrip()[len(tail) :].lstrip(), between or " "
    return said + between + more
