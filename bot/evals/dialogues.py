"""`kairos eval dialogues`: conversations replayed turn by turn through the bot's own way from words to memory."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.errors import KairosError
from bot.evals.cases import Case, CaseTurn, CaseUnreadable, parsed
from bot.evals.operations import Placed, operations, proposed
from bot.evals.report import Report, objects, read_json, share
from bot.evals.scoring import Happened, Verdict, judge
from bot.evals.seeding import seed
from bot.household import CONTEXT
from bot.types import Language
from memory import Change, Embed, FolderStore, Memory, MemoryProblem, Source, Utterance
from memory.changes import Did, Speaker
from memory.intake import Extract, take_in
from memory.journal import Entry
from memory.ledger import INDEX, Ledger
from memory.offline.judge import judged

PERSON = "me"

_NAMES = {
    "cases": ("用例", "cases"),
    "right": ("正确", "right"),
    "rate": ("正确率", "share right"),
    "expecting": ("应有操作的用例", "cases that expect an operation"),
    "expecting_right": ("　其中正确", "  of these right"),
    "silent_due": ("应无操作的用例", "cases that expect none"),
    "silent": ("　其中安静", "  of these silent"),
    "false_stores": ("误存", "false stores"),
    "misses": ("漏掉的操作", "operations missed"),
    "forbidden": ("存了禁止内容", "forbidden strings stored"),
    "wrong_writes": ("错误写入", "wrong writes"),
    "wrong_by_trap": ("错误写入（按陷阱）", "wrong writes by trap"),
    "questions": ("提出的问题", "questions asked"),
    "problems": ("没跑完的用例", "cases that could not be run"),
}


@dataclass(frozen=True, slots=True)
class Brain:
    """Who is judged: what the bot extracts with."""

    name: str
    extract: Extract
    embed: Embed | None = None


class Tally:
    """Sums over verdicts."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.traps: Counter[str] = Counter()

    def count(self, traps: Sequence[str], verdict: Verdict, questions: int, *, ran: bool) -> None:
        """One case."""
        self.counts.update(
            {
                "cases": 1,
                "right": verdict.right,
                "expecting": verdict.expects,
                "expecting_right": verdict.expects and verdict.right,
                "silent_due": not verdict.expects,
                "silent": ran and not verdict.expects and verdict.silent,
                "false_stores": verdict.false_store,
                "misses": verdict.missed,
                "forbidden": verdict.forbidden,
                "wrong_writes": verdict.wrong,
                "questions": questions,
                "problems": not ran,
            }
        )
        for trap in traps:
            self.traps[trap] += verdict.wrong

    def totals(self, brain: str, seconds: float) -> dict[str, Any]:
        """The line of totals."""
        numbers = {key: int(self.counts[key]) for key in _NAMES if key not in ("rate", "wrong_by_trap")}
        return {
            "totals": "dialogues",
            "brain": brain,
            **numbers,
            "rate": share(numbers["right"], numbers["cases"]),
            "expecting_rate": share(numbers["expecting_right"], numbers["expecting"]),
            "silent_rate": share(numbers["silent"], numbers["silent_due"]),
            "wrong_by_trap": {trap: count for trap, count in sorted(self.traps.items()) if count},
            "seconds": round(seconds, 1),
        }


async def run(path: Path, home: Path, brain: Brain, *, as_json: bool, language: Language) -> dict[str, Any]:
    """Replay every case below a temporary `home`, print what happened; returns the totals.

    Raises `CaseFileError`.
    """
    cases = objects(await asyncio.to_thread(read_json, path, language), path, "cases", language)
    report, tally, began = Report(len(cases), as_json, language), Tally(), time.perf_counter()
    for place, raw in enumerate(cases, 1):
        id, traps, happened, verdict = await _case(raw, place, home, brain, language)
        tally.count(traps, verdict, len(happened.questions), ran=not happened.problem)
        report.row(_row(id, traps, happened, verdict), _words(id, happened, verdict))
    totals = tally.totals(brain.name, time.perf_counter() - began)
    report.totals(totals, _NAMES)
    return totals


async def _case(
    raw: dict[str, Any], place: int, home: Path, brain: Brain, language: Language
) -> tuple[str, Sequence[str], Happened, Verdict]:
    """One case from its JSON to its verdict; whatever it does, the run goes on."""
    id = str(raw.get("id", ""))
    try:
        case = parsed(raw, place, language)
    except CaseUnreadable as error:
        problem = str(error)
        return id, (), Happened((), problem=problem), Verdict(False, (problem,))
    [ended] = await asyncio.gather(replay(case, home, brain), return_exceptions=True)
    if isinstance(ended, BaseException):
        if not isinstance(ended, Exception):
            raise ended
        ended = Happened((), problem=f"{type(ended).__name__}: {ended}")
    return id, case.trap, ended, judge(case, ended)


