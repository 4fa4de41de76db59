"""What the fake model says: `python -m tests.fakes.model_server --script tests/bench/model_script.py`.

Every message of the bench carries a number in round brackets, `(17)`; the answer carries it too, so that nobody
counts a receipt as an answer. A message with the word "slowly" is thought about for two seconds the first time.
"""

from __future__ import annotations

import re

from tests.fakes.model_answers import Answer, Request

SLOW = 2.0  # seconds
NUMBER = re.compile(r"\((\d+)\)")
WORDS = (
    "Here is a short answer {numbers}. **Two things** matter: what you asked, and what you will do with it.\n\n"
    "- Start with the smaller part, it takes ten minutes.\n- Then look at the rest again.\n\n需要的话我可以再展开说。"
)

_thought: set[str] = set()


def reply(request: Request) -> Answer:
    """The main model answers; whoever is asked without tools by Kairos reads for memory and finds nothing."""
    if not request.tools and request.body.get("model") != "bare":
        return Answer(text='{"changes": []}')
    numbers = NUMBER.findall(request.last)
    slow = "slowly" in request.last and request.last not in _thought
    _thought.add(request.last)
    told = " ".join(f"({number})" for number in numbers)
    return Answer(text=WORDS.format(numbers=told), delay=SLOW if slow else 0.0)
