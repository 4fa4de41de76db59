"""Which stored line is spoken of: by a changed mind, or by "forget …"."""

from __future__ import annotations

from collections.abc import Sequence

from memory.changes import Instruct, Kind, Learn
from memory.concepts import answers, concepts
from memory.filing_rules import read_rule, same_place
from memory.page import CORE, Line
from memory.sameness import Relation, relation, subject
from memory.slots import asked_slot, slots_of
from memory.words import bag, content, covered, fold, squeeze

Lines = Sequence[tuple[str, Line]]
_GENERIC = bag(
    "事 件 条 那 规 矩 则 记 忆 忘 删 掉 别 留 存 说 过 关 于 原 来 前 全 部 所 有 东 西 thing stuff "
    "rule note what told said anything everything have know about forget delete remove longer anymore ever again "
    "one line memory"
)


def same_matter(
    change: Instruct | Learn, message: str, lines: Lines, cosines: Sequence[float] | None
) -> str | None:
    """The line that a changed mind replaces: the one that the write check would replace, or the clearly nearest one.

    Looser than the write check, because the person said that something is changing; still None when nothing is near.
    """
    core = isinstance(change, Instruct)
    kind = Kind.INSTRUCTION if isinstance(change, Instruct) else change.kind
    new = Line("", change.text, kind, change.origin, change.when)
    there = [(i, line) for i, (page, line) in enumerate(lines) if (page == CORE) == core]
    for _, line in there:
        if relation(new, line) is Relation.REPLACES:
            return line.id
    rule = read_rule(change.text, change.when)
    scored: list[tuple[float, str]] = []
    for i, line in there:
        known = read_rule(line.text, line.when)
        if (known is None) != (rule is None) or subject(line) != subject(new):
            continue
        if rule and known:
            score = _shared(rule.what, known.what)
            if squeeze(known.where) in squeeze(message) and not same_place(known.where, rule.where):
                score += 0.6  # the old place is named: "not Utilities any more"
        else:
            score = _shared(f"{change.text} {message}", line.text)
            if cosines is not None and cosines[i] >= 0.88:
                score += 0.2
        scored.append((score, line.id))
    scored.sort(reverse=True)
    if scored and scored[0][0] >= 0.5 and (len(scored) < 2 or scored[0][0] - scored[1][0] >= 0.1):
        return scored[0][1]
    return None


def spoken_of(
    about: str, message: str, lines: Lines, cosines: Sequence[float] | None
) -> tuple[list[str], list[str]]:
    """Lines a "forget" is about: (sure, to ask about). Naming the id is sure, and so is the one clear match."""
    for _, line in lines:
        if line.id and (f"^{line.id}" in message or f"[{line.id}]" in message):
            return [line.id], []
    if (telling := _telling(about, message, lines)) is not None:
        return [telling], []
    wanted = [word for word in content(about) if word not in _GENERIC]
    if not wanted:
        return [], []
    scored: list[tuple[float, str]] = []
    for i, (_, line) in enumerate(lines):
        held = content(f"{line.text} {line.when or ''}")
        score = covered(wanted, held)
        if fold(about) in fold(line.text) or fold(line.text) in fold(about):
            score = 1.0
        if cosines is not None:
            score = 0.75 * score + 0.25 * min(1.0, max(0.0, (cosines[i] - 0.80) / 0.12))
        scored.append((score, line.id))
    scored.sort(reverse=True)
    near = [(score, id) for score, id in scored if score >= 0.45]
    if not near:
        return [], _meant(lines, cosines)
    best = near[0][0]
    ties = [id for score, id in near if best - score < 0.12]
    if best >= 0.6 and len(ties) == 1:
        return ties, []
    return [], ties[:3]


def _telling(about: str, message: str, lines: Lines) -> str | None:
    """The one line that tells what is spoken of without saying it: "where I live", "my sister's name"."""
    asked = asked_slot(message)
    filling = [line.id for _, line in lines if asked and asked in slots_of(line.text)]
    if len(filling) == 1:
        return filling[0]
    whose = concepts(about)
    if not (whose.holders and whose.facts):
        return None
    told = [line.id for _, line in lines if answers(about, line.text)]
    return told[0] if len(told) == 1 else None


def _meant(lines: Lines, cosines: Sequence[float] | None) -> list[str]:
    """The one line that stands out in meaning where no word is shared; only ever asked about."""
    if not cosines or len(cosines) < 3:
        return []
    order = sorted(range(len(cosines)), key=lambda i: -cosines[i])
    first, second = order[0], order[1]
    return [lines[first][1].id] if cosines[first] >= 0.87 and cosines[first] - cosines[second] >= 0.02 else []


def _shared(left: str, right: str) -> float:
    """How much of the smaller one's subject is in the larger one, 0..1."""
    a = [word for word in content(left) if word not in _GENERIC]
    b = [word for word in content(right) if word not in _GENERIC]
    if not a or not b:
        return 0.0
    return max(covered(a, b), covered(b, a))
