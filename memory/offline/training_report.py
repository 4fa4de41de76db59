"""How the shipped weights do on the held-out banks, which were written by people who have not seen the rest."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from memory.changes import Speaker
from memory.offline import Offline
from memory.offline.banks import NATURAL, Example, Labelled, embed, read, sentences_of, talk
from memory.offline.probe import FACES, Vectors, load_probe
from memory.offline.spans import group_of, load_tagger
from memory.places import kind_of_picture
from memory.utterance import Utterance


def report() -> None:
    """Print it."""
    for name, rows in _messages().items():
        for lang in ("zh", "en"):
            mine = [row for row in rows if row.lang == lang]
            if mine:
                print(f"\n== {name}, {lang}: {len(mine)} messages")
                _labels(mine)
                asyncio.run(_stored(mine))
    print("\n== spans, given the label")
    _spans(read("heldout"))


def _messages() -> dict[str, list[Labelled]]:
    """Whole messages of the held-out banks."""
    talked = [row for row in talk(held_out=True) if row.said.alone]
    return {"heldout": [row for row in sentences_of(read("heldout")) if row.said.alone], "talk": talked}


def _labels(rows: Sequence[Labelled]) -> None:
    probe = load_probe()
    for face in FACES:
        head = probe.heads[f"{face}:label"]
        right = 0
        for row in rows:
            found = head(probe.rows([row.said], embed([row.said.text]) if face == "full" else None))[0]
            right += head.classes[int(found.argmax())] == row.label
        print(f"{face}: label of the whole message right {right / len(rows):.2f}")


async def _stored(rows: Sequence[Labelled]) -> None:
    """From message to write: what the embedded default would store of each, and what it would ask."""

    async def vectors(texts: Sequence[str]) -> Vectors:
        return embed(texts)

    offline, at = Offline(vectors), datetime(2026, 3, 11, 21, tzinfo=UTC)
    found = []
    for row in rows:
        heard = [Utterance(Speaker.ASSISTANT, row.said.heard, at)] if row.said.heard else []
        found.append(await offline.extract([*heard, Utterance(Speaker.PERSON, row.said.text, at)], [], at))
    kept, shares = np.asarray([row.stores for row in rows]), natural(rows)
    for name, told in (
        ("saved", [f.changes for f in found]),
        ("saved or asked", [f.changes or f.questions for f in found]),
    ):
        taken = np.asarray([bool(t) for t in told])
        precision = shares[taken & kept].sum() / max(shares[taken].sum(), 1e-9)
        wrong = Counter(row.label for row, t in zip(rows, taken & ~kept, strict=True) if t)
        number = 1000 * shares[taken & ~kept].sum() / shares.sum()
        print(
            f"{name}: recall {taken[kept].mean():.2f}, precision {kept[taken].mean():.2f} on the bank, "
            f"{precision:.2f} at natural frequency; {number:.0f} wrong in 1,000 messages: {dict(wrong)}"
        )
    for label in ("filing", "rule", "change", "fact_self", "fact_other"):
        mine = [f for f, row in zip(found, rows, strict=True) if row.label == label]
        saved = sum(1 for f in mine if f.changes)
        asked = sum(1 for f in mine if f.questions and not f.changes)
        print(f"    {label}: {saved} saved, {asked} asked of {len(mine)}")


def natural(rows: Sequence[Labelled]) -> NDArray[np.float64]:
    """The weight of each row that makes the bank look like real talk."""
    counts = Counter(row.label for row in rows)
    return np.asarray([NATURAL[row.label] / counts[row.label] for row in rows])


def _spans(examples: Sequence[Example]) -> None:
    tagger = load_tagger()
    for lang in ("zh", "en"):
        for name in ("keep", "what", "where"):
            told = [e for e in examples if e.lang == lang and getattr(e, name)]
            found = [getattr(tagger.find(e.text, group_of(e.label, e.of)), name) for e in told]
            right = sum(
                _bare(span, lang) == _bare(getattr(e, name), lang)
                for e, span in zip(told, found, strict=True)
            )
            print(f"{lang} {name}: {right}/{len(told)} the same but for signs and articles")


def _bare(span: str, lang: str) -> str:
    return kind_of_picture(span, "", "zh" if lang == "zh" else "en").casefold().strip(" ，。,.!！?？、;；:：")
