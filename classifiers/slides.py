"""PowerPoint files (.pptx): the words of every slide in its order, with its title, tables and the speaker's notes."""

from __future__ import annotations

from collections.abc import Iterator

from classifiers.packed import Element, Packed, attribute, local, referred, row_of

MOST_SLIDES = 500
_SHOW = "ppt/presentation.xml"
_TITLES = {"title", "ctrTitle"}
_FIXED = {"sldNum", "dt", "ftr", "hdr", "sldImg"}  # places that say the same on every slide


def slide_lines(packed: Packed, most: int) -> list[str]:
    """The text of all slides, of a long show somewhat more than `most` characters."""
    related = packed.related(_SHOW)
    slides = (each for each in packed.root(_SHOW).iter() if local(each.tag) == "sldId")
    parts = [path for kind, path in (referred(each, related) for each in slides) if kind == "slide"]
    lines: list[str] = []
    length = 0
    for number, part in enumerate(parts[:MOST_SLIDES], 1):
        told = list(_told(packed, part, number))
        lines += told
        length += sum(map(len, told))
        if length > most:
            break
    return lines


def _told(packed: Packed, part: str, number: int) -> Iterator[str]:
    root = packed.root(part)
    shapes = list(_shapes(root))
    title = " ".join(line for place, lines in shapes if place in _TITLES for line in lines)
    hidden = " (hidden)" if attribute(root, "show") in ("0", "false") else ""
    yield f"## {number}. {title}".rstrip(". ") + hidden
    for place, lines in shapes:
        if place not in _TITLES:
            yield from lines
    for kind, notes in packed.related(part).values():
        if kind == "notesSlide" and notes in packed.parts:
            said = [line for _, lines in _shapes(packed.root(notes)) for line in lines]
            yield from [f"(notes) {line}" for line in said]
    yield ""


def _shapes(element: Element) -> Iterator[tuple[str, list[str]]]:
    """(the kind of place it fills, its lines) of everything on a slide, groups taken apart."""
    for child in element:
        tag = local(child.tag)
        if tag in ("sp", "graphicFrame"):
            place = next((attribute(each, "type") for each in child.iter() if local(each.tag) == "ph"), "")
            lines = [line for line in _lines(child) if line.strip()]
            if lines and place not in _FIXED:
                yield place, lines
        elif tag == "AlternateContent":  # the same once more, for older programs
            yield from _shapes(child[0] if len(child) else child)
        else:
            yield from _shapes(child)


def _lines(element: Element) -> Iterator[str]:
    tag = local(element.tag)
    if tag == "p":
        yield from _words(element).split("\n")
    elif tag == "tr":
        yield row_of([" ".join(_lines(cell)) for cell in element if local(cell.tag) == "tc"])
    else:
        for child in element:
            yield from _lines(child)


def _words(element: Element) -> str:
    tag = local(element.tag)
    if tag == "br":
        return "\n"
    own = (element.text or "") if tag == "t" else ""
    return own + "".join(map(_words, element))
