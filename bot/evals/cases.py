"""Dialogue cases as they stand in a case file: read leniently, since other files hold other shapes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bot.types import Language
from bot.wording import say

OWNER = "u1"


def _text(value: object) -> object:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _list(value: object) -> object:
    return [] if value is None else value if isinstance(value, list) else [value]


def _pages(value: object) -> object:
    """Topic pages; lines that stand there by themselves, each with the `topic` it is of, make a page a topic."""
    pages: list[object] = []
    loose: dict[str, list[object]] = {}
    for each in value if isinstance(value, list) else [] if value is None else [value]:
        if isinstance(each, dict) and "text" in each and "items" not in each:
            loose.setdefault(str(each.get("topic") or ""), []).append(each)
        else:
            pages.append(each)
    return [*pages, *({"title": title, "items": lines} for title, lines in loose.items())]


def _moment(value: object) -> object:
    """ISO time; one without an offset is taken as UTC, one without an hour as that day's midnight."""
    if value in (None, ""):
        return None
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _day(value: object) -> object:
    return None if value in (None, "") else date.fromisoformat(str(value)[:10])


Text = Annotated[str, BeforeValidator(_text)]
Moment = Annotated[datetime | None, BeforeValidator(_moment)]
Day = Annotated[date | None, BeforeValidator(_day)]
Texts = Annotated[list[Text], BeforeValidator(_list)]


class Loose(BaseModel):
    """Read leniently: keys we do not know are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Known(Loose):
    """One line of memory before the talk."""

    id: Text = ""
    text: Text = ""
    origin: Text = "auto"
    kind: Text = ""
    scope: Text = "global"
    created: Moment = None
    when: Moment = None
    expires: Day = None
    edited_by: Text = ""


class Topic(Loose):
    """One topic page before the talk."""

    title: Text = ""
    purpose: Text = ""
    items: Annotated[list[Known], BeforeValidator(_list)] = []


class Existing(Loose):
    """Memory before the talk."""

    core: Annotated[list[Known], BeforeValidator(_list)] = []
    topics: Annotated[list[Topic], BeforeValidator(_pages)] = []
    style: Annotated[list[Known], BeforeValidator(_list)] = []
    tombstones: Annotated[list[Known], BeforeValidator(_list)] = []
    rejected_proposals: Annotated[list[Known], BeforeValidator(_list)] = []


class CaseTurn(Loose):
    """One thing said."""

    role: Text = "user"
    speaker: Text = ""
    text: Text = ""
    at: Moment = None
    forwarded: Annotated[bool, BeforeValidator(bool)] = False


class Expected(Loose):
    """One operation that a careful person expects. None = not said, so anything goes."""

    op: Text = "nothing"
    layer: Text = ""
    kind: Text = ""
    origin: Text = ""
    scope: str | None = None
    expires: Day = None
    says_expires: bool = False
    target: str | None = None
    source_turn: int | None = None
    must_contain: Texts = []
    must_not_contain: Texts = []
    accept_also: Annotated[list[str | dict[str, Any]], BeforeValidator(_list)] = []

    @property
    def nothing(self) -> bool:
        """Whether nothing is expected to happen."""
        return self.op.strip().lower() in ("nothing", "none", "")


class Case(Loose):
    """One conversation with what should come of it."""

    id: Text
    lang: Text = "zh"
    now: Moment = None
    channel: Text = "private"
    owner: Text = OWNER
    trap: Texts = []
    existing: Existing = Field(default_factory=Existing)
    turns: Annotated[list[CaseTurn], BeforeValidator(_list)] = []
    expect: Annotated[list[Expected], BeforeValidator(_list)] = []
    accept_also: Annotated[list[str | dict[str, Any]], BeforeValidator(_list)] = []
    forbid: Texts = []

    @property
    def language(self) -> Literal["zh", "en"]:
        """Of what memory itself writes."""
        return "en" if self.lang.lower().startswith("en") else "zh"

    @property
    def end(self) -> datetime:
        """The time at which all of it is taken in."""
        told = (turn.at for turn in reversed(self.turns) if turn.at)
        return self.now or next(told, None) or datetime.now(UTC)

    @property
    def wanted(self) -> list[Expected]:
        """The operations expected; empty when nothing is to happen."""
        return [each for each in self.expect if not each.nothing]

    def is_owner(self, turn: CaseTurn) -> bool:
        """Whether these are the person's own words, typed by them."""
        own = (turn.speaker or self.owner or OWNER) == (self.owner or OWNER)
        return turn.role.lower() in ("user", "human", "") and own and not turn.forwarded

    def own_turns(self) -> Iterator[tuple[int, CaseTurn]]:
        """The person's own turns, with their places."""
        return ((i, turn) for i, turn in enumerate(self.turns) if self.is_owner(turn))


class CaseUnreadable(ValueError):
    """A case that does not have the form of one, in words for a person."""


def parsed(case: dict[str, Any], place: int = 1, language: Language = "en") -> Case:
    """One case. `place`: which one of its file, to name it by where it has no id.

    Raises:
        CaseUnreadable: its words are one sentence that names the case and the field.
    """
    values = dict(case)
    values["expect"] = [
        {**each, "says_expires": "expires" in each} if isinstance(each, dict) else {"op": each}
        for each in _listed(values.get("expect"))
    ]
    if values.get("existing") is None:
        values.pop("existing", None)
    try:
        return Case.model_validate(values)
    except ValidationError as error:
        raise CaseUnreadable(unreadable(error, str(case.get("id") or f"#{place}"), language)) from None


_WRONG = {  # how pydantic calls it → how we do; the longest beginning that fits
    "missing": "evals.missing",
    "model": "evals.object",
    "dict": "evals.object",
    "list": "evals.list",
    "string": "evals.text",
    "int": "evals.number",
    "value_error": "evals.time",  # our own validators turn only times away
}


def unreadable(error: ValidationError, case: str, language: Language) -> str:
    """One sentence about the first thing that is wrong with a case."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = ""
    for step in first["loc"]:
        field += f"[{step}]" if isinstance(step, int) else f".{step}" if field else str(step)
    kind = next((key for start, key in _WRONG.items() if first["type"].startswith(start)), "evals.other")
    return say(language, "evals.unreadable", case=case, field=field, wrong=say(language, kind))


def _listed(value: object) -> list[Any]:
    found = _list(value)
    assert isinstance(found, list)
    return found
