"""What the main model can do. One file a family; a new tool is a function, a spec and its line in a family."""

from __future__ import annotations

from bot.tools import notes, pictures, undoing
from bot.tools.tool import Result, Tool

TOOLS: dict[str, Tool] = {tool.spec.name: tool for tool in (*notes.TOOLS, *pictures.TOOLS, *undoing.TOOLS)}
EMBEDDED_TOOLS: dict[str, Tool] = {**TOOLS, notes.TAKE_NOTE.spec.name: notes.TAKE_NOTE}

__all__ = ["EMBEDDED_TOOLS", "TOOLS", "Result", "Tool"]
