"""log.md: what changed and what jobs did, one row each, for people; append-only, its place in the file is its date."""

from __future__ import annotations

from collections.abc import Sequence

from memory.journal import Entry
from memory.store import Store
from memory.wording import Language, say

LOG = "log.md"
_SIGNS = {"add": "+", "replace": "~", "remove": "-", "undo": "↩", "edit": "✎", "decline": "⊘"}


def write_log(store: Store, language: Language, rows: Sequence[str]) -> None:
    """Append rows, without their bullets; the first of all come under a title. Raises `StoreUnwritable`."""
    head = "" if store.read(LOG) else f"# {say(language, 'log_title')}\n\n"
    store.append(LOG, head + "".join(f"- {row}\n" for row in rows))


def log_row(entry: Entry) -> str:
    """A change of one line, as log.md tells it."""
    said = entry.after or entry.before
    quote = (
        f" ← “{' '.join(entry.source.quote.split())[:80]}”"
        if entry.source.quote and entry.op != "edit"
        else ""
    )
    gave_way = f" (was: {entry.before})" if entry.before and entry.after else ""
    where = f" ({entry.source.conversation})" if entry.source.conversation else ""
    reason = f" [{entry.reason}]" if entry.reason else ""
    return (
        f"{entry.at:%Y-%m-%d %H:%M} #{entry.n} {_SIGNS[entry.op]} {entry.page} ^{entry.line} "
        f"{said}{gave_way}{reason}{quote}{where}"
    )
