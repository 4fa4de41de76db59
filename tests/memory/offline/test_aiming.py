"""Which stored line is spoken of, by the learned scorer, with no vectors."""

from __future__ import annotations

from memory.offline.aiming import FEATURES, likeness, load_aims
from memory.page import Line

LINES = [
    ("topics/a.md", Line("t1", "The user is training for a sailing race")),
    ("topics/a.md", Line("t2", "The user's parrot is called Figaro")),
    ("topics/a.md", Line("t3", "The user drinks green tea")),
]


def test_a_row_for_each_line() -> None:
    assert likeness("forget my tea", "my tea", LINES, None).shape == (3, len(FEATURES))
    assert likeness("forget my tea", "my tea", [], None).shape == (0, len(FEATURES))


def test_the_line_that_shares_its_matter_is_meant() -> None:
    for said, target in (("drop the sailing race thing", 0), ("lose what you know of Figaro", 1)):
        chances = load_aims()["forget"](likeness(said, said, LINES, None))
        assert max(range(3), key=lambda i: chances[i]) == target
        assert chances[target] >= 0.5


def test_what_is_not_there_is_not_found() -> None:
    chances = load_aims()["forget"](likeness("forget my shoe size", "my shoe size", LINES, None))
    assert max(chances) < 0.5
