"""Behind the guard's forms somebody may read what was typed; what they name is not written, and the reason told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import FolderStore, Memory
from memory.changes import Did, Instruct, Learn, Retire, Source
from memory.judging import Verdict
from memory.never import forbidden

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
SAID = "my locker opens with four eights, I'm on the third floor"


def memory(home: Path, asked: list[str], verdict: Verdict = "secret") -> Memory:
    async def judge(words: str, quote: str) -> Verdict:
        asked.append(quote)
        return verdict if "eights" in quote else ""

    return Memory(FolderStore(home), person="p", now=lambda: NOW, judge=judge, language="en")


def said(quote: str) -> Source:
    return Source("c", "m", NOW, SAID, quote)


@pytest.mark.parametrize(("verdict", "word"), [("secret", "password"), ("permission", "permission")])
async def test_what_the_judge_names_is_not_written(tmp_path: Path, verdict: Verdict, word: str) -> None:
    held = memory(tmp_path, [], verdict)
    assert forbidden("The user's locker opens with four eights", "en") is None, "no form knows it"
    change = Learn("The user's locker opens with four eights", "About me")
    [refused] = await held.apply([change], said("my locker opens with four eights"))
    assert (refused.did, refused.never) == (Did.REFUSED, True)
    assert word in refused.reason
    assert await held.lines() == []


async def test_what_stands_beside_it_is_written(tmp_path: Path) -> None:
    held = memory(tmp_path, [])
    [kept] = await held.apply(
        [Learn("The user is on the third floor", "About me")], said("I'm on the third floor")
    )
    assert kept.did is Did.ADDED


async def test_nothing_is_judged_where_words_go(tmp_path: Path) -> None:
    asked: list[str] = []
    held = memory(tmp_path, asked)
    [kept] = await held.apply(
        [Instruct("Answer in French")], Source("c", "m", NOW, "answer in French", "answer in French")
    )
    asked.clear()
    await held.apply([Retire(kept.line or "")], Source("c", "n", NOW, "forget that", "forget that"))
    assert asked == []


async def test_a_form_that_knows_it_needs_no_judge(tmp_path: Path) -> None:
    asked: list[str] = []
    held = memory(tmp_path, asked)
    words = "my password is hunter2!"
    [refused] = await held.apply(
        [Learn("The user's password is hunter2!", "About me")], Source("c", "m", NOW, words, words)
    )
    assert refused.did is Did.REFUSED
    assert asked == []


async def test_the_text_is_judged_whatever_it_is_said_to_come_from(tmp_path: Path) -> None:
    held = memory(tmp_path, [])
    words = "my locker is on the third floor, opens with four eights. I like tea."
    change = Learn("The user's locker opens with four eights", "About me")
    [refused] = await held.apply([change], Source("c", "m", NOW, words, "I like tea."))
    assert refused.did is Did.REFUSED


async def test_no_character_that_a_file_cannot_hold_is_written(tmp_path: Path) -> None:
    held = memory(tmp_path, [])
    words = "I drink\0 tea\x1b with\u202e milk"
    await held.apply(
        [Learn("The user drinks\0 tea\x1b with\u202e milk", "About me")], Source("c", "m", NOW, words, words)
    )
    assert [line.text for _, line in await held.lines()] == ["The user drinks tea with milk"]
