"""Code that speaks of errors stays code; what a program reported stays a report, although it quotes code."""

from __future__ import annotations

import pytest

from classifiers.program import form_of, told_apart
from tests.classifiers.programs import CODES, REPORTS

NEITHER = [
    "新闻早报\n2024-05-02 08:22 来源:晚报\n新线路今日开通,市民出行更方便",
    "Shopping\n- milk\n- bread (2)\ncall Sam re: boiler",
    "异常处理\n第七章 try 语句用来捕获异常。\n抛出异常时程序会中断。",
    "",
]


@pytest.mark.parametrize("name", CODES)
def test_program_text_is_code(name: str) -> None:
    assert form_of(CODES[name]) == "code"


@pytest.mark.parametrize("name", REPORTS)
def test_what_a_program_reported_is_an_error(name: str) -> None:
    assert form_of(REPORTS[name]) == "error"


@pytest.mark.parametrize("text", NEITHER[1:])
def test_other_text_is_neither(text: str) -> None:
    assert form_of(text) == ""


def test_code_with_a_log_of_one_line_under_it_is_left_open() -> None:
    code = "\n".join(f"step_{i}(order)" for i in range(9))
    assert form_of(f"{code}\nValueError: no order") == ""


@pytest.mark.parametrize(("name", "code", "error"), [("short", 0.81, 0.09), ("go", 0.81, 0.09)])
def test_only_the_two_share_what_they_have(name: str, code: float, error: float) -> None:
    shared = told_apart({"code": 0.1, "error": 0.8, "chat": 0.1}, CODES[name])
    assert shared == pytest.approx({"code": code, "error": error, "chat": 0.1})


def test_what_is_neither_keeps_its_chances() -> None:
    chances = {"code": 0.2, "error": 0.5, "web": 0.3}
    assert told_apart(chances, NEITHER[2]) == chances
