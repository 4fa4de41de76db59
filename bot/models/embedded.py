"""The Model when none is configured: it picks tools by what the reader understood, speaks plainly, invents nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.models.fence import unfenced
from bot.models.model import Call, Prompt, Reply, Said
from bot.models.quoting import asks, lines_about, whole
from bot.models.rearranging import planned
from bot.types import Language
from bot.wording import language_of, say
from classifiers.asked import numbers_in
from classifiers.kinds import mentions, ready
from classifiers.questions import (
    asks_for_like,
    asks_to_see,
    asks_what_came,
    asks_where_it_lies,
    asks_why_of_a_kind,
    looks_for_one,
    points_at_one,
    seeks,
)
from classifiers.wishes import points_ahead, read_wish, says_once
from memory.concepts import concepts
from memory.never import forbidden
from memory.offline import Offline
from memory.offline.understanding import Understanding
from memory.places import place as place_named
from memory.speech_acts import asks_how_known, not_to_be_forgotten

Arguments = dict[str, Any]


class Embedded:
    """The first call plans a tool for each thing the person typed; the next one puts the results into words."""

    def __init__(self, offline: Offline, language: Language | None = None) -> None:
        """`language`: the one to speak in; None = the one the person writes in."""
        self._offline = offline
        self._language = language

    def speaking(self, language: Language | None) -> Embedded:
        """The same, for somebody who has chosen a language; None = the one they write in."""
        return self if language == self._language else Embedded(self._offline, language)

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
            await ready()
            if more := _further(asked, prompt.messages):
                return Reply(calls=more, finish="calls")
            return Reply(text=await self._tell(asked, prompt.messages))
        await ready()
        calls = []
        for place, typed in enumerate(asked.typed):
            understood = await self._offline.understand(typed)
            name, arguments = _plan(typed, understood, _shows(asked, place))
            if name == "take_note":
                arguments = {"message": place}
            calls.append(Call(f"c{place}", name, arguments))
        if not calls and not asked.pictures:
            return Reply(say(self._spoken(prompt.messages), "embedded.forwarded"))
        return Reply(calls=tuple(calls), finish="calls" if calls else "stop")

    async def wants_text(self, typed: str) -> bool:
        """Whether words near a picture may be answered by what it says, so that they wait until it was read."""
        if not asks(typed):
            return False
        label = (await self._offline.understand(typed)).label
        return points_at_one(typed) or label == "ask_fact" or label not in _TOOL_FOR

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
        language = self._spoken(messages)
        again = {
            said.call_id[1:] for said in messages if said.role == "tool" and said.call_id.startswith("p")
        }
        for said in messages:
            if said.role != "tool" or said.call_id[:1] not in ("c", "p"):
                continue
            place = int(said.call_id[1:])
            if said.name in _LOOKUPS:
                unknown = _is_unknown(said) or (said.call_id.startswith("p") and not said.found)
                seen = _read_out(asked, place, language) if unknown else ""
                if unknown and said.call_id.startswith("c") and said.call_id[1:] in again:
                    continue  # the pictures were looked through as well, and say it
                told.append(
                    seen
                    or (await self._unknown(asked.typed[place], language) if unknown else "")
                    or _in_words(_ID.sub("", unfenced(said.text)), language)
                )
            elif said.text.startswith("error: "):
                told.append(said.text.removeprefix("error: "))
            elif said.name == "take_note" and not said.text:
                understood = await self._offline.understand(asked.typed[place])
                shows = _shows(asked, place)
                told.append(
                    _read_out(asked, place, language)
                    or _speak(asked.typed[place], understood, language, shows)
                )
        return "\n".join(dict.fromkeys(words for words in told if words))

    async def _unknown(self, typed: str, language: Language) -> str:
        """What to say where memory holds no answer: that it does not know; to small talk, that this takes a model."""
        understood = await self._offline.understand(typed)
        asked = concepts(typed)
        if _YOU.search(typed) and not asked.own and not asked.holders:
            return say(language, "embedded.hello")  # about the assistant itself
        if understood.label.startswith("ask") or asked.holders or (asked.own and asked.facts):
            return say(language, "memory.unknown")
        return _speak(typed, understood, language, NOWHERE)


_TOOL_FOR = {  # label → tool, and the argument that takes the person's words
    "ask_memory": ("show_memory", ""),
    "ask_fact": ("search_memory", "words"),
    "ask_why": ("explain_memory", "what"),
    "ask_pictures": ("search_pictures", "words"),
    "undo": ("undo", ""),
}
_LOOKUPS = {
    "show_memory",
    "search_memory",
    "search_chats",
    "search_pictures",
    "read_picture",
    "explain_memory",
}
_ID = re.compile(r"^\[[rt]\d+\] | ⟵ [^\n]*$", re.MULTILINE)  # a line's id and source are for models
_MAY_ASK = ("ask_fact", "ask_memory", "ask_why", "fact_self", "task", "chat")
_TO_DO = (
    "forget",
    "undo",
    "move",
    "secret",
    "permit",
    "quoted",
    "hypothetical",
)  # whatever else their words resemble
_QUESTION = re.compile(r"[?？]\s*$|[吗么]\s*$|^\s*(?:what|when|where|which|did|have|had)\b", re.IGNORECASE)
_SAID = re.compile(  # words that ask for what was said, not for what is known
    r"\b(?:did|have) (?:i|we|you) (?:ever )?(?:say|said|mention(?:ed)?|talk(?:ed)?|chat(?:ted)?|discuss(?:ed)?|write|"
    r"written|tell you|told you|ask you|asked you)\b|"
    r"(?:我|咱|你).{0,12}(?:说|提|聊|讲|问)(?:过|了|到|起).{0,6}(?:什么|啥|哪些|没|吗|关于)|"
    r"关于.{1,20}我.{0,8}(?:说|提|聊|讲)(?:过|了)",
    re.IGNORECASE,
)
_SPOKEN = {
    "chat": "embedded.hello",
    "help": "embedded.help",
    "secret": "embedded.secret",
    "permit": "embedded.permit",
    "forget": "forget.unknown",
    "once": "embedded.once",
}


_REDO = re.compile(
    r"\bredo\b|\bun-?undo\b|\bundo\b.{0,16}\b(?:undo|undid|undoing)\b|\b(?:undid|undone)\b|"
    r"\bput (?:it|that|them) back\b|"
    r"重做|撤[销回].{0,8}撤[销回]|(?:别|不要?|不用|取消).{0,3}撤[销回]?|恢复|还原",
    re.IGNORECASE,
)
_MEANING = re.compile(  # of what is asked for, the picture itself does not hold the words
    r"意思|解释|翻译|总结|分析|怎么[改修办看]|为什么|\bmeans?\b|\bexplain|\btranslat|\bsummar|\bwhy\b|\bfix\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"你|您|\byou(?:r|rself)?\b", re.IGNORECASE)
_EVERYTHING = re.compile(
    r"\b(?:every\s?thing|all of it|it all|all (?:your|my|the) (?:memor\w+|notes|rules))\b|全部|全都?|所有|一切|清空",
    re.IGNORECASE,
)
_OF_ANSWERS = re.compile(
    r"回答|回复|答案|一[句行]话?|\b(?:answer|repl(?:y|ies)|respon[ds]e?|talk|speak|one (?:line|word|sentence))\b",
    re.IGNORECASE,
)
NOWHERE, BEFORE, HERE = (
    "",
    "before",
    "here",
)  # the picture that words are about: none, an earlier one, their own


def _shows(asked: Said, place: int) -> str:
    if place in asked.captions:
        return HERE
    return BEFORE if asked.pictures else NOWHERE


def wished(text: str, understood: Understanding) -> str:
    """The category that words want for one picture only, "" when they want none: how they are put tells it, and the
    reader where that is left open.
    """
    found = read_wish(text, ()) or ""
    if understood.label in ("once", "move"):
        return found or place_named(understood.where)
    asked = understood.label.startswith("ask")
    return found if not asked and (not understood.level or says_once(text)) else ""


def _number(typed: str) -> str:
    """The number of a picture that words name, "" when they name none."""
    return next((str(number) for number in numbers_in(typed)), "")


def _plan(typed: str, understood: Understanding, shows: str) -> tuple[str, Arguments]:
    """The one tool that serves what was meant; whatever is not a look-up is read for memory."""
    if rearranging := planned(typed, before=shows == BEFORE):
        return rearranging
    if where := wished(typed, understood):
        digits = _number(typed)
        about_this = shows == BEFORE or understood.label == "move"
        if digits or (about_this and shows != HERE and not points_ahead(typed)):
            several = numbers_in(typed)
            which: Arguments = {"numbers": list(several)} if len(several) > 1 else {"number": digits}
            return "move_picture", which | {"category": where}
    if asks_for_like(typed) and shows != HERE:
        return "search_pictures", {"like": _number(typed) or "newest"}
    if understood.label == "ask_why" and (digits := _number(typed)):
        return "explain_memory", {"what": f"#{digits}"}
    if understood.label == "undo" and _REDO.search(typed):
        return "undo", {"redo": True}
    known = asks_how_known(typed) and not understood.level
    label = "ask_why" if known else understood.label
    name, argument = ("", "") if known or understood.level else _of_pictures(typed, understood, shows)
    if not name and not known and shows == NOWHERE and (tool := _looked_up(typed, understood)):
        name, argument = tool, "words"
    if not name:
        name, argument = _TOOL_FOR.get(label, ("take_note", ""))
    seen: Arguments = {"show": True} if name == "search_pictures" and asks_to_see(typed) else {}
    return name, seen | ({argument: typed} if argument else {})


def _of_pictures(typed: str, understood: Understanding, shows: str) -> tuple[str, str]:
    """(tool, its argument for the words) for a question about pictures, by its form; "" = as the reader says."""
    tool = ("", "")
    if asks_where_it_lies(typed) or asks_why_of_a_kind(typed):
        tool = ("explain_memory", "what") if shows != HERE else tool
    elif understood.label in _TO_DO:
        pass
    elif asks_what_came(typed):
        tool = ("search_pictures", "words")
    elif points_at_one(typed) and asks(typed):
        if shows != NOWHERE:
            tool = ("search_memory", "words") if understood.label == "ask_fact" else ("take_note", "")
    elif (looks_for_one(typed) and understood.label in ("task", "chat")) or (
        shows == NOWHERE and seeks(typed) and understood.label in ("task", "chat", "filing")
    ):
        tool = ("search_pictures", "words")
    return tool


def _looked_up(typed: str, understood: Understanding) -> str:
    """Where a question is looked up whatever the reader took it for; "" = as its label says."""
    if (
        understood.label in _MAY_ASK
        and not understood.level
        and _SAID.search(typed)
        and _QUESTION.search(typed)
    ):
        return "search_chats"
    if not understood.level and not_to_be_forgotten(typed):
        return "search_memory"  # 别忘了我对虾过敏: that it is known
    talk = understood.label in ("task", "chat") and asks(typed) and not understood.level
    return "search_memory" if talk else ""  # memory may know what the reader took for talk


def _further(asked: Said, messages: Sequence[Said]) -> tuple[Call, ...]:
    """What memory does not know may be in a filed picture, where a kind of picture is asked about."""
    if any(said.role == "tool" and said.call_id.startswith("p") for said in messages):
        return ()
    unknown = [said for said in messages if said.role == "tool" and _is_unknown(said)]
    places = [int(said.call_id[1:]) for said in unknown if said.call_id.startswith("c")]
    return tuple(
        Call(f"p{place}", "search_pictures", {"words": asked.typed[place]})
        for place in places
        if _shows(asked, place) == NOWHERE and mentions(asked.typed[place])
    )


def _in_words(rows: str, language: Language) -> str:
    """Lines as memory has them, with their marks in the person's language."""
    marked = re.compile(r" \((when|until): ([^()]*)\)")
    return marked.sub(lambda mark: say(language, f"line.{mark[1]}", **{mark[1]: mark[2]}), rows)


