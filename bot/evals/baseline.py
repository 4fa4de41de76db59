"""`kairos eval baseline`: the same tasks without memory and with it, through the bot's very code.

*Without*: each step is said to an assistant that knows nothing yet. *With*: all steps of a task to one and the same,
each in a conversation of its own, so that nothing but memory carries over. The data behind the tasks is another one at
every look, and the words are the same; so what differs between the two is what memory does.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bot.evals.cases import CaseUnreadable
from bot.evals.live import Live, Query, same, shape
from bot.evals.report import Report, objects, read_json
from bot.evals.stage import Heard, Stage, staged
from bot.evals.tasks import Step, Task, parsed
from bot.models.model import Model
from bot.settings import Settings
from bot.types import Language
from bot.wording import say

OWN = Path(__file__).parent / "examples" / "baseline.json"

_THOUSANDS = re.compile(r"(?<=\d)[,'’\u00a0\u202f ](?=\d{3}(?!\d))")  # 10,007 is 10007

Arm = Literal["without", "with"]
ARMS: tuple[Arm, ...] = ("without", "with")

_COUNTS = (
    "steps",
    "right",
    "questions",
    "corrections",
    "loaded",
    "used",
    "changed",
    "queries",
    "anew",
    "due",
)
_NEEDS_MODEL = ("right", "questions", "corrections", "used", "changed", "queries", "anew")

_NAMES = {
    "steps": ("步骤", "steps"),
    "right": ("做对的步骤", "steps right"),
    "questions": ("反问次数", "clarifying questions asked"),
    "corrections": ("用户纠正次数", "times the person corrected"),
    "loaded": ("载入的记忆行", "lines of memory loaded"),
    "used": ("靠记忆直接做对的步骤", "steps that a line of memory settled"),
    "changed": ("被记忆改变的条件", "conditions that memory changed"),
    "queries": ("查询次数", "queries"),
    "due": ("要查实时数据的步骤", "steps that need live data"),
    "anew": ("其中重新查询的", "  of these queried anew"),
    "memory_wrong": ("记忆不对的步骤", "steps after which memory was wrong"),
    "problems": ("没跑完的步骤", "steps that could not be run"),
    "note": ("说明", "note"),
}


@dataclass(frozen=True, slots=True)
class First:
    """What came of the very first words of a step, before anything was answered or corrected."""

    conditions: Mapping[str, str] = field(default_factory=dict)  # of its queries
    shown: str = ""  # "" where nothing was looked up

    def changed(self, other: First, said: str) -> dict[str, str]:
        """What is otherwise than in `other`, and not because the words say so."""
        mine, theirs = ({**each.conditions, "shown": each.shown} for each in (self, other))
        told = said.casefold()
        return {
            key: value
            for key, value in mine.items()
            if value and value != theirs.get(key) and (key == "shown" or value.casefold() not in told)
            if not (key == "shown" and not theirs[key] and value == "prose")
        }


@dataclass(slots=True)
class Ran:
    """How one step went in one arm."""

    said: list[str] = field(default_factory=list)
    questions: int = 0
    corrections: int = 0
    loaded: tuple[str, ...] = ()  # with the first words
    queries: list[Query] = field(default_factory=list)
    answer: str = ""  # the last one
    first: First = First()
    kept: list[str] = field(default_factory=list)  # lines that hold afterwards
    problem: str = ""
    changed: dict[str, str] = field(default_factory=dict)  # what memory made otherwise at the first words
    used: str = ""  # the line of memory that settled it
    faults: list[str] = field(default_factory=list)  # of what was done
    memory_faults: list[str] = field(default_factory=list)

    @property
    def unaided(self) -> bool:
        """Whether it was right at once."""
        return not (self.faults or self.questions or self.corrections or self.problem)


async def run(
    path: Path, settings: Settings, *, as_json: bool, language: Language, model: Model | None = None
) -> dict[str, Any]:
    """Run every task below the settings' home, print what happened; returns the totals. Raises `CaseFileError`."""
    raw = objects(await asyncio.to_thread(read_json, path, language), path, "tasks", language)
    steps = sum(len(found) for each in raw if isinstance(found := each.get("steps"), list))
    report, tally, began = Report(len(ARMS) * steps, as_json, language), Tally(), time.perf_counter()
    brain = ""
    for place, each in enumerate(raw, 1):
        try:
            task = parsed(each, place, language)
        except CaseUnreadable as error:
            tally.arms["with"]["problems"] += 1
            report.row({"task": str(each.get("id", "")), "problem": str(error)}, f"✗ {error}")
            continue
        home = settings.home / f"task-{place}"
        live = Live(task)
        # nobody's own servers are asked
        alone = settings.model_copy(update={"home": home, "mcp_servers": ()})
        async with staged(alone, [live.tool], model) as stage:
            brain, tally.embedded = stage.brain, stage.embedded
            await _task(task, live, stage, report, tally)
    totals = tally.totals(brain, time.perf_counter() - began, language)
    report.totals(totals, _NAMES)
    return totals


