"""What a person reads when pictures were filed: one line a picture, one receipt for all that was sent together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.storage.records import FilingRow
from bot.tools.receipts import receipt_buttons
from bot.types import Button, Language, Words
from bot.wording import say
from classifiers.categories import is_unfiled
from classifiers.types import Ended, Filed

MOST_DOUBTS = 4  # buttons for the other category that a picture of an album could be in


def told(row: FilingRow) -> bool:
    """Whether it was filed, and the person told so, before: it is due again because rules changed."""
    return bool(row.rules_seen)


def receipt(
    row: FilingRow, filed: Filed, known: FilingRow | None, language: Language, *, restored: bool = False
) -> Words:
    """The receipt of one picture.

    Args:
        known: of a duplicate, the picture that it is.
        restored: that one was in the bin, and is not any more.
    """
    if filed.ended is Ended.DUPLICATE:
        key = "filed.restored" if restored else "filed.duplicate"
        category, title = (known.category, known.title) if known else ("", "")
        words = say(language, key, number=filed.duplicate_of, category=category, title=title)
        return Words(words, "receipt", receipt_buttons(language, filed.duplicate_of or 0))
    if filed.ended is not Ended.FILED:
        key = "filed.failed" if filed.ended is Ended.REFUSED else "filed.kept"
        words = say(language, key, number=filed.number, why=filed.sentence)
        buttons = receipt_buttons(language, filed.number) if filed.number else ()
        return Words(words, "receipt", buttons)
    return _filed(row, filed, language)


def _filed(row: FilingRow, filed: Filed, language: Language) -> Words:
    filing, number = filed.filing, filed.number or 0
    assert filing is not None
    key = "filed.again" if told(row) else "filed"
    if filing.rule and is_unfiled(filing.category):
        key = "filed.unfiled.again" if told(row) else "filed.unfiled"
    title = row.title if row.renamed else filing.title
    words = say(language, key, number=number, category=filing.category, title=title)
    asides = [say(language, "filed.rule", rule=_plainly(filing.rule))] if filing.rule else []
    buttons: tuple[Button, ...] = ()
    if filing.runner_up:
        asides.append(say(language, "filed.unsure", other=filing.runner_up))
        buttons = (Button(f"→ {filing.runner_up}", f"move:{number}"),)  # the row knows where to
    if filed.similar_to:
        asides.append(say(language, "filed.similar", number=filed.similar_to))
    if filed.note:
        asides.append(_one_language(filed.note, language))
    opening, closing = ("（", "）") if language == "zh" else (" (", ")")
    tail = opening + ("；" if language == "zh" else "; ").join(asides) + closing if asides else ""
    return Words(words + tail, "receipt", (*buttons, *receipt_buttons(language, number)))


def _one_language(note: str, language: Language) -> str:
    """A picture's note, which is written "中文 · English"."""
    zh, _, en = note.partition(" · ")
    return zh if language == "zh" or not en else en


def receipt_of_album(
    rows: Sequence[FilingRow], lines: Sequence[str], message: int, language: Language
) -> Words:
    """One receipt for what was sent together, in that order.

    Args:
        rows: as they have ended.
        lines: the receipt of each.
        message: row of the first message, by which the buttons name all of it.
    """
    opening = say(language, "filed").partition("#")[0]
    kept = [row for row in rows if row.state not in ("refused", "failed")]
    doubts = [
        Button(f"#{row.number} → {row.runner_up}", f"move:{row.number}")
        for row in kept
        if row.number and row.runner_up and row.state == "filed"
    ]
    head = [say(language, "filed.album", count=len(kept))] if kept else []
    text = "\n".join([*head, *(line.removeprefix(opening) for line in lines)])
    buttons = receipt_buttons(language, f"m{message}", several=True) if kept else ()
    return Words(text, "receipt", (*doubts[:MOST_DOUBTS], *buttons))


def _plainly(rule: str) -> str:
    """A rule as the person would say it, without the scope that every filing rule has."""
    return re.sub(r" \((?:when|until): [^)]*\)", "", rule)
