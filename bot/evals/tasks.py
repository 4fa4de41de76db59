"""Tasks of `kairos eval baseline`: what a person says step by step, the data behind it, what should come of it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, ValidationError

from bot.evals.cases import CaseUnreadable, Loose, Text, Texts, unreadable
from bot.types import Language


class Record(Loose):
    """What a query finds: `{live}` in its text is another number at every query."""

    # conditions that the query must have; {} fits every one
    where: dict[str, Any] = Field(default_factory=dict)
    text: Text = ""


class Queried(Loose):
    """The tool that looks into the data, as a model reads it."""

    name: Text
    description: Text = ""
    properties: dict[str, Any] = Field(default_factory=dict)
    required: Texts = Field(default_factory=list)


class Step(Loose):
    """One thing that the person wants, in a conversation of its own."""

    case: Text = "again"  # first, again, exception, out of scope, changed
    say: Text
    answer: Text = ""  # to a question, or to a result that is not what was wanted
    # every query must have these; null = must lack it; None = no query due
    conditions: dict[str, Any] | None = None
    shown: Literal["cards", "prose"] | None = None
    uses: Text = ""  # a word of the line of memory that should do
    keeps: Texts = Field(default_factory=list)  # words that some line in force has afterwards
    drops: Texts = Field(default_factory=list)  # words that none has

    @property
    def teaches(self) -> bool:
        """Whether memory should differ afterwards."""
        return bool(self.keeps or self.drops)


class Task(Loose):
    """Steps of one habit: told once, leaned on, departed from, changed."""

    id: Text
    lang: Text = "zh"
    kind: Text = ""
    tool: Queried
    data: list[Record] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)


def parsed(raw: dict[str, Any], place: int, language: Language) -> Task:
    """One task. `place`: which one of its file, to name it by where it has no id.

    Raises:
        CaseUnreadable: its words are one sentence that names the task and the field.
    """
    try:
        return Task.model_validate(raw)
    except ValidationError as error:
        raise CaseUnreadable(unreadable(error, str(raw.get("id") or f"#{place}"), language)) from None
