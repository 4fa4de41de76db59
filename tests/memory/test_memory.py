"""What the person sees: changes, undo, hand edits, tombstones, and that none of it is lost."""

from __future__ import annotations

import asyncio
import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from memory import FolderStore, Memory
from memory.changes import Did, Instruct, Kind, Learn, Origin, Restore, Retire, Revise
from memory.errors import StoreUnwritable
from memory.store import DictStore
from tests.memory.conftest import NOW, Say


async def test_core_is_what_holds_now(memory: Memory, say: Say) -> None:
    assert await memory.core() == ""
    await memory.apply(
        [
            Instruct("收据归档到「报销」", "归档图片"),
            Instruct("提醒晚上发", until=date(2026, 3, 10)),
            Instruct("用公制单位", until=date(2026, 3, 11)),
        ],
        say("收据放报销，3月10号前提醒晚上发，3月11号前用公制单位"),
    )
    assert (
        await memory.core() == "[r1] 收据归档到「报销」 (when: 归档图片)\n[r3] 用公制单位 (until: 2026-03-11)"
    )
    assert [line.id for _, line in await memory.lines("CORE.md")] == ["r1", "r3"]


async def test_core_waits_and_snapshot_does_not(store: DictStore, say: Say) -> None:
    gate = asyncio.Event()

    async def settled() -> None:
        await gate.wait()

    memory = Memory(store, person="me", now=lambda: NOW, settled=settled)
    waiting = asyncio.create_task(memory.core())
    await asyncio.wait_for(memory.snapshot(), 5)
    await memory.apply([Instruct("别用表情")], say("别用表情"))
    assert not waiting.done()
    gate.set()
    assert await waiting == "[r1] 别用表情"


async def test_a_changed_mind_replaces_and_stays_in_the_journal(memory: Memory, say: Say) -> None:
    await memory.apply([Instruct("收据归档到「报销」", "归档图片")], say("收据放报销"))
    version = await memory.version()
    [outcome] = await memory.apply([Instruct("收据归档到「家用」", "归档图片")], say("收据还是放家用"))
    assert (outcome.did, outcome.line, outcome.before) == (Did.REPLACED, "r1", "收据归档到「报销」")
    assert await memory.core() == "[r1] 收据归档到「家用」 (when: 归档图片)"
    assert await memory.version() != version
    first, second = await memory.explain("r1")
    assert (first.op, second.op) == ("add", "replace")
    assert second.before is not None
    assert second.before.text == "收据归档到「报销」"
    assert second.source.quote == "收据还是放家用"


async def test_the_same_again_writes_nothing(memory: Memory, store: DictStore, say: Say) -> None:
    rule = Instruct("Keep answers short")
    await memory.apply([rule], say("keep answers short"))
    before = dict(store.texts)
    [outcome] = await memory.apply([rule], say("keep answers short please"))
    assert outcome.did is Did.KNOWN
    assert store.texts == before


async def test_what_was_learned_becomes_explicit_when_asked_for(memory: Memory, say: Say) -> None:
    await memory.apply([Learn("用户不吃羊肉")], say("我不吃羊肉"))
    [outcome] = await memory.apply(
        [Learn("用户不吃羊肉", origin=Origin.EXPLICIT)], say("记住我不吃羊肉", "我不吃羊肉")
    )
    assert outcome.did is Did.KNOWN
    [(_, line)] = await memory.lines()
    assert line.origin is Origin.EXPLICIT


async def test_learning_never_changes_what_was_asked_for(memory: Memory, say: Say) -> None:
    await memory.apply([Learn("用户住在苏州", origin=Origin.EXPLICIT)], say("记住我住在苏州"))
    [outcome] = await memory.apply([Learn("用户搬到南通了")], say("我搬到南通了", by="consolidation"))
    assert outcome.did is Did.REFUSED
    assert "用户住在苏州" in outcome.reason
    [outcome] = await memory.apply([Learn("用户搬到南通了", origin=Origin.EXPLICIT)], say("我搬到南通了"))
    assert outcome.did is Did.REPLACED


async def test_two_lines_that_contradict_go_together_and_come_back_together(memory: Memory, say: Say) -> None:
    await memory.apply([Instruct("Use emojis")], say("use emojis"))
    await memory.apply([Instruct("Use emojis", "in emails")], say("use emojis in emails"))
    memory_lines = await memory.lines()
    assert len(memory_lines) == 2
    [outcome] = await memory.apply([Instruct("Never use emojis")], say("never use emojis"))
    assert outcome.did is Did.REPLACED
    assert len(await memory.lines()) == 2  # the scoped one stands on its own
    await memory.undo()
    assert [str(line) for _, line in await memory.lines()] == [str(line) for _, line in memory_lines]


