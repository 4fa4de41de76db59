"""A model as a careful one behaves: all it knows is what stands in its prompt. It reads the rules there, the tools that
are offered, and what is said; it knows no task, no step and nothing of what is expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.models.model import Call, Prompt, Reply, Said, ToolSpec

_RULE = re.compile(r"^\[(\w+)\] (.+)$", re.MULTILINE)
_STANDING = re.compile(r"(?:以后|from now on)[^。.]*[。.]?", re.IGNORECASE)
_ONCE = re.compile(r"这次|this once", re.IGNORECASE)
_CARDS, _PLAIN = re.compile(r"卡片|cards", re.I), re.compile(r"原文|plain text|别用卡片|no cards", re.I)
_OPEN = re.compile(r"没说哪座桥|without a harbour", re.IGNORECASE)


def careful(prompt: Prompt) -> Reply:
    """What it says next."""
    if not prompt.tools:  # asked to read a turn for memory: all there was to keep, it has kept
        return Reply(json.dumps({"changes": []}))
    mind = Mind.of(prompt)
    last = prompt.messages[-1]
    return mind.told(prompt.messages) if last.role == "tool" else mind.heard(last.typed[-1])


@dataclass(frozen=True)
class Mind:
    """What a prompt says."""

    rules: dict[str, str]
    query: ToolSpec  # the tool that is not the bot's own
    said: Sequence[str]  # by the person in this conversation, oldest first

    @classmethod
    def of(cls, prompt: Prompt) -> Mind:
        """Read it."""
        _, _, rules = prompt.system.partition("# Rules of this person, in force now\n")
        known = dict(_RULE.findall(rules.partition("\n\n#")[0]))
        query = next(each for each in prompt.tools if each.name.startswith(("query_", "open_")))
        return cls(known, query, [each.text for each in prompt.messages if each.role == "user"])

    def heard(self, words: str) -> Reply:
        """To what a person says: keep what is meant for good, then look up what is asked for, or ask."""
        calls = []
        if (standing := _STANDING.search(words)) is not None:
            calls.append(self._keep(standing[0].strip(), words))
        asked = self._asked(words, answers=not calls or words != standing[0] if standing else True)
        if isinstance(asked, str):
            return Reply("" if calls else asked, tuple(calls), "calls" if calls else "stop")
        if asked:
            calls.append(Call("q1", self.query.name, asked))
        return Reply("", tuple(calls), "calls") if calls else Reply("好。")

    def told(self, messages: Sequence[Said]) -> Reply:
        """To what tools came back with: tell the freshest, in the form that holds."""
        results = [each for each in messages if each.role == "tool"]
        found = next((each.text for each in reversed(results) if each.name == self.query.name), "")
        words = next(each.typed[-1] for each in reversed(messages) if each.role == "user" and each.typed)
        if not found:
            return Reply("好的。" if re.search(r"[\u4e00-\u9fff]", words) else "All right.")
        if "name" not in self.query.parameters["properties"] or not self._as_cards(words, str(self._name())):
            return Reply(found)
        steps = [each.strip() for each in re.split(r"[。.]", found) if each.strip()]
        return Reply("\n\n".join(f"Step {n}\n{each}" for n, each in enumerate(steps, 1)))

    def _keep(self, rule: str, words: str) -> Call:
        """A rule that speaks of the same as one in force takes its place."""
        topic = {each for each in self._values() if each in words.casefold()} or {"规程", "recipe"}
        for id, text in self.rules.items():
            if any(
                each in text.casefold() and each in rule.casefold() for each in (*topic, "规程", "recipe")
            ):
                return Call("k1", "revise_memory", {"id": id, "text": rule, "quote": rule})
        return Call("k1", "remember", {"text": rule, "quote": rule, "kind": "instruction"})

    def _asked(self, words: str, *, answers: bool) -> dict[str, Any] | str:
        """Conditions to look up with; words to ask with instead; {} when nothing is asked for."""
        if not answers:
            return {}
        if "name" in self.query.parameters["properties"]:
            name = self._name()
            return {"name": name} if name else ""
        return self._conditions(words)

    def _conditions(self, words: str) -> dict[str, Any] | str:
        here = {key: self._named(key, words) for key in ("term", "attribute", "place")}
        if not here["term"]:  # an answer to what was asked
            here["term"] = next((t for said in reversed(self.said) if (t := self._named("term", said))), "")
        if here["attribute"] or here["place"]:
            return {key: value for key, value in here.items() if value}
        for text in self.rules.values():
            if here["term"] and here["term"] in text and _OPEN.search(text):
                return {"term": here["term"], "attribute": self._named("attribute", text)}
        if here["term"] not in self._ambiguous():
            return {key: value for key, value in here.items() if value}
        options = "/".join(self.query.parameters["properties"]["attribute"]["enum"])
        return f"{here['term']}: {options}?"

    def _ambiguous(self) -> set[str]:
        """Terms with several kinds of values: here, the first that the tool lists."""
        return {self.query.parameters["properties"]["term"]["enum"][0]}

    def _name(self) -> str:
        """The document that was asked for last."""
        return next((n for said in reversed(self.said) if (n := self._named("name", said))), "")

    def _named(self, key: str, words: str) -> str:
        """The value of a condition that words name."""
        values = self.query.parameters["properties"][key]["enum"]
        return next((each for each in values if each.casefold() in words.casefold()), "")

    def _values(self) -> set[str]:
        schema = self.query.parameters["properties"]
        return {each.casefold() for each in schema.get("term", {}).get("enum", ())}

    def _as_cards(self, words: str, name: str) -> bool:
        if _ONCE.search(words) or (_STANDING.search(words) is None and _PLAIN.search(words)):
            return False
        if _CARDS.search(words):
            return not _PLAIN.search(words)
        kind = next((each for each in ("规程", "recipe") if each in name), None)
        holds = [text for text in self.rules.values() if kind and kind in text]
        return any(_CARDS.search(text) and not _PLAIN.search(text) for text in holds)
