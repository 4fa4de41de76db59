"""Every clause of a case file's scoring, one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.evals.cases import Case, parsed
from bot.evals.operations import Operation
from bot.evals.scoring import Happened, judge

SAID = "From now on sign my letters with R. Marsh, please."
RULE: dict[str, Any] = {
    "op": "add",
    "layer": "core",
    "kind": "instruction",
    "origin": "explicit",
    "scope": "genre:letter",
    "expires": None,
    "source_turn": 0,
    "must_contain": ["Marsh", "Sign|sign|end"],
    "must_not_contain": ["please"],
}
DONE = Operation(
    op="add",
    layer="core",
    kind="instruction",
    origin="explicit",
    scope="genre:letters",
    expires=None,
    target=None,
    text="Sign letters with “R. Marsh”.",
    quote="sign my letters with R. Marsh",
    turn=0,
)


def case(*expect: dict[str, Any], **more: Any) -> Case:
    turns = [
        {"role": "user", "speaker": "u1", "text": SAID},
        {"role": "assistant", "text": "I sign with R. Marsh."},
        {"role": "user", "speaker": "u2", "text": "and mine with Lee"},
    ]
    return parsed(
        {"id": "x", "now": "2030-01-02T10:00:00+01:00", "turns": turns, "expect": list(expect), **more}
    )


def right(case_: Case, *done: Operation, **more: Any) -> bool:
    return judge(case_, Happened(done, **more)).right


def test_what_is_expected_is_right() -> None:
    assert right(case(RULE), DONE)


@pytest.mark.parametrize(
    "change",
    [
        {"op": "update"},
        {"layer": "topic"},
        {"kind": "persona"},
        {"origin": "auto"},
        {"scope": "global"},
        {"expires": "2030-02-01"},
        {"text": "Sign letters."},
        {"text": "Sign letters with R. Marsh, please."},
        {"text": "R. Marsh: close letters with it."},
        {"text": "Sign R. Marsh like this"},
        {"text": "Sign R. Marsh as above."},
        {"quote": ""},
        {"quote": "sign my letters with  R. Marsh"},
        {"quote": "I sign with R. Marsh."},
        {"quote": "mine with Lee"},
    ],
)
def test_one_thing_off_is_wrong(change: dict[str, Any]) -> None:
    assert not right(case(RULE), replace(DONE, **change))


@pytest.mark.parametrize(
    "text", ["照刚才的格式签 R. Marsh sign", "信件末尾签 Marsh sign，就这样", "sign Marsh 这样。"]
)
def test_a_text_that_leans_on_the_talk_is_wrong(text: str) -> None:
    assert not right(case(RULE), replace(DONE, text=text))


@pytest.mark.parametrize(
    "text", ["Sign this year's letters with Marsh.", "签 Marsh sign，不要这样的落款以外的格式"]
)
def test_a_text_that_only_looks_like_it_is_not(text: str) -> None:
    assert right(case(RULE), replace(DONE, text=text))


def test_more_or_less_than_expected_is_wrong() -> None:
    verdict = judge(case(RULE), Happened(()))
    assert not verdict.right
    assert verdict.missed == 1
    assert not verdict.false_store
    assert not right(case(RULE), DONE, DONE)


def test_nothing_due() -> None:
    nothing = case({"op": "nothing", "layer": "none", "kind": None}, forbid=["Marsh"])
    assert judge(nothing, Happened(())).silent
    stored = judge(nothing, Happened((replace(DONE, text="Sign.", quote="sign"),)))
    assert (stored.right, stored.false_store, stored.wrong, stored.silent) == (False, True, True, False)


def test_a_question_stores_nothing_but_is_not_silent() -> None:
    verdict = judge(case({"op": "nothing"}), Happened((), [DONE]))
    assert (verdict.right, verdict.false_store, verdict.silent, verdict.wrong) == (True, False, False, True)


@pytest.mark.parametrize(
    "happened",
    [
        Happened((), stored=("- [Marsh](topics/x.md)",)),
        Happened((), [DONE]),
        Happened((replace(DONE, text="Sign.", quote="R. Marsh"),)),
    ],
)
def test_forbidden_anywhere(happened: Happened) -> None:
    verdict = judge(case({"op": "nothing"}, forbid=["Marsh"]), happened)
    assert verdict.forbidden
    assert verdict.wrong
    assert not verdict.right


def test_a_deletion_may_quote_what_it_deletes() -> None:
    gone = replace(DONE, op="delete", target="c1", text="", quote=SAID)
    wanted = {"op": "delete", "layer": "core", "kind": "instruction", "origin": "explicit", "target": "c1"}
    assert right(case(wanted, forbid=["Marsh"]), gone)
    assert not right(case(wanted), replace(gone, target="c2"))


@pytest.mark.parametrize(
    ("also", "change"),
    [
        ("topic:direct", {"layer": "topic"}),
        ("topic:auto", {"layer": "topic", "origin": "auto"}),
        ("update", {"op": "update"}),
        ({"op": "supersede", "kind": "persona"}, {"op": "supersede", "kind": "persona"}),
    ],
)
def test_accept_also(also: object, change: dict[str, Any]) -> None:
    assert right(case({**RULE, "accept_also": [also]}), replace(DONE, **change))
    assert right(case(RULE, accept_also=[also]), replace(DONE, **change))
    assert right(case({**RULE, "accept_also": [also]}), DONE)
    assert not right(case({**RULE, "accept_also": ["style:proposal"]}), replace(DONE, **change))


def test_accept_also_names_another_scope() -> None:
    everywhere = replace(DONE, scope="global")
    assert right(case(RULE, accept_also=[{**RULE, "scope": "global"}]), everywhere)
    assert not right(case(RULE, accept_also=[{**RULE, "scope": "project:move"}]), everywhere)
    assert not right(case(RULE, accept_also=["core:direct"]), everywhere)


def test_accept_also_nothing_or_a_question() -> None:
    assert right(case({**RULE, "accept_also": ["nothing"]}))
    asks = case({**RULE, "accept_also": ["core:proposal"]})
    assert not right(asks)
    assert right(asks, questions=[DONE])


def test_several_operations_pair_off_in_any_order() -> None:
    other = {**RULE, "layer": "topic", "kind": "persona", "origin": "auto", "must_contain": ["letters"]}
    fact = replace(DONE, layer="topic", kind="persona", origin="auto")
    assert right(case(RULE, other), fact, DONE)
    lee = {**RULE, "must_contain": ["Lee"]}
    assert right(case(RULE, lee), replace(DONE, text="Sign with Lee."), DONE)
    assert not right(case(RULE, lee), DONE, DONE)


def test_many_operations_end() -> None:
    assert right(case(*[RULE] * 12), *[DONE] * 12)


def test_fields_that_are_not_given_are_not_asked_for() -> None:
    assert right(case({"op": "add"}), replace(DONE, scope="global", expires="2030-02-01"))


def test_a_case_that_did_not_run_is_not_right() -> None:
    assert not right(case({"op": "nothing"}), problem="no model")