async def test_undo_and_the_undo_of_an_undo(memory: Memory, say: Say) -> None:
    await memory.apply([Instruct("Answer in German")], say("answer in German"))
    await memory.apply([Learn("The user has two dogs")], say("I have two dogs"))
    first = await memory.undo()
    assert (first.did, first.before) == (Did.RESTORED, "The user has two dogs")
    second = await memory.undo()
    assert second.before == "Answer in German"
    assert await memory.lines() == []
    assert (await memory.undo()).did is Did.REFUSED
    assert second.entry is not None
    again = await memory.undo(second.entry)
    assert (again.did, again.line) == (Did.RESTORED, "r1")
    assert await memory.core() == "[r1] Answer in German"
    assert (await memory.undo(second.entry)).did is Did.REFUSED  # once is once


async def test_an_undo_does_not_go_over_a_later_change(memory: Memory, say: Say) -> None:
    await memory.apply([Instruct("Call the user Jo")], say("call me Jo"))
    await memory.apply([Revise("r1", "Call the user Joanna")], say("call me Joanna"))
    assert (await memory.undo(1)).did is Did.REFUSED
    assert "Joanna" in await memory.core()


async def test_restore_as_a_change(memory: Memory, say: Say) -> None:
    await memory.apply([Instruct("Use Celsius")], say("use Celsius"))
    await memory.apply([Retire("r1")], say("forget Celsius"))
    [outcome] = await memory.apply([Restore(2)], say("/undo 2"))
    assert (outcome.did, outcome.after) == (Did.RESTORED, "Use Celsius")


async def test_what_was_forgotten_stays_gone_until_taught_again(memory: Memory, say: Say) -> None:
    await memory.apply([Learn("用户在学古筝")], say("我在学古筝"))
    await memory.apply([Retire("t1")], say("学古筝的事忘了吧"))
    assert await memory.search("古筝") == []
    assert "古筝" not in (await memory.snapshot()).render()
    [outcome] = await memory.apply([Learn("用户在学古筝")], say("我在学古筝"))
    assert outcome.did is Did.REFUSED
    [outcome] = await memory.apply(
        [Learn("用户学古筝", origin=Origin.LEARNED)], say("我学古筝", by="consolidation")
    )
    assert outcome.did is Did.REFUSED
    [outcome] = await memory.apply([Learn("用户在学古筝", origin=Origin.EXPLICIT)], say("记住我在学古筝"))
    assert outcome.did is Did.ADDED
    assert outcome.line == "t2"  # a name is never used twice


async def test_what_was_undone_is_not_learned_again(memory: Memory, say: Say) -> None:
    await memory.apply([Learn("The user is moving to Porto")], say("I'm moving to Porto"))
    await memory.undo()
    [outcome] = await memory.apply([Learn("The user is moving to Porto")], say("I'm moving to Porto"))
    assert outcome.did is Did.REFUSED


async def test_nobody_is_home(memory: Memory, say: Say) -> None:
    for change in (Retire("r9"), Revise("r9", "x y")):
        [outcome] = await memory.apply([change], say("x y"))
        assert outcome.did is Did.REFUSED
        assert outcome.reason
    assert (await memory.undo(99)).did is Did.REFUSED
    assert await memory.read("nothing") is None
    assert await memory.explain("r9") == []


async def test_hand_edits_are_adopted_and_said_once(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Instruct("别用表情"), Instruct("用公制单位")], say("别用表情，用公制单位"))
    text = store.texts["CORE.md"]
    store.texts["CORE.md"] = text.replace("- 别用表情 ^r1", "- 少用表情 ^r1").replace(
        "- 用公制单位 ^r2\n", "my own words\n- 周末别发提醒\n"
    )
    assert await memory.core() == "[r1] 少用表情\n[r3] 周末别发提醒"
    told = await memory.adopt()
    assert [(o.did, o.line) for o in told] == [(Did.REPLACED, "r1"), (Did.ADDED, "r3"), (Did.REMOVED, "r2")]
    assert await memory.adopt() == []
    assert "my own words\n- 周末别发提醒 ^r3\n" in store.texts["CORE.md"]
    lines = {line.id: line for _, line in await memory.lines()}
    assert {line.origin for line in lines.values()} == {Origin.EDITED}
    entry = next(o.entry for o in told if o.did is Did.REMOVED)
    await memory.undo(entry)
    assert "[r2] 用公制单位" in await memory.core()


