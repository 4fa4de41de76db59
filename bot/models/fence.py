"""How words that are not the person's own are put before a model: between marks that they cannot close.

Memory's prompts use another form, tags: `memory/fence.py`.
"""

from __future__ import annotations

import re

_FENCED = re.compile(r"<<<\n(.*?)\n>>>", re.DOTALL)


def fenced(text: str) -> str:
    """The text as data."""
    return f"<<<\n{text.strip().replace('<<<', '‹‹‹').replace('>>>', '›››')}\n>>>"


def unfenced(text: str) -> str:
    """What stands between the marks, without the words around them; all of it where there are none."""
    return "\n\n".join(_FENCED.findall(text)) or text
