"""Judge by a model: a vision model sees the picture and its text, a text model only the text."""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import replace
from functools import cache
from importlib import resources

import structlog

from classifiers.answer import Answer, Checked, check, read_answer, sentence
from classifiers.carried import carried
from classifiers.categories import UNFILED, UNSORTED, find, find_by_meaning, is_unfiled
from classifiers.offline import unfiled_because
from classifiers.ports import Ask, Embed, Judge, See
from classifiers.rules import PICTURE, read_rules
from classifiers.types import Case, Filing

log = structlog.get_logger()

PROMPTS = ("judge", "picture", "again")
LONGEST_TEXT = 6_000  # characters of the picture's words that a model gets
LONGEST_NEAR = 120
REFUSALS = re.compile(
    r"^\s*(?:no[_ ]?text|i (?:see|can see|cannot see|can't see) no text|没有文字|无文字)\b.*$", re.IGNORECASE
)

LIKE_AN_ID = re.compile(r"^[a-z]?\d+$", re.IGNORECASE)
ORDERS = re.compile(
    r"ignore|instruction|assistant|system prompt|file (?:this|everything|all)|归档到|归入|忽略|助手|指令|规则"
)


async def ready() -> None:
    """Load the prompts off the event loop; after the first time this costs nothing."""
    if prompt.cache_info().currsize < len(PROMPTS):
        await asyncio.to_thread(lambda: [prompt(name) for name in PROMPTS])


@cache
def prompt(name: str) -> str:
    """The words of prompts/<name>.md."""
    return resources.files("classifiers").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


class ModelJudge:
    """`await judge(case)`; a `Judge`. Give `see` for a vision model, `ask` for one that only reads.

    What a model answers is checked: an unknown category is looked up by meaning, then asked for once more, and
    then decided by `fallback` (the model-free judge).
    """

    def __init__(
        self, fallback: Judge, *, see: See | None = None, ask: Ask | None = None, embed: Embed | None = None
    ) -> None:
        if (see is None) == (ask is None):
            raise ValueError("give either a vision model or a text model")
        self._see = see
        self._ask = ask
        self._embed = embed
        self._fallback = fallback

    async def __call__(self, case: Case) -> Filing:
        """Where the picture goes. Raises what the model layer raises."""
        await ready()
        system, user = write_prompt(case)
        checked = await self._checked(case, system, user)
        if checked is None or not (checked.category or checked.new or leaving_out(checked.answer, case)):
            said = (checked.answer.category or checked.answer.new_category) if checked else ""
            again = prompt("again").format(
                said=said, ids=", ".join(category.id for category in case.categories)
            )
            checked = await self._checked(case, system, f"{user}\n\n{again}") or checked
        offline = await self._fallback(case)
        if checked is None:
            log.warning("model's answer could not be read", action="judge.unreadable")
            return offline
        return await self._filing(case, checked, offline)

    async def _checked(self, case: Case, system: str, user: str) -> Checked | None:
        words = await self._call(case, system, user)
        answer = read_answer(words)
        if answer is None:
            return None
        checked = check(answer, case.categories)
        wanted = checked.new or answer.category
        if is_unfiled(wanted):  # no category: a model may say so only where an instruction does
            return replace(checked, new="")
        if checked.category is None and wanted and not LIKE_AN_ID.match(wanted):
            meant = await find_by_meaning(wanted, case.categories, self._embed)
            checked = replace(checked, category=meant, new="" if meant else checked.new)
        return checked

    async def _call(self, case: Case, system: str, user: str) -> str:
        if self._see is not None:
            return await self._see(system, user, case.picture.jpeg)
        assert self._ask is not None
        return await self._ask(system, user)

    def _unfiled(self, case: Case, checked: Checked, offline: Filing, rule: str) -> Filing:
        answer = checked.answer
        return Filing(
            category=UNFILED[case.language],
            title=checked.title or offline.title,
            summary=_said(answer.summary) or offline.summary,
            tags=answer.tags or offline.tags,
            rule=rule,
            confidence=answer.confidence,
            why=unfiled_because(rule, case.language),
            judged_by="vision" if self._see is not None else "text",
        )

    async def _filing(self, case: Case, checked: Checked, offline: Filing) -> Filing:
        answer = checked.answer
        if (line := leaving_out(answer, case)) is not None:
            return self._unfiled(case, checked, offline, line)
        rule = applied_rule(case.rules, answer.rule)
        if checked.category is not None:
            category, is_new = checked.category.name, False
        elif checked.new and not (_from_picture(checked.new, case) and rule is None):
            category, is_new = checked.new, True
        else:
            category, is_new = offline.category, offline.is_new
            rule = offline.rule
        if rule is not None and not speaks_of(rule, category, case):
            rule = None
        agreed = category == offline.category
        runner_up = checked.runner_up.name if checked.runner_up else None
        confidence = answer.confidence
        doubtful = offline.rule is not None or (not is_new and confidence < 0.9)
        if rule is None and not agreed and doubtful:
            runner_up = runner_up or (
                None if offline.category == UNSORTED[case.language] else offline.category
            )
            confidence = min(confidence, 0.5)
        return Filing(
            category=category,
            title=checked.title or offline.title,
            summary=_said(answer.summary) or offline.summary,
            tags=answer.tags or offline.tags,
            rule=rule,
            confidence=confidence,
            runner_up=runner_up if runner_up != category else None,
            is_new=is_new,
            why=sentence(answer.why) or offline.why,
            judged_by="vision" if self._see is not None else "text",
        )


