"""Excel, PowerPoint and OpenDocument files made for tests, as small as their programs would open them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
NAMES = " ".join(
    f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{each}:1.0"' for each in ("text", "table")
)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip of these parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return packed.getvalue()


def relations(*kinds: tuple[str, str]) -> str:
    """(kind, target) of each, as rId1, rId2 …"""
    told = "".join(
        f'<Relationship Id="rId{number}" Type="{R}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(kinds, 1)
    )
    return f'<Relationships xmlns="{RELATIONS}">{told}</Relationships>'


def workbook(
    sheets: Mapping[str, str],
    shared: Sequence[str] = (),
    *,
    formats: Mapping[int, str] | None = None,
    styles: Sequence[int] = (0,),
    hidden: Sequence[str] = (),
    since_1904: bool = False,
    **parts: str | bytes,
) -> bytes:
    """An .xlsx. `sheets`: rows by name; `shared`: the inside of each shared string; `styles`: the number of the format
    of each style, `formats` those of its own; `parts`: other contents of `sharedStrings` or `workbook`.
    """
    states = {name: "hidden" if name in hidden else "visible" for name in sheets}
    named = "".join(
        f'<sheet name="{name}" sheetId="{number}" state="{state}" r:id="rId{number}"/>'
        for number, (name, state) in enumerate(states.items(), 1)
    )
    own = "".join(
        f'<numFmt numFmtId="{each}" formatCode="{code}"/>' for each, code in (formats or {}).items()
    )
    cells = "".join(f'<xf numFmtId="{each}"/>' for each in styles)
    written: dict[str, str | bytes] = {
        "workbook": f'<workbook xmlns="{S}" xmlns:r="{R}"><workbookPr date1904="{int(since_1904)}"/>'
        f"<sheets>{named}</sheets></workbook>",
        "sharedStrings": f'<sst xmlns="{S}">{"".join(f"<si>{each}</si>" for each in shared)}</sst>',
        "styles": f'<styleSheet xmlns="{S}"><numFmts>{own}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>',
        **parts,
    }
    files: dict[str, str | bytes] = {f"xl/{name}.xml": xml for name, xml in written.items()}
    targets = [("worksheet", f"worksheets/sheet{number}.xml") for number in range(1, len(sheets) + 1)]
    files["xl/_rels/workbook.xml.rels"] = relations(
        *targets, ("sharedStrings", "/xl/sharedStrings.xml"), ("styles", "styles.xml")
    )
    for (_, target), rows in zip(targets, sheets.values(), strict=True):
        files[f"xl/{target}"] = f'<worksheet xmlns="{S}"><sheetData>{rows}</sheetData></worksheet>'
    return zipped(files)


def show(*slides: str, notes: str = "") -> bytes:
    """A .pptx whose slides hold these shapes, listed in reverse; `notes` are those of the first."""
    count = len(slides)
    listed = "".join(f'<p:sldId id="{256 + number}" r:id="rId{count - number}"/>' for number in range(count))
    files = {
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst>{listed}</p:sldIdLst>'
        "</p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *(("slide", f"slides/slide{number}.xml") for number in range(1, count + 1))
        ),
    }
    for number, shapes in enumerate(reversed(slides), 1):
        files[f"ppt/slides/slide{number}.xml"] = _page("sld", shapes)
    if notes:
        files[f"ppt/slides/_rels/slide{count}.xml.rels"] = relations(("notesSlide", "../notesSlides/one.xml"))
        files["ppt/notesSlides/one.xml"] = _page("notes", notes)
    return zipped(files)


def _page(tag: str, shapes: str) -> str:
    return f'<p:{tag} xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{tag}>'


def shape(*paragraphs: str, place: str = "body") -> str:
    """A shape with these paragraphs, in a place of the layout."""
    told = "".join(f"<a:p><a:r><a:t>{each}</a:t></a:r></a:p>" for each in paragraphs)
    return f'<p:sp><p:nvSpPr><p:ph type="{place}"/></p:nvSpPr><p:txBody>{told}</p:txBody></p:sp>'


def open_document(body: str, *, manifest: str = "<manifest/>") -> bytes:
    """An .odt, .ods or .odp with this body."""
    content = f'<office:document-content xmlns:office="{OFFICE}" {NAMES}><office:body>{body}</office:body>'
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{content}</office:document-content>",
            "META-INF/manifest.xml": manifest,
        }
    )
