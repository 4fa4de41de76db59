"""What a model said → a Filing, or what is wrong with it. Nothing a model says is believed unchecked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from classifiers.categories import clean_name, find
from classifiers.titles import clean_title
from classifiers.types import Category

_THINK = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|$)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_NOTHING = {"", "null", "none", "n/a", "无", "没有"}
LONGEST_SENTENCE = 200


class Answer(BaseModel):
    """The model's object, with every field optional and forgiving: a wrong type becomes an empty one."""

    model_config = ConfigDict(extra="ignore")

    category: str = ""
    new_category: str = ""
    title: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    rule: str | None = None
    confidence: float = 0.8
    runner_up: str | None = None
    why: str = ""

    @field_validator("category", "new_category", "title", "summary", "why", mode="before")
    @classmethod
    def _words(cls, value: Any) -> str:
        if isinstance(value, dict):
            value = value.get("id") or value.get("name")
        words = str(value).strip() if isinstance(value, str | int | float) else ""
        return "" if words.lower() in _NOTHING else words

    @field_validator("rule", "runner_up", mode="before")
    @classmethod
    def _maybe(cls, value: Any) -> str | None:
        words = str(value).strip() if isinstance(value, str | int) else ""
        return None if words.lower() in _NOTHING else words

    @field_validator("tags", mode="before")
    @classmethod
    def _tags(cls, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = re.split(r"[,，、;；]", value)
        tags = (
            [clean_name(tag.lstrip("#"), 20) for tag in value if isinstance(tag, str)]
            if isinstance(value, list)
            else []
        )
        return tuple(dict.fromkeys(tag for tag in tags if tag))[:3]

    @field_validator("confidence", mode="before")
    @classmethod
    def _confidence(cls, value: Any) -> float:
        try:
            number = float(str(value).strip().rstrip("%"))
        except ValueError:
            return 0.8
        return min(1.0, max(0.0, number / 100 if number > 1 else number))


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer that was held against what exists."""

    answer: Answer
    category: Category | None  # the existing one it chose
    new: str = ""  # the new one it wants, cleaned
    runner_up: Category | None = None

    @property
    def title(self) -> str:
        """A title that can be shown."""
        return clean_title(self.answer.title)


def read_answer(words: str) -> Answer | None:
    """The last JSON object in a model's words, thinking left out; None when there is none."""
    words = _THINK.sub("", words)
    candidates = [block.strip() for block in _FENCE.findall(words)] + _objects(words)
    for candidate in reversed(candidates):
        try:
            value = json.loads(candidate, strict=False)
        except ValueError:
            continue
        if isinstance(value, list) and value and isinstance(value[0], dict):
            value = value[0]
        if isinstance(value, dict) and ("category" in value or "new_category" in value):
            try:
                return Answer.model_validate(value)
            except ValidationError:
                continue
    return None


def check(answer: Answer, categories: Sequence[Category]) -> Checked:
    """Which category it chose, by id or name or alias; a new one only where it chose none."""
    chosen = find(answer.category, categories) if answer.category else None
    new = ""
    if chosen is None and answer.new_category:
        chosen = find(answer.new_category, categories)
        new = "" if chosen else clean_name(answer.new_category)
    runner_up = find(answer.runner_up, categories) if answer.runner_up else None
    return Checked(answer, chosen, new, runner_up if runner_up is not chosen else None)


def sentence(words: str) -> str:
    """One sentence that can be shown: no Markdown, one line, not endless."""
    words = re.sub(r"[*_`#>]{1,3}", "", " ".join(words.split()))
    return words[:LONGEST_SENTENCE].rstrip()


def _objects(words: str) -> list[str]:
    """Every balanced outermost {...}, in order; braces inside strings do not count."""
    found: list[str] = []
    depth, start, quoted, escaped = 0, 0, False, False
    for index, char in enumerate(words):
        if quoted:
            if char == '"' and not escaped:
                quoted = False
            escaped = char == "\\" and not escaped
            continue
        if char == '"' and depth:
            quoted, escaped = True, False
        elif char == "{":
            start = index if depth == 0 else start
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                found.append(words[start : index + 1])
    return found
