"""What of an answer may be seen before it is whole."""

from __future__ import annotations

import pytest

from bot.agent.unfinished import showable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Paris is the capital of", "Paris is the capital of"),
        ("<think>hm, let me", ""),
        ("<think>hm</think>Paris", "Paris"),
        ("Two things:\n\nI've saved that for you.\nAnd more", "Two things:"),
        ("好的，我已经记住了。", ""),
        ("第一点是时间。\n我已经帮你记住了这条规则。", "第一点是时间。"),
        ("Sure.\n```json\n{\"name\": \"note\"", "Sure."),
        ("Sure.\n<tool_call>\n{\"na", "Sure."),
        ('{"name": "note", "argu', ""),
        ("```python\nprint('x')", "```python\nprint('x')"),
    ],
)  # fmt: skip
def test_shown(text: str, shown: str) -> None:
    assert showable(text) == shown


def test_a_receipt_that_no_tool_wrote_is_not_shown() -> None:
    assert showable("Done with it.\n✓ 记住了：“喝水”\n") == "Done with it."
