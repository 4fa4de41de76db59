"""Word files made for tests, as small as Word would open them."""

from __future__ import annotations

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def word(body: str, *, head: str = "", **parts: str) -> bytes:
    """A .docx whose document has this body. `parts`: other XML by name, e.g. `footnotes`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for name, xml in {"document": f"<w:body>{body}</w:body>", **parts}.items():
            root = f'<w:{name} xmlns:w="{W}" xmlns:mc="{MC}">{xml}</w:{name}>'
            archive.writestr(f"word/{name}.xml", f'<?xml version="1.0" encoding="UTF-8"?>{head}{root}')
    return packed.getvalue()


def paragraph(*runs: str, style: str = "", listed: bool = False) -> str:
    """A paragraph of runs of words."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties += '<w:numPr><w:numId w:val="1"/></w:numPr>' if listed else ""
    told = "".join(f'<w:r><w:t xml:space="preserve">{run}</w:t></w:r>' for run in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{told}</w:p>"


def table(*rows: tuple[str, ...]) -> str:
    """A table of words."""
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"