async def replay(case: Case, home: Path, brain: Brain) -> Happened:
    """Say a case's turns in order to a memory of its own, and compare that memory before and after."""
    folder = await asyncio.to_thread(tempfile.mkdtemp, dir=home, prefix="case-")
    try:
        return await _replay(case, FolderStore(Path(folder) / PERSON), brain)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _replay(case: Case, store: FolderStore, brain: Brain) -> Happened:
    ledger = Ledger(store, case.language)
    names = await asyncio.to_thread(seed, case, ledger)
    before = await asyncio.to_thread(_state, ledger)
    memory = Memory(
        store,
        person=PERSON,
        now=lambda: case.end,
        embed=brain.embed,
        judge=judged,
        language=case.language,
    )
    talk = await _converse(case, memory, brain.extract)
    after = await asyncio.to_thread(_state, ledger)
    return Happened(
        operations(before.lines, after.lines, after.entries[len(before.entries) :], names),
        [proposed(change, source, after.lines, names) for change, source in talk.questions],
        sorted(after.shown - before.shown),
        talk.refused,
        talk.problem,
    )


@dataclass(frozen=True, slots=True)
class _State:
    """A memory at one moment."""

    lines: Placed  # expired ones too
    shown: frozenset[str]  # what else can be read: titles, purposes, rows of the index
    entries: tuple[Entry, ...]


def _state(ledger: Ledger) -> _State:
    """Read it (blocking)."""
    pages = ledger.pages()
    lines = {line.id: (page.name, line) for page in pages for line in page.lines}
    shown = {words for page in pages for words in (page.title, page.purpose)}
    shown |= set(
        re.sub(r"\) \(\d+\)", ")", ledger.store.read(INDEX) or "").splitlines()
    )  # without its counts
    return _State(lines, frozenset(shown), tuple(ledger.journal.entries()))


@dataclass(slots=True)
class _Talk:
    """What a conversation led to, beside what it wrote."""

    questions: list[tuple[Change, Source]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    problem: str = ""  # the first thing that went wrong


async def _converse(case: Case, memory: Memory, extract: Extract) -> _Talk:
    """Every turn of the person is read with what came before it, as the job after a turn does."""
    heard: list[Utterance] = []
    talk = _Talk()
    for place, said in enumerate(case.turns):
        utterance = _turn(case, place, said)
        if utterance.role is Speaker.PERSON and utterance.text.strip() and not utterance.text.startswith("/"):
            try:
                noted = await take_in(memory, extract, [*heard[-CONTEXT:], utterance], case.end)
                talk.questions += noted.questions
                talk.refused += [each.reason for each in noted.outcomes if each.did is Did.REFUSED]
            except (KairosError, MemoryProblem) as error:
                talk.problem = talk.problem or f"turn {place}: {error}"
        if utterance.text.strip():
            heard.append(utterance)
    return talk


def _turn(case: Case, place: int, said: CaseTurn) -> Utterance:
    """A turn as memory reads it. Other people's words, forwards and tool results are never the person's."""
    role, text = Speaker.TOOL, said.text
    if case.is_owner(said):
        role = Speaker.PERSON
    elif said.role.lower() == "assistant":
        role = Speaker.ASSISTANT
    elif said.speaker:
        text = f"{said.speaker}: {text}"
    at = (said.at or case.end).astimezone(case.end.tzinfo)
    return Utterance(role, text, at, str(place), f"{case.channel or 'private'}:{case.id}")


def _row(id: str, traps: Sequence[str], happened: Happened, verdict: Verdict) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": id,
        "operations": [each.row() for each in happened.operations],
        "questions": [each.row() for each in happened.questions],
        "refused": list(happened.refused),
        "right": verdict.right,
        "faults": list(verdict.faults),
        "expects": verdict.expects,
        "silent": verdict.silent,
        "missed": verdict.missed,
        "false_store": verdict.false_store,
        "forbidden": verdict.forbidden,
        "wrong_writes": verdict.wrong,
        "trap": list(traps),
    }
    return row | ({"problem": happened.problem} if happened.problem else {})


def _words(id: str, happened: Happened, verdict: Verdict) -> str:
    marks = ["✓" if verdict.right else "✗", id, "; ".join(verdict.faults)]
    did = [f"    {each.op} {each.layer}: {each.text or each.target}" for each in happened.operations]
    did += [f"    ? {each.op} {each.layer}: {each.text or each.target}" for each in happened.questions]
    did += [f"    ! {reason}" for reason in happened.refused]
    return "\n".join([" ".join(filter(None, marks)), *did])