def _is_unknown(said: Said) -> bool:
    return said.name == "search_memory" and not said.found


def _read_out(asked: Said, place: int, language: Language) -> str:
    """What the picture says to a question: the lines that speak of it; all of it where it came with the question."""
    typed, shows = asked.typed[place], _shows(asked, place)
    if shows == NOWHERE or not asks(typed):
        return ""
    texts = [text.strip() for text in asked.pictures if text.strip()]
    if not _MEANING.search(typed) and (lines := lines_about(typed, texts)):
        return say(language, "embedded.picture_lines", text="\n".join(lines))
    if shows == BEFORE and not points_at_one(typed):
        return ""
    if not texts:
        return say(language, "embedded.picture_blank")
    return say(language, "embedded.picture", text=whole(texts))


_KEEP = re.compile(
    r"记住|记一下|记下|记得|记着|存一下|保存|以后|今后|从现在起|"
    r"\b(?:remember|note|save|store|keep|don['’]t forget|from now on|you (?:may|can))\b",
    re.IGNORECASE,
)  # it was to be kept


def _speak(typed: str, understood: Understanding, language: Language, shows: str) -> str:
    """A plain sentence where there was nothing to look up and nothing to keep."""
    if shows == HERE and (understood.label in ("once", "move", "chat", "filing") or read_wish(typed, ())):
        return ""  # the filing beside this turn obeys it and says so
    if understood.label == "forget" and _EVERYTHING.search(typed):
        return say(language, "embedded.forget_all")
    if _KEEP.search(typed) and (why := forbidden(typed, language)):
        return why
    if _KEEP.search(typed) and understood.label == "live":
        return say(language, "embedded.live")
    if understood.label == "once" and (_OF_ANSWERS.search(typed) or not wished(typed, understood)):
        return say(language, "embedded.once_unheard")  # about answers: nothing here could obey it
    return say(language, _SPOKEN.get(understood.label, "embedded.task"))
