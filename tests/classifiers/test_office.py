"""Spreadsheets, slides and OpenDocument files are read as a person sees them; hostile ones harm nobody."""

from __future__ import annotations

import time

import pytest

from classifiers import packed, spreadsheet
from classifiers.errors import Unreadable
from classifiers.papers import MORE, MOST_TEXT, read_paper
from tests.classifiers.offices import open_document, shape, show, workbook, zipped

SHARED = '<row><c t="s"><v>0</v></c></row>'


def lines(data: bytes, name: str) -> list[str]:
    return read_paper(data, name).text.split("\n")


# ── Excel ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sheet_is_a_table_of_what_is_seen() -> None:
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
        '<row r="4"><c r="A4"><v>1200.5</v></c><c r="B4"><v>0.30000000000000004</v></c>'
        '<c r="C4" t="b"><v>1</v></c></row>'
        '<row r="5"><c r="A5" t="str"><f>A1&amp;"!"</f><v>房租!</v></c><c r="B5"><f>SUM(B1:B4)</f></c>'
        '<c r="C5" t="e"><v>#DIV/0!</v></c></row>'
        '<row r="6"><c r="B6" s="0"/></row>'
        '<row><c t="inlineStr"><is><r><t>two </t></r><r><t>lines\nhere</t></r></is></c><c><v>7</v></c></row>'
    )
    data = workbook(
        {"预算": rows, "later": '<row r="1"><c r="B1" t="s"><v>2</v></c></row>', "none": ""},
        ["<t>房租</t><rPh><t>fang</t></rPh>", "<r><t>per </t></r><r><t>month</t></r>", "<t>secret?</t>"],
        hidden=["later"],
    )
    reading = read_paper(data, "a.xlsx")
    assert reading.engine == "xlsx"
    assert reading.text.split("\n") == [
        "## 预算",
        "| 房租 |  | per month |",
        "| 1200.5 | 0.3 | TRUE |",
        "| 房租! | =SUM(B1:B4) | #DIV/0! |",
        "| two lines here | 7 |  |",
        "",
        "## later (hidden)",
        "|  | secret? |",
    ]


@pytest.mark.parametrize(
    ("number", "style", "shown"),
    [
        ("46082", 1, "2026-03-01"),
        ("46082.7291666667", 1, "2026-03-01 17:30"),
        ("0.378472222222222", 1, "09:05"),
        ("59", 1, "1900-02-28"),
        ("61", 1, "1900-03-01"),
        ("45000", 2, "2023-03-15"),
        ("1.5", 3, "36:00:00"),
        ("0.125", 4, "12.5%"),
        ("5", 5, "5"),
        ("9e99", 1, "9e99"),
        ("-1", 1, "-1"),
        ("1234567890123456", 0, "1234567890123456"),
        ("abc", 1, "abc"),
        ("7", 99, "7"),
    ],
)
def test_a_number_is_shown_by_its_format(number: str, style: int, shown: str) -> None:
    data = workbook(
        {"s": f'<row><c s="{style}"><v>{number}</v></c></row>'},
        formats={164: "yyyy&quot;年&quot;m&quot;月&quot;", 165: "[h]:mm:ss", 166: "0 &quot;days&quot;"},
        styles=[0, 22, 164, 165, 10, 166],
    )
    assert lines(data, "a.xlsx")[1] == f"| {shown} |"


def test_days_since_1904() -> None:
    data = workbook(
        {"s": '<row><c s="1"><v>0</v></c><c s="1"><v>44620</v></c></row>'}, styles=[0, 14], since_1904=True
    )
    assert lines(data, "a.xlsx")[1] == "| 00:00 | 2026-03-01 |"


def test_of_a_long_sheet_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 3)
    rows = "".join(f"<row><c><v>{number}</v></c></row>" for number in range(9))
    told = lines(workbook({"s": rows, "t": rows}), "a.xlsx")
    assert told == [
        *("## s", "| 0 |", "| 1 |", "| 2 |", spreadsheet.MORE_ROWS, ""),
        *("## t", "| 0 |", "| 1 |", "| 2 |", spreadsheet.MORE_ROWS),
    ]


def test_a_sheet_as_wide_as_it_can_be_is_cut() -> None:
    data = workbook({"s": '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c><c r="A2"><v>3</v></c></row>'})
    assert lines(data, "a.xlsx") == ["## s", "| 3 |"]


def test_a_book_that_is_too_long_is_read_at_its_beginning_and_soon() -> None:
    row = f"<row>{'<c><v>123456789</v></c>' * 20}</row>"
    data = workbook({"s": row * 60_000})
    started = time.perf_counter()
    text = read_paper(data, "a.xlsx").text
    assert time.perf_counter() - started < 5
    assert text.endswith(MORE)
    assert len(text) == MOST_TEXT + len(MORE)


# ── PowerPoint ─────────────────────────────────────────────────────────────────────────────────────────────


