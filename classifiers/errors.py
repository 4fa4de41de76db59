"""What can go wrong with a picture, each with a sentence for the person in both languages.

PictureError
├── Unreadable      the file cannot be shown or read; says whether it is worth keeping
└── ReadingFailed   a good picture whose text could not be read in time (or the reader died)
"""

from __future__ import annotations

from classifiers.types import Language


class PictureError(Exception):
    """Something about a picture that the person can be told."""

    def __init__(self, sentence_zh: str, sentence_en: str) -> None:
        super().__init__(sentence_en)
        self.sentence_zh = sentence_zh
        self.sentence_en = sentence_en

    def sentence(self, language: Language) -> str:
        """The sentence in the person's language."""
        return self.sentence_zh if language == "zh" else self.sentence_en


class Unreadable(PictureError):
    """The file is no picture that can be read; `keep`: its bytes are worth keeping all the same."""

    def __init__(self, sentence_zh: str, sentence_en: str, keep: bool, extension: str = "") -> None:
        super().__init__(sentence_zh, sentence_en)
        self.keep = keep
        self.extension = extension  # that fits what the bytes are, with the dot; "" = unknown


class ReadingFailed(PictureError):
    """The text of a good picture could not be read."""


def other_kind(name: str) -> Unreadable:
    """That it is no file we read, and which are."""
    return Unreadable(
        f"我读不了「{name}」这种文件。能读的是：图片、PDF、Word（.docx）、Excel（.xlsx）、PowerPoint（.pptx）、"
        "OpenDocument（.odt、.ods、.odp）、Markdown、网页和纯文本。",
        f"I cannot read files like “{name}”. What I can read: pictures, PDF, Word (.docx), Excel (.xlsx), PowerPoint"
        " (.pptx), OpenDocument (.odt, .ods, .odp), Markdown, web pages and plain text.",
        False,
    )


def locked(name: str) -> Unreadable:
    """That it is an Office file we cannot get into."""
    return Unreadable(
        f"「{name}」是旧版 Office 文件，或者加了密码，我读不了；请存成 .docx、.xlsx、.pptx 或 PDF 再发。",
        f"“{name}” is an old Office file or locked with a password, which I cannot read; please save it as .docx,"
        " .xlsx, .pptx or PDF and send that.",
        False,
    )
