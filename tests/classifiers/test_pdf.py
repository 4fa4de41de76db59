"""PDF files: the text of every page, up to a limit that is told."""

from __future__ import annotations

import pytest

from classifiers import pdf as pdf_files
from classifiers.papers import MORE
from classifiers.pdf import MOST_PAGES
from classifiers.prepare import prepare
from tests.classifiers.drawings import pdf


def test_the_text_of_every_page_in_order() -> None:
    picture = prepare(pdf("The first page", "The second page"), "a.pdf")
    assert picture.page_text == "The first page\n\nThe second page"
    assert picture.frames == 2


def test_pages_beyond_the_limit_are_not_read_and_that_is_told() -> None:
    whole = prepare(pdf(*(f"page {n}" for n in range(MOST_PAGES))), "a.pdf")
    assert whole.page_text.endswith(f"page {MOST_PAGES - 1}")
    longer = prepare(pdf(*(f"page {n}" for n in range(MOST_PAGES + 1))), "a.pdf")
    assert longer.page_text == whole.page_text + MORE


def test_text_beyond_the_limit_is_not_read_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_files, "MOST_TEXT", 20)
    assert (
        prepare(pdf("the first page", "the second page"), "a.pdf").page_text
        == "the first page\n\nthe " + MORE
    )


def test_pictures_of_pages_have_no_text() -> None:
    assert prepare(pdf("", ""), "a.pdf").page_text == ""
