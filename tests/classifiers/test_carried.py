"""A rule is kept from the judge of pictures only where its scope names other work."""

from __future__ import annotations

import pytest

from classifiers.carried import carried


@pytest.mark.parametrize(
    "line",
    [
        "[r1] 用表格 (when: 写周报)",
        "[r1] 落款写全名（仅限：写邮件）",
        "[r1] Keep it under five lines (when: writing emails)",
        "[r1] No emoji (when: work emails) (until: 2027-01-31)",
        "[r1] 先说结论 (when: 回答问题)",
    ],
)
def test_other_work_stays_away(line: str) -> None:
    assert carried(f"{line}\n[r2] 回答用中文") == "[r2] 回答用中文"


@pytest.mark.parametrize(
    "line",
    [
        "[r1] 代码截图归档到「代码笔记」 (when: 归档图片)",
        "[r1] 回答用中文",
        "[r1] 标题写成英文 (when: 写邮件)",
        "[r1] 周报的截图归档到「工作」 (when: 写周报)",
        "[r1] 用缩写 (when: 项目「海棠」)",
        "[r1] 用缩写 (when: 上班时间)",
        "[r1] short titles (when: writing emails)",
        "[r1] 写「周报」时用表格",
    ],
)
def test_in_doubt_it_is_carried(line: str) -> None:
    assert carried(line) == line
