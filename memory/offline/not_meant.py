"""Whether form says that nothing of a sentence is to be kept, whatever the probe makes of it."""

from __future__ import annotations

from memory.handed import of_others_words
from memory.offline.cues import asks_habit, complains, mocks, of_the_task, reworks, stands
from memory.offline.lasting import lasts
from memory.offline.of_the_moment import no_fact, of_the_moment
from memory.offline.practised import practised
from memory.offline.probe import KINDS
from memory.offline.said import Said
from memory.offline.spans import Spans
from memory.offline.told_in_passing import (
    as_it_was,
    files_by_itself,
    in_theory,
    nods,
    of_strangers,
    of_this_moment,
)
from memory.phrasing import asks_whether, stated, supposes
from memory.speech_acts import hands_down, points_at
from memory.wording import Language


def not_meant(first: str, spans: Spans, said: Said, kept: str, language: Language, *, told: bool) -> bool:
    """Whether it mocks, supposes, hands on, points, nods, tells a story, or is of the moment.

    Args:
        first: what the sentence is taken for.
        kept: what of it would be kept.
        told: its form says beyond doubt what it is.
    """
    if in_theory(said.text) or nods(said.whole, said.heard) or (hands_down(said.text) and not told):
        return True
    if first in ("rule", "filing", "change") and _no_wish(said, kept, told=told):
        return True
    if first in KINDS["fact"] and _no_fact(said, kept, language):
        return True
    if supposes(kept, language) or of_others_words(said.whole, kept):
        return True
    return bool(spans.where) and points_at(spans.what)  # these ones, and no others


def _no_wish(said: Said, kept: str, *, told: bool) -> bool:
    return (
        (bool(said.heard) and reworks(said.text))
        or mocks(said.whole)
        or complains(said.text)
        or of_the_task(said.text, said.before)
        or (not told and (of_the_moment(said.text) or as_it_was(said.text) or files_by_itself(said.text)))
        or (not stands(said.text) and (asks_whether(kept) or asks_habit(said.text)))
    )


def _no_fact(said: Said, kept: str, language: Language) -> bool:
    known = practised(kept, language)
    if no_fact(said.text) or not (known or stated(kept, language).strip(" ，,。.")):
        return True
    passing = of_this_moment(said.text) or as_it_was(said.text)
    return not known and (passing or (of_strangers(kept) and not lasts(kept, language)))
