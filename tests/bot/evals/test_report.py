"""What evals print."""

from __future__ import annotations

import io
import json

import pytest

from bot.evals.report import Report, percentile, readable, share


def test_json_goes_out_as_it_comes_and_whole() -> None:
    out = io.StringIO()
    report = Report(2, True, "zh", out, io.StringIO())
    report.row({"id": "一", "text": "half \ud800"}, "words")
    assert out.getvalue().encode("utf-8").startswith('{"id": "一"'.encode())
    report.totals({"cases": 1}, {"cases": ("用例", "cases")})
    assert json.loads(out.getvalue().splitlines()[-1]) == {"cases": 1}


def test_progress_is_for_a_terminal_and_never_among_the_results() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, err = io.StringIO(), Terminal()
    report = Report(3, False, "en", out, err)
    report.row({}, "[bold] one")
    report.row({}, "")
    assert out.getvalue() == "[bold] one\n"
    assert "2/3" in err.getvalue()


@pytest.mark.parametrize(
    ("values", "of", "wanted"),
    [
        ([], 0.5, None),
        ([3], 0.95, 3),
        ([1, 2, 3, 4], 0.5, 2),
        (list(range(1, 101)), 0.95, 95),
        ([2, 1], 1, 2),
    ],
)
def test_percentiles(values: list[float], of: float, wanted: float | None) -> None:
    assert percentile(values, of) == wanted


def test_figures() -> None:
    assert share(1, 3) == 0.3333
    assert share(0, 0) is None
    assert [readable(each) for each in (None, 0.5, 3, {"a": 1.0}, {})] == ["–", "0.5", "3", "a 1", "–"]