def write_prompt(case: Case) -> tuple[str, str]:
    """(system, user). What changes least stands first; the picture's words are fenced by a random boundary."""
    listed = "\n".join(
        f"- {category.id}: {category.name}"
        + (f" — {category.description}" if category.description else "")
        + (f" (also: {', '.join(category.aliases)})" if category.aliases else "")
        for category in case.categories
    )
    system = (
        prompt("judge")
        .replace("{language}", {"zh": "Chinese (简体中文)", "en": "English"}[case.language])
        .replace("{rules}", carried(case.rules) or "(none)")
        .replace("{categories}", listed or "(none yet)")
    )
    near = "\n".join(
        f"- {'moved by them to' if item.corrected else 'in'} {item.category}: "
        + " ".join(item.text.split())[:LONGEST_NEAR]
        for item in case.nearest
    )
    user = (
        prompt("picture")
        .replace("{caption}", case.caption.strip() or "(nothing)")
        .replace("{nearest}", near or "(none)")
        .replace("{boundary}", secrets.token_hex(6))
        .replace("{text}", _words(case.reading.text) or "(none found)")
    )
    return system, user


def applied_rule(core: str, id: str | None) -> str | None:
    """The standing instruction with this number, as the person's line reads; None when there is no such one."""
    if not id:
        return None
    wanted = id.strip("[]^# .").lower()
    lines = [line.strip() for line in core.splitlines() if line.strip()]
    for line in lines:
        match = re.match(r"^(?:[-*]\s*)?\[(\w+)\]\s*(.+)$", line) or re.match(
            r"^(\d{1,3})[.)、]\s*(.+)$", line
        )
        if match and match[1].lower() in (wanted, f"r{wanted}"):
            return match[2].strip()
    for line in lines:
        if match := re.match(rf"^[-*]?\s*(.+?)\s*\^{re.escape(wanted)}$", line, re.IGNORECASE):
            return match[1]
    return None


def speaks_of(line: str, category: str, case: Case) -> bool:
    """Whether a standing instruction can be why a picture lies there: small models name the first one they see."""
    read = read_rules(line, [each.name for each in case.categories])
    if not read:
        return category.casefold() in line.casefold() or PICTURE.search(line) is not None
    places = [find(rule.where, case.categories) for rule in read if not rule.forbids]
    return not places or any(place is None or place.name == category for place in places)


def leaving_out(answer: Answer, case: Case) -> str | None:
    """The standing instruction by which a model says that the picture belongs in no category; None where it says none.

    It says so by that instruction's number alone, or by the word that the prompt names for it.
    """
    named = applied_rule(case.rules, answer.rule)
    if named is not None and (read := read_rules(named)) and all(rule.unfiled for rule in read):
        return named
    if not is_unfiled(answer.category or answer.new_category):
        return None
    lines = [rule.line for rule in read_rules(case.rules) if rule.unfiled]
    return named if named in lines else next(iter(lines), None)


def _from_picture(name: str, case: Case) -> bool:
    """Whether a new category's name looks dictated by the picture: it stands there beside an order to file."""
    text = case.reading.text.casefold()
    if name.casefold() not in text:
        return False
    return bool(ORDERS.search(text))


def _said(summary: str) -> str:
    """What a model says of a picture; that there is nothing to read in it says nothing."""
    return "" if REFUSALS.match(summary) else sentence(summary)


def _words(text: str) -> str:
    lines = [line for line in text.splitlines() if not REFUSALS.match(line)]
    words = "\n".join(lines)
    if len(words) <= LONGEST_TEXT:
        return words
    half = LONGEST_TEXT // 2
    return f"{words[:half]}\n[…]\n{words[-half:]}"