async def test_a_hand_edit_outranks_everything_but_the_person(
    memory: Memory, store: DictStore, say: Say
) -> None:
    store.texts["topics/home.md"] = "---\ntitle: Home\n---\n- The user lives in Bath\n"
    await memory.adopt()
    [outcome] = await memory.apply(
        [Learn("The user lives in Leeds")], say("I live in Leeds", by="consolidation")
    )
    assert outcome.did is Did.REFUSED


async def test_a_line_moved_to_another_page_by_hand(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Learn("The user has a van", "Cars")], say("I have a van"))
    moved = "- The user has a van ^t1\n"
    store.texts["topics/cars.md"] = store.texts["topics/cars.md"].replace(moved, "")
    store.texts["topics/stuff.md"] = "---\ntitle: Stuff\n---\n" + moved
    assert [(page, line.text) for page, line in await memory.lines()] == [
        ("topics/stuff.md", "The user has a van")
    ]
    assert await memory.adopt()
    assert await memory.adopt() == []


async def test_a_hand_edit_between_reading_and_writing_survives(store: DictStore, say: Say) -> None:
    memory = Memory(store, person="me", now=lambda: NOW)
    await memory.apply([Instruct("Be brief")], say("be brief"))
    real, met = store.write, list[str]()

    def write(name: str, text: str, *, was: str | None) -> None:
        if name == "CORE.md" and not met:  # in the middle of the next change
            met.append(name)
            store.texts["CORE.md"] += "- typed meanwhile\n"
        real(name, text, was=was)

    store.write = write  # type: ignore[method-assign]
    await memory.apply([Instruct("Use Celsius")], say("use Celsius"))
    core = await memory.core()
    assert "typed meanwhile" in core
    assert "Use Celsius" in core
    assert "Be brief" in core


async def test_many_at_once_lose_nothing(memory: Memory, say: Say) -> None:
    facts = [f"The user owns book number {n}" for n in range(20)]
    await asyncio.gather(
        *(memory.apply([Learn(fact)], say(fact.replace("The user owns", "I own"))) for fact in facts)
    )
    await asyncio.gather(*(memory.core() for _ in range(5)))
    entries = await memory.log(100)
    assert [entry.n for entry in entries] == sorted((e.n for e in entries), reverse=True)
    assert len(entries) == len(await memory.lines()) == 20


async def test_a_read_only_home_is_said_and_still_read(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Instruct("Be brief")], say("be brief"))
    store.texts["CORE.md"] += "- typed\n"
    store.writable = False
    with pytest.raises(StoreUnwritable):
        await memory.apply([Instruct("Use Celsius")], say("use Celsius"))
    assert "[r1] Be brief" in await memory.core()
    assert "typed" in await memory.core()
    store.writable = True
    await memory.apply([Instruct("Use Celsius")], say("use Celsius"))
    assert "Use Celsius" in await memory.core()


async def test_a_journal_that_cannot_be_written_takes_the_page_back(store: DictStore, say: Say) -> None:
    memory = Memory(store, person="me", now=lambda: NOW)
    await memory.apply([Instruct("Be brief")], say("be brief"))
    before = store.texts["CORE.md"]

    def append(name: str, text: str) -> None:
        raise StoreUnwritable

    real, store.append = store.append, append  # type: ignore[method-assign]
    with pytest.raises(StoreUnwritable):
        await memory.apply([Instruct("Use Celsius")], say("use Celsius"))
    store.append = real  # type: ignore[method-assign]
    assert store.texts["CORE.md"] == before
    assert await memory.adopt() == []


async def test_a_torn_journal_is_read_to_its_last_whole_row(
    memory: Memory, store: DictStore, say: Say
) -> None:
    await memory.apply([Instruct("Be brief")], say("be brief"))
    store.texts["journal.jsonl"] += '{"n":2,"at":"2026-03-11T2'
    again = Memory(store, person="me", now=lambda: NOW)
    assert await again.core() == "[r1] Be brief"
    [outcome] = await again.apply([Instruct("Use Celsius")], say("use Celsius"))
    assert (outcome.line, outcome.entry) == ("r2", 2)
    assert len(await again.problems()) == 1
    rows = [row for row in store.texts["journal.jsonl"].split("\n") if row]
    assert json.loads(rows[-1])["after"]["text"] == "Use Celsius"