async def _task(task: Task, live: Live, stage: Stage, report: Report, tally: Tally) -> None:
    without = []
    for place, step in enumerate(task.steps, 1):
        ran = await _step(step, live, stage, f"without-{place}", [])
        without.append(ran)
        _told(task, place, "without", ran, report, tally)
    kept: list[str] = []
    for place, step in enumerate(task.steps, 1):
        await stage.say("with", "/new")
        ran = await _step(step, live, stage, "with", kept)
        ran.memory_faults = _memory_faults(step, kept, ran.kept)
        kept = ran.kept
        ran.changed = ran.first.changed(without[place - 1].first, step.say)
        ran.used = _used(step, ran, without[place - 1])
        _told(task, place, "with", ran, report, tally)


async def _step(step: Step, live: Live, stage: Stage, person: str, before: Sequence[str]) -> Ran:
    """Say what the step says; where it is asked about, or not what was wanted, the answer too, once."""
    ran, begun = Ran(), len(live.queries)
    heard = await _speak(step, ran, step.say, stage, person, live)
    ran.loaded = heard.loaded
    ran.first = First(
        {key: value for query in ran.queries for key, value in query.conditions.items()},
        shape(heard.text) if ran.queries and step.shown else "",
    )
    ran.faults = _faults(step, ran)
    if ran.faults and step.answer and not ran.problem and (not stage.embedded or step.teaches):
        ran.corrections += not ran.questions
        await _speak(step, ran, step.answer, stage, person, live)
        ran.faults = _faults(step, ran)
    ran.queries = live.queries[begun:]
    ran.kept = await stage.kept(person)
    return ran


async def _speak(step: Step, ran: Ran, words: str, stage: Stage, person: str, live: Live) -> Heard:
    """One message. A clarifying question: something is to be looked up, and the answer asks and has not done it."""
    since = len(live.queries)
    ran.said.append(words)
    heard = await stage.say(person, words)
    ran.queries, ran.answer = live.queries[since:], heard.text
    asks = "?" in heard.text or "？" in heard.text
    ran.questions += step.conditions is not None and not ran.queries and asks
    ran.problem = ran.problem or heard.problem
    return heard


def _faults(step: Step, ran: Ran) -> list[str]:
    """What is not as it should be in what was looked up and shown last."""
    if step.conditions is None:
        return ["looked up, though nothing was asked for"] if ran.queries else []
    if not ran.queries:
        return ["nothing was looked up"]
    faults = [
        f"{key} {query.conditions.get(key) or '–'}, not {wanted or '–'}"
        for query in ran.queries
        for key, wanted in step.conditions.items()
        if not same(query.conditions.get(key), wanted)
    ]
    if not _anew(ran):
        faults.append("the answer is not what was found just now")
    if step.shown and shape(ran.answer) != step.shown:
        faults.append(f"shown as {shape(ran.answer)}, not {step.shown}")
    return faults


def _anew(ran: Ran) -> bool:
    """Whether the last answer tells what a query of its own turn found."""
    told = _THOUSANDS.sub("", ran.answer)
    return any(query.live and query.live in told for query in ran.queries)


