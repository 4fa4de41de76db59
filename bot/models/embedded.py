"""The Model when none is configured: it picks tools by what the probe understood, speaks plainly, invents nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.models.model import Call, Prompt, Reply, Said
from bot.types import Language
from bot.wording import language_of, say
from memory.offline import Offline, Understanding

Arguments = dict[str, Any]
_NUMBER = re.compile(r"[#＃]\s*(\d+)|第\s*(\d+)\s*张|(?:picture|number|no\.?)\s*(\d+)", re.IGNORECASE)


class Embedded:
    """The first call plans a tool for each thing the person typed; the next one puts the results into words."""

    def __init__(self, offline: Offline, language: Language | None = None) -> None:
        """`language`: the one to speak in; None = the one the person writes in."""
        self._offline = offline
        self._language = language

    @property
    def name(self) -> str:
        """For logs and `doctor`."""
        return "embedded"

    @property
    def sees(self) -> bool:
        """Never: pictures reach it as text."""
        return False

    async def generate(self, prompt: Prompt) -> Reply:
        """Plan, or, when the tools have answered, speak."""
        asked = next(said for said in reversed(prompt.messages) if said.role == "user")
        if prompt.messages[-1].role == "tool":
            return Reply(text=await self._tell(asked, prompt.messages))
        calls = []
        for place, typed in enumerate(asked.typed):
            understood = await self._offline.understand(typed)
            name, arguments = _plan(typed, understood)
            if name == "take_note":
                arguments = {"message": place}
            calls.append(Call(f"c{place}", name, arguments))
        if not calls and not _PICTURE.search(asked.text):
            return Reply(say(self._spoken(prompt.messages), "embedded.forwarded"))
        return Reply(calls=tuple(calls), finish="calls" if calls else "stop")

    def _spoken(self, messages: Sequence[Said]) -> Language:
        """The language of what the person wrote last, numbers and the like aside."""
        if self._language is not None:
            return self._language
        asked = next(said for said in reversed(messages) if said.role == "user")
        earlier = [said.text for said in reversed(messages) if said.role == "user" and said is not asked]
        words = [*asked.typed, *earlier]  # not `asked.text`, which holds what we put around them
        return next((found for text in words if (found := language_of(text))), "zh")

    async def _tell(self, asked: Said, messages: Sequence[Said]) -> str:
        """The words of the look-ups; deeds speak through their receipts; the rest gets a plain sentence."""
        told = []
        for said in messages:
            if said.role != "tool" or not said.call_id.startswith("c"):
                continue
            typed = asked.typed[int(said.call_id[1:])]
            if said.name == "read_picture":
                told.append(said.text.split("\ntext in the picture")[0])
            elif said.name in _LOOKUPS:
                told.append(_ID.sub("", said.text))
            elif said.text.startswith("error: "):
                told.append(said.text.removeprefix("error: "))
            elif said.name == "take_note" and not said.text:
                understood = await self._offline.understand(typed)
                pictured = bool(_PICTURE.search(asked.text))
                told.append(_speak(understood, self._spoken(messages), pictured=pictured))
        return "\n".join(dict.fromkeys(words for words in told if words))


_TOOL_FOR = {  # label → tool, and the argument that takes the person's words
    "ask_memory": ("read_memory", ""),
    "ask_fact": ("search_memory", "words"),
    "ask_why": ("explain_memory", "what"),
    "ask_pictures": ("search_pictures", "words"),
    "undo": ("undo", ""),
}
_LOOKUPS = {"read_memory", "search_memory", "search_pictures", "explain_memory"}
_ID = re.compile(r"^\[[rt]\d+\] ", re.MULTILINE)  # a line's id is for models
_PICTURE = re.compile(r"^\(text in picture |^\(picture .* is attached\)", re.MULTILINE)
_SPOKEN = {
    "chat": "embedded.hello",
    "help": "embedded.help",
    "secret": "embedded.secret",
    "forget": "forget.unknown",
    "once": "embedded.once",
}


def _plan(typed: str, understood: Understanding) -> tuple[str, Arguments]:
    """The one tool that serves what was meant; whatever is not a look-up is read for memory."""
    if understood.label == "move" and understood.where:
        number = _NUMBER.search(typed)
        digits = next((group for group in number.groups() if group), "") if number else ""
        return "move_picture", {"number": digits, "category": understood.where}
    if understood.label == "ask_why" and (number := _NUMBER.search(typed)):
        return "read_picture", {"number": next(group for group in number.groups() if group)}
    if understood.label not in _TOOL_FOR:
        return "take_note", {}
    name, argument = _TOOL_FOR[understood.label]
    return name, {argument: typed} if argument else {}


def _speak(understood: Understanding, language: Language, *, pictured: bool) -> str:
    """A plain sentence where there was nothing to look up and nothing to keep."""
    if pictured and understood.label in ("once", "move"):
        return ""  # the filing beside this turn obeys it and says so
    return say(language, _SPOKEN.get(understood.label, "embedded.task"))
