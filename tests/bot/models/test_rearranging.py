"""What is done to filed pictures where no model chooses."""

from __future__ import annotations

from typing import Any

import pytest

from bot.models.rearranging import planned
from classifiers import kinds


@pytest.mark.parametrize(
    ("typed", "tool", "arguments"),
    [
        ("把 #3 改名为 春节车票", "rename_picture", {"number": 3, "title": "春节车票"}),
        ("Delete #3 and #5", "delete_picture", {"numbers": [3, 5]}),
        ("delete the last picture", "delete_picture", {"number": "newest"}),
        ("删掉最后一张图", "delete_picture", {"number": "newest"}),
        ("把 3、4 号图放到旅行", "move_picture", {"numbers": [3, 4], "category": "旅行"}),
        ("move pictures 3 and 4 to Holiday", "move_picture", {"numbers": [3, 4], "category": "Holiday"}),
        ("恢复 #3", "restore_picture", {"numbers": [3]}),
        ("把 #3、#4 放到旅行", "move_picture", {"numbers": [3, 4], "category": "旅行"}),
        ("merge Bills into Receipts", "merge_categories", {"old": "Bills", "new": "Receipts"}),
        ("把 #3 发给我看看", "show_picture", {"number": "3"}),
        ("show me #12", "show_picture", {"number": "12"}),
        ("Send me picture 12 please", "show_picture", {"number": "12"}),
    ],
)
async def test_the_tool_that_serves_it(typed: str, tool: str, arguments: dict[str, Any]) -> None:
    await kinds.ready()
    assert planned(typed, before=False) == (tool, arguments)


@pytest.mark.parametrize(
    "typed",
    [
        "delete it",
        "删掉",
        "恢复",
        "撤销",
        "rename it to X",
        "把 #3 放到旅行",
        "show me the receipts",
        "记住我住在三楼",
    ],
)
async def test_what_names_no_picture_is_left_alone(typed: str) -> None:
    await kinds.ready()
    assert planned(typed, before=False) is None


def test_a_name_right_after_a_picture_is_that_pictures() -> None:
    assert planned("改名为车票", before=True) == ("rename_picture", {"title": "车票"})
    assert planned("删掉", before=True) is None, "what goes is named, or pressed"