def test_slides_in_their_order_with_title_tables_and_notes() -> None:
    table = "".join(
        f"<a:tr>{''.join(f'<a:tc><a:txBody><a:p><a:r><a:t>{cell}</a:t></a:r></a:p></a:txBody></a:tc>' for cell in row)}"
        "</a:tr>"
        for row in (("月份", "收入"), ("一月", "1,200"))
    )
    second = (
        shape("Table", place="ctrTitle")
        + f"<p:graphicFrame><a:graphic><a:tbl>{table}</a:tbl></a:graphic></p:graphicFrame>"
        + f"<p:grpSp>{shape('in a group')}</p:grpSp>"
        + "<p:sp><p:txBody><a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p></p:txBody></p:sp>"
        + shape("7", place="sldNum")
    )
    first = shape("增长 12%", "新客户") + shape("季度", place="title")
    reading = read_paper(show(first, second, notes=shape("别忘了感谢小林")), "a.pptx")
    assert reading.engine == "pptx"
    assert reading.text.split("\n") == [
        "## 1. 季度",
        "增长 12%",
        "新客户",
        "(notes) 别忘了感谢小林",
        "",
        "## 2. Table",
        "| 月份 | 收入 |",
        "| 一月 | 1,200 |",
        "in a group",
        "one",
        "two",
    ]


def test_a_long_show_is_read_at_its_beginning() -> None:
    assert read_paper(show(*[shape("word " * 5000)] * 20), "a.pptx").text.endswith(MORE)


# ── OpenDocument ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_text_with_headings_lists_tables_and_notes() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>see annex</text:p></text:note-body></text:note>"
    )
    cells = "".join(f"<table:table-cell><text:p>{each}</text:p></table:table-cell>" for each in "ab")
    row = f"<table:table-row>{cells}</table:table-row>"
    data = open_document(
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">租赁</text:h>'
        f'<text:p>The <text:span>rent</text:span>{note}<text:s text:c="2"/>is<text:tab/>1,200</text:p>'
        "<text:list><text:list-item><text:p>milk</text:p></text:list-item></text:list>"
        f"<table:table>{row}</table:table><text:p>after</text:p>"
    )
    reading = read_paper(data, "a.odt")
    assert reading.engine == "opendocument"
    assert reading.text.split("\n") == [
        *("## 租赁", "see annex", "The rent  is\t1,200", "- milk", "| a | b |", "after")
    ]


def test_a_sheet_is_not_as_large_as_it_says() -> None:
    cell = "<table:table-cell{}>{}</table:table-cell>".format
    times = ' table:number-columns-repeated="{}"'.format
    row = (
        cell("", "<text:p>x</text:p>")
        + cell(times(2), "")
        + cell(times(3), "<text:p>y</text:p>")
        + cell(times(16_000), "")
    )
    empty = (
        f'<table:table-row table:number-rows-repeated="1000000">{cell(times(16_000), "")}</table:table-row>'
    )
    data = open_document(
        f'<office:spreadsheet><table:table table:name="S 1"><table:table-row>{row}</table:table-row>'
        f"{empty}</table:table></office:spreadsheet>"
    )
    assert lines(data, "a.ods") == ["## S 1", "| x |  |  | y | y | y |"]


# ── what is none ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (workbook({"s": SHARED}, sharedStrings=b" " * (packed.MOST_XML + 1)), "perhaps a bomb"),
        (workbook({"s": "<row/>"}, workbook=f"<!--{' ' * 9000}--><!DOCTYPE w><workbook/>"), "perhaps a bomb"),
        (workbook({"s": "<row/>"}, workbook="<!DOCTYPE w><workbook/>".encode("utf-16")), "perhaps a bomb"),
        (workbook({"s": "<row><c t='s'><v>x</v></c></row>"}), "damaged"),
        (workbook({"s": "<row>"}), "damaged"),
        (workbook({"s": "<row/>"}), "There is no text"),
        (show(), "There is no text"),
        (show("<p:sp>"), "damaged"),
        (open_document("<text:p>x"), "damaged"),
        (open_document("", manifest="<m><encryption-data/></m>"), "locked with a password"),
        (zipped({"content.xml": "<site/>"}), "I cannot read files like"),
        (zipped({"xl/workbook.bin": "x"}), "I cannot read files like"),
        (zipped({"a.txt": "hello"}), "I cannot read files like"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        read_paper(data, "a.xlsx")


def test_more_elements_than_anybody_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_ELEMENTS", 1000)
    with pytest.raises(Unreadable, match="perhaps a bomb"):
        read_paper(workbook({"s": f"<row>{'<c/>' * 1000}</row>"}), "a.xlsx")


def test_parts_that_are_large_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_OF_ALL", 20_000)
    sheet = f"<row><c t='str'><v>{'x' * 9000}</v></c></row>"
    assert len(lines(workbook({"s": sheet}), "a.xlsx")) == 2
    with pytest.raises(Unreadable, match="perhaps a bomb"):
        read_paper(workbook({"s": sheet, "t": sheet, "u": sheet}), "a.xlsx")
