"""What a part of a message may mean: the labels of the banks, and of the reader that learns them."""

from __future__ import annotations

from typing import Literal

Of = Literal["filing", "rule", "fact"]
"""What a line is, and what a change is about."""

OF: tuple[Of, ...] = ("filing", "rule", "fact")
# What a part that is kept may be; a change, and what says more of a line, is of one of the three above.
KEEPS = ("filing", "rule", "fact_self", "fact_other", "change", "more")
OF_A_LINE = ("change", "more", "same", "forget")  # parts that speak of a stored line
HOLDS = (*KEEPS, "forget")  # something for memory to do
# Where a bank says "ask", it is one of these.
ASKS = ("ask_fact", "ask_pictures", "ask_memory", "ask_why", "help")
NEVER = ("secret", "permit")  # never kept, however it is worded: secrets, and leave to act unasked
# same: says again what a line says; more: adds to one that stays true; live: a fact of the hour, as a price
LABELS = (
    *KEEPS, "same", "forget", "once", "task", *ASKS, "undo", "move", "chat", "quoted", "hypothetical", "irony",
    "secret", "live", "permit",
)  # fmt: skip
