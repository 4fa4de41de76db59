"""Which filing rule a message is about: the one on the same kind of picture, never one that only has pictures too."""

from __future__ import annotations

import pytest

from memory.changes import Instruct
from memory.filing_rules import SCOPE, phrase
from memory.offline.targets import same_matter
from memory.page import CORE, Line
from memory.wording import Language

ZH = (CORE, Line("r1", phrase("代码截图", "代码笔记", "zh"), when=SCOPE["zh"]))
EN = (CORE, Line("r2", phrase("Screenshots of code", "Code notes", "en"), when=SCOPE["en"]))


def _same(what: str, language: Language) -> str | None:
    change = Instruct(phrase(what, "Elsewhere", language), SCOPE[language])
    return same_matter(change, what, [ZH, EN], None)


@pytest.mark.parametrize(
    ("what", "language"),
    [
        ("菜谱截图", "zh"),
        ("车票的截图", "zh"),
        ("照片", "zh"),
        ("screenshots of recipes", "en"),
        ("ticket screenshots", "en"),
        ("screenshots from my bank", "en"),
    ],
)
def test_another_kind_of_picture_has_a_rule_of_its_own(what: str, language: Language) -> None:
    assert _same(what, language) is None


@pytest.mark.parametrize(
    ("what", "language", "line"),
    [
        ("代码的截图", "zh", "r1"),
        ("代码", "zh", "r1"),
        ("code screenshots", "en", "r2"),
        ("code", "en", "r2"),
    ],
)
def test_the_same_kind_otherwise_put_is_the_rule_that_is_there(
    what: str, language: Language, line: str
) -> None:
    assert _same(what, language) == line


@pytest.mark.parametrize(
    ("held", "said", "one"),
    [
        ("回答都要简短", "都用英文回答", False),
        ("回答都要简短", "回答时用表格", False),
        ("回答都要简短", "回答都要详细", True),
        ("都用英文回答", "回答都用中文", True),
        ("Always answer in French", "Keep answers short", False),
        ("Keep answers short", "Answer with bullet points", False),
    ],
)
def test_rules_on_different_matters_both_hold(held: str, said: str, one: bool) -> None:
    """However alike their words are: length, language and layout of answers are three things."""
    lines = [(CORE, Line("r1", held))]
    found = same_matter(Instruct(said), said, lines, [0.95], 0.5)
    assert (found == "r1") is one