def _memory_faults(step: Step, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """What memory should hold after a step and does not, or holds and should not."""
    if not step.teaches:
        return [f"memory changed: {line}" for line in sorted({*before} ^ {*after})]
    held = [line.casefold() for line in after]
    kept = any(all(word.casefold() in line for word in step.keeps) for line in held)
    faults = [] if kept or not step.keeps else [f"no line has {', '.join(step.keeps)}"]
    return faults + [
        f"still holds {word}" for word in step.drops if any(word.casefold() in line for line in held)
    ]


def _used(step: Step, ran: Ran, without: Ran) -> str:
    """The line that settled at once what is not settled without it; "" when none did."""
    if not step.uses or not ran.unaided or without.unaided:
        return ""
    return next((line for line in ran.loaded if step.uses.casefold() in line.casefold()), "")


class Tally:
    """Sums over rows, by arm."""

    def __init__(self) -> None:
        self.arms: dict[Arm, Counter[str]] = {arm: Counter() for arm in ARMS}
        self.embedded = False

    def count(self, arm: Arm, step: Step, ran: Ran) -> None:
        """One step."""
        due = step.conditions is not None
        self.arms[arm].update(
            {
                "steps": 1,
                "right": not (ran.faults or ran.memory_faults or ran.problem),
                "questions": ran.questions,
                "corrections": ran.corrections,
                "loaded": len(ran.loaded),
                "used": bool(ran.used),
                "changed": len(ran.changed),
                "queries": len(ran.queries),
                "due": due,
                "anew": due and _anew(ran),
                "memory_wrong": bool(ran.memory_faults),
                "problems": bool(ran.problem),
            }
        )

    def totals(self, brain: str, seconds: float, language: Language) -> dict[str, Any]:
        """The line of totals; what cannot be measured without a model is null, and said."""
        gone = _NEEDS_MODEL if self.embedded else ()
        keys = (*_COUNTS, "memory_wrong", "problems")
        sums = {key: {arm: None if key in gone else int(self.arms[arm][key]) for arm in ARMS} for key in keys}
        note = {"note": say(language, "evals.no_model")} if self.embedded else {}
        return {"totals": "baseline", "brain": brain, **sums, **note, "seconds": round(seconds, 1)}


def _told(task: Task, place: int, arm: Arm, ran: Ran, report: Report, tally: Tally) -> None:
    """Count a step and print it."""
    step = task.steps[place - 1]
    tally.count(arm, step, ran)
    faults = [*([] if tally.embedded else ran.faults), *ran.memory_faults]
    faults += [ran.problem] if ran.problem else []
    row: dict[str, Any] = {
        "task": task.id,
        "kind": task.kind,
        "step": place,
        "case": step.case,
        "arm": arm,
        "said": ran.said,
        "loaded": list(ran.loaded),
        "kept": ran.kept,
        "memory_faults": ran.memory_faults,
        "problem": ran.problem,
    }
    if not tally.embedded:
        row |= {
            "questions": ran.questions,
            "corrections": ran.corrections,
            "used": ran.used,
            "changed": ran.changed,
            "queries": [{"conditions": dict(each.conditions), "live": each.live} for each in ran.queries],
            "due": step.conditions is not None,
            "anew": step.conditions is not None and _anew(ran),
            "answer": ran.answer,
            "right": not faults,
            "faults": ran.faults,
        }
    report.row(row, _words(row, faults, report.language))


def _words(row: Mapping[str, Any], faults: Sequence[str], language: Language) -> str:
    """A step as a row of the table."""
    from rich.cells import set_cell_size

    measured = "questions" in row
    sign = "✗" if faults else "✓" if measured or row["arm"] == "with" else "·"
    name = f"{row['task']} {row['step']} {row['case']}"
    cells = [f"{_NAMES['loaded'][language == 'en']} {len(row['loaded'])}"]
    if measured:
        cells.append(f"{_NAMES['questions'][language == 'en']} {row['questions']}")
        cells += [f"{key} → {value}" for key, value in row["changed"].items()]
        cells += [f"« {row['used']}"] if row["used"] else []
    cells += ["; ".join(faults)] if faults else []
    return f"{sign} {row['arm']:<7} {set_cell_size(name, 24)} {' · '.join(cells)}"