async def test_the_folder_alone_is_the_truth(tmp_path: Path, say: Say) -> None:
    memory = Memory(FolderStore(tmp_path), person="me", now=lambda: NOW)
    await memory.apply([Instruct("别用表情"), Learn("用户养猫", "宠物")], say("别用表情，我养猫"))
    (tmp_path / "index.md").unlink()
    (tmp_path / "log.md").unlink()
    again = Memory(FolderStore(tmp_path), person="me", now=lambda: NOW)
    assert [line.text for _, line in await again.lines()] == ["别用表情", "用户养猫"]
    assert {line.origin for _, line in await again.lines()} == {Origin.EXPLICIT, Origin.LEARNED}
    await again.apply([Learn("用户有车", "车")], say("我有车"))
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "[宠物](topics/宠物.md) (1)" in index


async def test_two_titles_never_share_a_page(memory: Memory, say: Say) -> None:
    facts = {"a/b": "red", "a b": "green", "A-B!": "blue", "🚀": "white", "🎯": "black"}
    for title, colour in facts.items():
        await memory.apply([Learn(f"It is {colour}", title)], say(f"it is {colour}"))
    pages = {page for page, _ in await memory.lines()}
    assert len(pages) == 5
    page = await memory.read("🎯")
    assert page is not None
    assert [line.text for line in page.lines] == ["It is black"]


async def test_text_is_one_row_and_reads_back_as_written(memory: Memory, say: Say) -> None:
    words = "- use tables\nand (when: x) in reports ^r9 (until: 2027-01-01)"
    [outcome] = await memory.apply([Instruct(words)], say(words))
    assert outcome.did is Did.ADDED
    assert await memory.adopt() == []
    [(_, line)] = await memory.lines()
    assert "\n" not in line.text
    assert line.until == date(2027, 1, 1)


async def test_snapshot_never_drops_a_rule(memory: Memory, say: Say) -> None:
    for n in range(60):
        await memory.apply([Instruct(f"rule number {n} of the house")], say(f"rule number {n} of the house"))
    rendered = (await memory.snapshot()).render(50)
    assert all(f"rule number {n} " in rendered for n in range(60))


async def test_foresee_writes_nothing(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Instruct("Be brief")], say("be brief"))
    before = dict(store.texts)
    assert (await memory.foresee(Instruct("Be brief"), say("be brief"))).did is Did.KNOWN
    assert (await memory.foresee(Instruct("Use Celsius"), say("use Celsius"))).did is Did.ADDED
    assert (await memory.foresee(Learn("x y", "New page"), say("x y"))).did is Did.ADDED
    assert store.texts == before


async def test_an_expired_rule_does_not_stand_in_the_way(store: DictStore, say: Say) -> None:
    now = NOW
    memory = Memory(store, person="me", now=lambda: now)
    await memory.apply([Instruct("提醒晚上发", until=date(2026, 3, 12))], say("12号前提醒晚上发"))
    now = NOW + timedelta(days=3)
    assert await memory.core() == ""
    [outcome] = await memory.apply([Instruct("提醒晚上发")], say("提醒晚上发"))
    assert outcome.did is Did.ADDED


async def test_kinds_survive_the_file(memory: Memory, say: Say) -> None:
    fact = Learn("2026-03-18 用户去体检", kind=Kind.EPISODIC)
    await memory.apply([fact], say("下周三我去体检"))
    [(_, line)] = await memory.lines()
    assert line.kind is Kind.EPISODIC


async def test_a_bare_undo_passes_over_what_was_typed_by_hand(
    memory: Memory, store: DictStore, say: Say
) -> None:
    await memory.apply([Instruct("Answer in German")], say("answer in German"))
    await memory.apply([Instruct("Use Celsius")], say("use Celsius"))
    store.texts["CORE.md"] += "- Never phone before ten\n"
    assert (await memory.undo()).before == "Use Celsius"
    assert (await memory.undo()).before == "Answer in German"
    assert (await memory.undo()).did is Did.REFUSED
    assert [line.text for _, line in await memory.lines()] == ["Never phone before ten"]


async def test_an_undo_never_writes_over_a_hand_edit(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Instruct("Call the user Jo")], say("call me Jo"))
    await memory.apply([Revise("r1", "Call the user Joanna")], say("call me Joanna"))
    store.texts["CORE.md"] = store.texts["CORE.md"].replace("Joanna", "Joanna Reyes")
    assert (await memory.undo()).did is Did.REFUSED
    assert await memory.core() == "[r1] Call the user Joanna Reyes"


async def test_a_hand_edit_is_taken_back_by_its_number(memory: Memory, store: DictStore, say: Say) -> None:
    store.texts["CORE.md"] = "- Use Celsius\n"
    [told] = await memory.adopt()
    assert (await memory.undo(told.entry)).before == "Use Celsius"
    assert await memory.lines() == []
