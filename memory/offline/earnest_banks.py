"""The banks that `earnest.py` learns from besides those of the probe: `examples/earnest*.jsonl`.

earnest         messages with what was said before them, half of them not meant: irony, games, thoughts played with,
                others' words, the past, nods, teasing, one piece of work; and such as only look like it
earnest_frames  ways to say a {rule} or a {fact} in earnest, or not; filled in from the other banks
earnest_around  what may have been said before: a scene that was opened, ordinary talk, a question about the assistant
…_heldout       a fifth of each, written with them and never trained on
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from memory.offline.banks import EXAMPLES, Labelled, labelled, read, sentences_of, talk, training_set
from memory.offline.probe import KEEPS
from memory.offline.said import Said, said
from memory.spelling import spelled

_COPIES, _IN_SCENES = 4, 12  # of each frame
_NO_OPENING, _MIDST = 0.25, 0.15  # shares of the scenes whose opening is not in sight
_IN_TALK = 0.5  # share of the messages of other banks that stand in some talk
_ORDERS = re.compile(
    r"^(?:always|never|don['’]?t|no|use|write|give|keep|put|call|sign|answer|reply|stop|skip|start|end|add|leave|send|"
    r"quote|spell|round|speak|talk|address|translate|show|tell|ask|list|make|say|treat|warn|remind|check|cite|name|avoid|"
    r"explain|begin|finish|include|format|convert|default|only|ping|wake|sort|read)\b",
    re.I,
)
_FRAMED = {
    "en": re.compile(
        r"^(?:from now on,? |please |always )+|(?:,? ?(?:from now on|please|pls|always))+$", re.I
    ),
    "zh": re.compile(r"^(?:以后|今后|往后|请|你|从现在起|麻烦你?)+"),
}
_NAMES = {
    "en": ["Grim", "Captain Rook", "Lady Vane", "Sir Mordo", "Ash", "Red Molly", "Doctor Nox", "Agent Pike"],
    "zh": ["云中客", "赛金刚", "花未眠", "铁三娘", "墨少主", "将军", "小翠", "老拐"],
}


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence in its surroundings, and the bank it is from."""

    bank: str
    labelled: Labelled


def rows(*, held_out: bool = False) -> list[Row]:
    """Every sentence to learn from, message by message, the whole before its parts; or those to judge by.

    Half of the messages that came without any are given something that was said before, so that a message is not
    taken for a joke because there was talk before it.
    """
    if held_out:
        found = [Row("heldout", each) for each in sentences_of(read("heldout"))]
        found += [Row("talk", each) for each in talk(held_out=True)]
    else:
        plain = {each.text for each in read("plain")}
        found = [
            Row("plain" if each.said.whole in plain else "banks", each)
            for each in sentences_of(training_set())
        ]
        found += [Row("talk", each) for each in talk()]
        found = _in_talk(found)
    found += [Row("earnest", each) for row in _read("earnest", held_out) for each in labelled(row)]
    found += [Row("frames", each) for each in _framed(held_out)]
    return [Row(row.bank, replace(row.labelled, said=_spelled(row.labelled.said))) for row in found]


def _spelled(one: Said) -> Said:
    """As it is read: the person's chat spelling written out."""
    text, whole, before, earlier = (
        spelled(said).text for said in (one.text, one.whole, one.before, one.earlier)
    )
    return replace(one, text=text, whole=whole, before=before, earlier=earlier)


def _read(name: str, held_out: bool) -> list[dict[str, Any]]:
    text = (EXAMPLES / f"{name}{'_heldout' if held_out else ''}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _in_talk(found: Sequence[Row]) -> list[Row]:
    random = np.random.default_rng(5)
    around = [row for row in _read("earnest_around", held_out=False) if row["kind"] != "scene"]
    out, given = list[Row](), None
    for row in found:
        one = row.labelled
        if one.said.alone:
            mine = [each for each in around if each["lang"] == one.lang]
            given = None
            if not one.said.heard and random.random() < _IN_TALK:
                given = mine[int(random.integers(len(mine)))]
        if given:
            one = replace(one, said=replace(one.said, earlier=given["earlier"], heard=given["before"]))
        out.append(Row(row.bank, one))
    return out


def _framed(held_out: bool) -> list[Labelled]:
    """Frames filled in, each where it belongs: in a scene, after a question, amid talk, or alone."""
    random = np.random.default_rng(3)
    around, frames = _read("earnest_around", held_out), _read("earnest_frames", held_out)
    out: list[Labelled] = []
    for frame in frames:
        lang = frame["lang"]
        filling = _Filling(lang, held_out, random)
        places = [each for each in around if (each["lang"], each["kind"]) == (lang, frame["where"])]
        scenes = [each["text"] for each in frames if (each["lang"], each["where"]) == (lang, "scene")]
        known = set[tuple[str, str]]()
        for _ in range(_IN_SCENES if frame["where"] == "scene" else _COPIES):
            place = places[int(random.integers(len(places)))] if places else {"earlier": "", "before": ""}
            earlier, heard = place["earlier"], place["before"]
            if frame["where"] == "scene" and (chance := random.random()) < _NO_OPENING + _MIDST:
                earlier = "" if chance < _NO_OPENING else filling(str(random.choice(scenes)))[0]
            text, matter = filling(frame["text"])
            if (text, earlier) not in known:
                known.add((text, earlier))
                out += _parts(said(text, heard, earlier), lang, frame["label"], matter)
    return out


class _Filling:
    """What frames are filled with: rules, facts and names of one language."""

    def __init__(self, lang: str, held_out: bool, random: np.random.Generator) -> None:
        self._random = random
        told = read("heldout") if held_out else read(lang, f"{lang}_more", "plain", "lived")
        kept = [(each.label, each.keep.strip(" .。!！")) for each in told if each.lang == lang]
        own = re.compile(r"(?:i|i['’]?m|my|i['’]ve)\b|我", re.I)
        rules = [_FRAMED[lang].sub("", text) for label, text in kept if label == "rule"]
        self._rules = [_lowered(rule) for rule in rules if rule and (lang == "zh" or _ORDERS.match(rule))]
        self._facts = [_lowered(text) for label, text in kept if label == "fact_self" and own.match(text)]
        self._names = _NAMES[lang]

    def __call__(self, frame: str) -> tuple[str, str]:
        """The frame filled in, and what it was filled with."""
        rule, fact, name = (
            str(self._random.choice(pool)) for pool in (self._rules, self._facts, self._names)
        )
        return frame.format(rule=rule, fact=fact, name=name), rule if "{rule}" in frame else fact


def _lowered(text: str) -> str:
    return text if re.match(r"I\b", text) else text[0].lower() + text[1:]


def _parts(sentences: Sequence[Said], lang: str, label: str, matter: str) -> list[Labelled]:
    """The message and its sentences; where it keeps something, only the one that says it does."""
    whole, *each = sentences
    told = [Labelled(whole, lang, label)]
    for one in each:
        says = label not in KEEPS or matter[:8] in one.text
        told.append(Labelled(one, lang, label if says else "chat"))
    return told
