"""Markdown for a terminal: safe, the writer's line breaks kept, Chinese wrapped where it may break."""

from __future__ import annotations

import io
import re
from typing import ClassVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, OverflowMethod, RenderableType, RenderResult
from rich.containers import Lines
from rich.markdown import CodeBlock, Heading, ListItem, Markdown, MarkdownElement, Paragraph
from rich.segment import Segment
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # title, links, clipboard
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"  # the rest, and writing direction
)
_THEME = Theme({"markdown.code": "cyan", "markdown.item.bullet": "dim", "markdown.item.number": "dim"})
_NO_BREAK_BEFORE = "，。、！？：；）】》」』”’…—·%％℃,.!?:;)]}"
_NO_BREAK_AFTER = "（【《「『“‘([{#"


def clean(text: str) -> str:
    """Without anything that would steer the terminal: words may come from a model, or from a picture."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def rendered(text: str, width: int, *, mark: str = "", style: str = "") -> str:
    """Markdown as ANSI text that ends in a newline; `mark` stands left of it, in `style`."""
    body: RenderableType = _Markdown(clean(text), hyperlinks=False, code_theme="ansi_dark")
    if mark:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=cell_len(mark))
        grid.add_column(ratio=1)
        grid.add_row(Text(mark, style=style), body)
        body = grid
    return _ansi(body, width)


def coloured(text: str, style: str, width: int) -> str:
    """Plain words in one style, ending in a newline."""
    return _ansi(_Wrapped(clean(text), style=style), width)


def _ansi(body: RenderableType, width: int) -> str:
    into = io.StringIO()
    console = Console(
        file=into, force_terminal=True, width=max(width, 20), highlight=False, emoji=False, theme=_THEME
    )
    console.print(body)
    lines = into.getvalue().strip("\n").split("\n")  # Rich begins a list with an empty line
    return "\n".join(line.rstrip() for line in lines) + "\n"


def breaks(line: str, width: int) -> list[int]:
    """Offsets where a line wider than `width` cells is broken: at spaces, and between wide characters except
    where Chinese typesetting forbids it; a word wider than the terminal is cut."""
    offsets: list[int] = []
    start, used = 0, 0  # of the terminal line being filled
    chance, used_at_chance = 0, 0  # the last place where it may end
    for at, char in enumerate(line):
        if at > start and _may_break(line[at - 1], char):
            chance, used_at_chance = at, used
        size = cell_len(char)
        if used + size > width and not char.isspace():
            if chance <= start:
                chance, used_at_chance = at, used
            if chance > start:
                offsets.append(chance)
                start, used = chance, used - used_at_chance
        used += size
    return offsets


def _may_break(before: str, after: str) -> bool:
    if after.isspace():
        return False
    if before.isspace():
        return True
    if after in _NO_BREAK_BEFORE or before in _NO_BREAK_AFTER:
        return False
    return cell_len(before) == 2 or cell_len(after) == 2


class _Wrapped(Text):
    """Text that knows how Chinese is wrapped (Rich breaks at spaces only)."""

    def wrap(
        self,
        console: Console,
        width: int,
        *,
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        tab_size: int = 8,
        no_wrap: bool | None = None,
    ) -> Lines:
        lines = Lines()
        for line in self.split(allow_blank=True):
            line.expand_tabs(tab_size)
            pieces = line.divide(breaks(line.plain, width))
            for piece in pieces:
                piece.rstrip_end(width)
            lines.extend(pieces)
        return lines


class _Paragraph(Paragraph):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wrapped = _Wrapped(end="\n")
        wrapped.append_text(self.text)
        yield wrapped


class _CodeBlock(CodeBlock):
    """Without the empty lines Rich puts above and below."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        yield Syntax(code, self.lexer_name, theme=self.theme, word_wrap=True, padding=(0, 2))


class _ListItem(ListItem):
    """Numbers with a full stop."""

    def render_number(
        self, console: Console, options: ConsoleOptions, number: int, last_number: int
    ) -> RenderResult:
        room = len(str(last_number)) + 3
        style = console.get_style("markdown.item.number")
        lines = console.render_lines(
            self.elements, options.update(width=options.max_width - room), style=self.style
        )
        for at, line in enumerate(lines):
            yield Segment(" " * room if at else f"{number}. ".rjust(room), style)
            yield from line
            yield Segment("\n")


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {"h1": "left"}


class _Markdown(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "paragraph_open": _Paragraph,
        "heading_open": _Heading,
        "list_item_open": _ListItem,
        "fence": _CodeBlock,
        "code_block": _CodeBlock,
    }

    def __init__(self, markup: str, *, hyperlinks: bool, code_theme: str) -> None:
        super().__init__(markup, hyperlinks=hyperlinks, code_theme=code_theme)
        for token in self.parsed:
            for child in token.children or ():
                if child.type == "softbreak":  # chat is not prose: a line break was meant
                    child.type = "hardbreak"
