"""Any entry of the journal can be brought back, and what comes back contradicts nothing."""

from __future__ import annotations

from memory import Memory
from memory.changes import Did, Instruct, Learn, Retire, Revise
from memory.store import DictStore
from tests.memory.conftest import Say

CODE = "代码截图归档到「{}」"


async def filed(memory: Memory, say: Say, where: str) -> None:
    rule = CODE.format(where)
    await memory.apply([Instruct(rule, "归档图片")], say(rule))


async def rules(memory: Memory) -> list[str]:
    return [line.text for _, line in await memory.lines("CORE.md")]


async def test_every_entry_brings_its_words_back(memory: Memory, say: Say) -> None:
    for where in ("笔记", "备忘", "杂项"):
        await filed(memory, say, where)
    [(_, line)] = await memory.lines()
    await memory.apply([Retire(line.id)], say("忘掉"))
    assert await rules(memory) == []
    for entry, where in ((4, "杂项"), (3, "备忘"), (2, "笔记"), (1, "笔记")):
        outcome = await memory.restore(entry)
        assert outcome.did is (Did.KNOWN if entry == 1 else Did.RESTORED), entry
        assert await rules(memory) == [CODE.format(where)]


async def test_an_entry_that_is_not_there_is_refused(memory: Memory) -> None:
    outcome = await memory.restore(7)
    assert (outcome.did, outcome.reason) == (Did.REFUSED, "没有第 7 号改动。")


async def test_what_comes_back_takes_the_place_of_what_contradicts_it(memory: Memory, say: Say) -> None:
    await filed(memory, say, "笔记")
    [(_, old)] = await memory.lines()
    await memory.apply([Retire(old.id)], say("忘掉"))
    await filed(memory, say, "备忘")
    outcome = await memory.restore(1)
    assert outcome.gave_way == (CODE.format("备忘"),)
    assert await rules(memory) == [CODE.format("笔记")]
    gone = (await memory.log(1))[0]
    assert (gone.op, gone.reason) == ("remove", "你后来说了：" + CODE.format("笔记"))
    await memory.undo(outcome.entry)
    assert await rules(memory) == [CODE.format("备忘")]


async def test_a_change_of_several_lines_comes_back_whole(memory: Memory, say: Say) -> None:
    for text in ("回答用中文", "回答不超过三句"):
        await memory.apply([Instruct(text)], say(text))
    ids = [line.id for _, line in await memory.lines()]
    merged = "回答用中文，不超过三句"
    [outcome] = await memory.apply([Revise(ids[0], merged, also=(ids[1],))], say(merged))
    assert (outcome.did, outcome.gave_way) == (Did.REPLACED, ("回答不超过三句",))
    assert await rules(memory) == [merged]
    assert (await memory.restore(outcome.entry or 0)).did is Did.RESTORED
    assert sorted(await rules(memory)) == sorted(["回答用中文", "回答不超过三句"])


async def test_a_pause_is_in_the_file_and_nowhere_else(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Instruct("不要用表情"), Instruct("回答用中文")], say("不要用表情，回答用中文"))
    (_, line), _ = await memory.lines()
    before = await memory.version()
    [outcome] = await memory.apply([Revise(line.id, line.text, paused=True)], say("/memory pause 1"))
    assert outcome.did is Did.REPLACED
    assert f"- 不要用表情 (paused) ^{line.id}\n" in store.texts["CORE.md"]
    assert await memory.core() == "[r2] 回答用中文"
    snapshot = await memory.snapshot()
    assert "表情" not in snapshot.render()
    assert "表情" not in snapshot.tail()
    assert await memory.version() != before
    assert [each.text for _, each in await memory.everything()] == ["不要用表情", "回答用中文"]


async def test_a_paused_rule_that_is_said_again_holds_again(memory: Memory, say: Say) -> None:
    await memory.apply([Instruct("回答用中文")], say("回答用中文"))
    [(_, line)] = await memory.lines()
    await memory.apply([Revise(line.id, line.text, paused=True)], say("暂停"))
    [outcome] = await memory.apply([Instruct("回答用中文")], say("回答用中文"))
    assert (outcome.did, outcome.line) == (Did.RESTORED, line.id)
    assert await rules(memory) == ["回答用中文"]


async def test_learning_does_not_wake_what_was_paused(memory: Memory, say: Say) -> None:
    await memory.apply([Learn("用户不吃羊肉")], say("我不吃羊肉"))
    [(page, line)] = await memory.lines()
    await memory.apply([Revise(line.id, line.text, paused=True)], say("暂停"))
    [outcome] = await memory.apply([Learn("用户不吃羊肉")], say("我不吃羊肉"))
    assert outcome.did is Did.KNOWN
    assert await memory.lines(page) == []


async def test_a_pause_typed_by_hand_is_adopted(memory: Memory, store: DictStore, say: Say) -> None:
    await memory.apply([Instruct("回答用中文")], say("回答用中文"))
    store.texts["CORE.md"] = store.texts["CORE.md"].replace("回答用中文", "回答用中文（暂停）")
    assert await memory.core() == ""
    [told] = await memory.adopt()
    assert told.entry == 2
    await memory.undo(2)
    assert await memory.core() == "[r1] 回答用中文"


async def test_what_was_declined_can_be_taken_back_into_memory(memory: Memory, say: Say) -> None:
    for change, words in ((Learn("用户不吃羊肉"), "我不吃羊肉"), (Instruct("回答用中文"), "回答用中文")):
        await memory.decline(change, say(words))
    for entry in (1, 2):
        assert (await memory.restore(entry)).did is Did.RESTORED
    assert [line.text for _, line in await memory.lines()] == ["回答用中文", "用户不吃羊肉"]
