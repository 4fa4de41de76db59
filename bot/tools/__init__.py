"""What the main model can do. One file a family; a new tool is a function, a spec and its line in a family."""

from __future__ import annotations

from bot.tools import chats, explaining, notes, pictures, rearranging, undoing
from bot.tools.tool import Result, Tool

TOOLS: dict[str, Tool] = {
    tool.spec.name: tool
    for tool in (
        *notes.TOOLS,
        *explaining.TOOLS,
        *chats.TOOLS,
        *pictures.TOOLS,
        *rearranging.TOOLS,
        *undoing.TOOLS,
    )
}
EMBEDDED_TOOLS: dict[str, Tool] = {
    **TOOLS,
    **{tool.spec.name: tool for tool in (notes.TAKE_NOTE, notes.SHOW_MEMORY)},
}

__all__ = ["EMBEDDED_TOOLS", "TOOLS", "Result", "Tool"]
