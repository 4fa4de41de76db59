"""A model's words → the JSON object in them, however it is wrapped."""

from __future__ import annotations

import json
import re
from typing import Any

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


def json_object(words: str) -> dict[str, Any] | None:
    """The last JSON object in `words`, fenced or bare; a list counts as `{"changes": list}`; None when there is none.

    Thinking out loud is left out first: it may hold drafts.
    """
    words = _THINKING.sub("", words)
    for body in [*reversed(_FENCE.findall(words)), words]:
        found = _last(body)
        if found is not None:
            return found
    return None


def _last(body: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder(strict=False)
    found: dict[str, Any] | None = None
    at = 0
    while (start := _opening(body, at)) >= 0:
        try:
            value, end = decoder.raw_decode(body, start)
        except ValueError:
            at = start + 1
            continue
        if isinstance(value, dict):
            found = value
        elif isinstance(value, list) and all(isinstance(each, dict) for each in value):
            found = {"changes": value}
        at = end
    return found


def _opening(body: str, at: int) -> int:
    places = [place for place in (body.find("{", at), body.find("[", at)) if place >= 0]
    return min(places, default=-1)
