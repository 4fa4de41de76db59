"""Documents are read: text in any encoding, web pages, Word files; hostile ones harm nobody."""

from __future__ import annotations

import io
import zipfile

import pytest

from classifiers.errors import Unreadable
from classifiers.ocr import Reader
from classifiers.papers import MORE, MOST_TEXT, is_paper, read_paper
from tests.classifiers.words import paragraph, table, word

PNG = b"\x89PNG\r\n\x1a\n\x00\x00"
WISHES = "会议纪要：周三上午十点，部署方案由小林负责；预算 3,000 元，「代码笔记」不变。"


@pytest.mark.parametrize(
    ("data", "name", "paper"),
    [
        (b"# Notes", "notes.md", True),
        (b"a;b", "table.csv", True),
        (b"print()", "tool.py", True),
        (b"words", "README", True),
        (b"PK\x03\x04", "letter.docx", True),
        (b"PK\x03\x04", "sheet.xlsx", True),
        (b"<html>", "page.html", True),
        (b"%PDF-1.7", "contract.pdf", False),
        (b"\n%PDF-1.7", "contract", False),
        (PNG, "shot.png", False),
        (PNG, "notes.txt", False),
        (b"<html>expired", "shot.jpg", False),
        (b"<svg xmlns=''>", "drawing.txt", False),
        (b"\0\0\0\x18ftypmp42", "clip", False),
        (b"BMW is a maker of cars", "cars.txt", True),
        (b"\0\0\1\0\1\0\x10\x10", "favicon.ico", False),
        (b"\0\0\1\0\1\0\x10\x10", "favicon", False),
        (b"P6\n# drawn\n64 48\n255\n", "render", False),
        (b"P6 is a processor of 1995", "chips.txt", True),
        (b"8BPS\0\1", "layers", False),
        (b"no name", "", False),
        (b"", "empty.txt", False),
    ],
)
def test_what_is_a_document(data: bytes, name: str, paper: bool) -> None:
    assert is_paper(data, name) is paper


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "gb18030", "gbk"])
def test_chinese_in_the_encodings_there_are(encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    assert read_paper(mark + WISHES.encode(encoding), "纪要.txt").text == WISHES


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Zwölf Boxkämpfer jagen Viktor über den großen Deich.", "cp1252"),
        ("déjà vu à l’hôtel", "cp1252"),
        ("plain words, no mark", "utf-16-le"),
        ("plain words, no mark", "utf-16-be"),
    ],
)
def test_european_words_and_missing_marks(text: str, encoding: str) -> None:
    assert read_paper(text.encode(encoding), "a.txt").text == text


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        ("привет, как дела у вас сегодня".encode("cp1251"), "a.txt", "save it as UTF-8"),
        (bytes(range(256)) * 4, "a.bin", "I cannot read files like “a.bin”"),
        (b"{\\rtf1 words}", "a.rtf", "What I can read: pictures, PDF, Word"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.doc", "old Office file or locked"),
        (b" \n\t\n", "a.txt", "There is no text"),
        (b"PK\x03\x04 and no more", "a.docx", "damaged"),
    ],
)
def test_what_cannot_be_read_is_said(data: bytes, name: str, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_paper(data, name)
    assert said in refused.value.sentence("en")
    assert "我" in refused.value.sentence("zh") or "「" in refused.value.sentence("zh")


def test_a_long_text_is_read_at_its_beginning() -> None:
    text = read_paper(b"word " * MOST_TEXT, "book.txt").text
    assert len(text) == MOST_TEXT + len(MORE)
    assert text.endswith(MORE)


def test_a_web_page_is_its_words() -> None:
    page = """<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body>
    <h1>Terms</h1><p>Pay <b>within</b> 30&nbsp;days &amp; in full.</p><script>alert(1)</script>
    <ul><li>one<li>two</ul></body></html>"""
    assert read_paper(page.encode(), "a.html").text == "Terms\nPay within 30 days & in full.\none\ntwo"


# ── Word ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_word_file_is_its_words_in_order() -> None:
    body = (
        paragraph("租赁", "合同", style="Heading1")
        + paragraph("The rent is ", "1,200 €", ".")
        + table(("月份", "租金"), ("一月", "1,200"))
        + paragraph("milk", listed=True)
        + "<w:p><w:pPr><w:tabs><w:tab w:val='left' w:pos='9'/></w:tabs></w:pPr>"
        + "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>"
        + "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t></w:r></w:p>"
        + "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"
    )
    notes = {"footnotes": f"<w:footnote>{paragraph('see annex')}</w:footnote>"}
    reading = read_paper(word(body, **notes), "合同.docx")
    assert reading.engine == "docx"
    assert reading.text.split("\n") == [
        "# 租赁合同",
        "The rent is 1,200 €.",
        "| 月份 | 租金 |",
        "| 一月 | 1,200 |",
        "- milk",
        "a\tb",
        "c",
        "kept",
        "",
        "see annex",
    ]


def test_a_table_in_a_table_and_a_text_box_are_read_once() -> None:
    inner = table(("x", "y"))
    nested = f"<w:tbl><w:tr><w:tc>{inner}{paragraph('after')}</w:tc></w:tr></w:tbl>"
    box = (
        "<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent>"
        f"<mc:Choice><w:txbxContent>{paragraph('boxed')}</w:txbxContent></mc:Choice>"
        f"<mc:Fallback><w:txbxContent>{paragraph('boxed')}</w:txbxContent></mc:Fallback>"
        "</mc:AlternateContent></w:r><w:r><w:t> and after</w:t></w:r></w:p>"
    )
    text = read_paper(word(nested + box), "a.docx").text
    assert text.split() == ["|", "|", "x", "|", "y", "|", "after", "|", "boxed", "before", "and", "after"]


def _zip(name: str, data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (_zip("xl/workbook.xml", b"<a/>"), "There is no text"),
        (_zip("word/document.xml", b"<w:document><w:p>"), "damaged"),
        (_zip("word/document.xml", b" " * (65 * 2**20)), "perhaps a bomb"),
        (word(paragraph("&a;"), head='<!DOCTYPE w [<!ENTITY a "aaaa">]>'), "perhaps a bomb"),
        (word(""), "There is no text"),
    ],
    ids=["a sheet", "cut off", "a bomb", "entities", "empty"],
)
def test_word_files_that_are_none(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        read_paper(data, "a.docx")


def test_a_book_in_a_word_file_is_read_at_its_beginning() -> None:
    text = read_paper(word(paragraph("word " * 400) * 300), "a.docx").text
    assert text.endswith(MORE)


async def test_documents_are_read_in_the_worker_and_a_refusal_comes_back() -> None:
    async with Reader() as reader:
        reading = await reader.paper(word(paragraph("the lease")), "a.docx")
        assert (reading.text, reading.engine) == ("the lease", "docx")
        with pytest.raises(Unreadable) as refused:
            await reader.paper(bytes(range(256)), "a.bin")
        assert "读不了" in refused.value.sentence("zh")
