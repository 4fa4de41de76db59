"""Files as people leave them: what they typed counts, what they broke is said and never written over."""

from __future__ import annotations

import re
import time

import pytest

from memory import Memory
from memory.changes import Did, Instruct, Learn, Origin, Retire
from memory.decoding import broken, decoded
from memory.errors import StoreBroken, StoreUnwritable
from memory.store import DictStore
from tests.memory.conftest import NOW, Say


async def taught(memory: Memory, say: Say) -> None:
    for text in ("回答用中文", "叫我老周"):
        await memory.apply([Instruct(text)], say(text))


async def rules(memory: Memory) -> list[tuple[str, str]]:
    return [(line.id, line.text) for _, line in await memory.lines("CORE.md")]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("-没有空格", "没有空格"),
        ("*\ttabs", "tabs"),
        ("+ 加号 ", "加号"),
        ("• 圆点", "圆点"),
        ("– 短横", "短横"),
        ("－ 全角", "全角"),
        ("・中点", "中点"),
        ("1. 编号", "编号"),
        ("12、顿号", "顿号"),
        ("  - 缩进", "缩进"),
        ("- [ ] 待办", "待办"),
        ("- [x] done", "done"),
        ("- 回车\r", "回车"),
    ],
)
async def test_odd_bullets_are_lines(memory: Memory, store: DictStore, typed: str, read: str) -> None:
    store.texts["CORE.md"] = f"# 规则\n{typed}\n"
    assert await rules(memory) == [("r1", read)]
    assert " ^r1" in store.texts["CORE.md"]
    assert store.texts["CORE.md"].startswith(f"# 规则\n{typed.rstrip()}")


@pytest.mark.parametrize(
    "typed", ["-5 degrees", "---", "**bold** words", "2026.5 版本", "-v prints more", "— 作者"]
)
async def test_what_only_looks_like_a_bullet_is_none(memory: Memory, store: DictStore, typed: str) -> None:
    store.texts["CORE.md"] = f"# 规则\n{typed}\n"
    assert await rules(memory) == []
    assert store.texts["CORE.md"] == f"# 规则\n{typed}\n"


async def test_a_line_whose_name_was_deleted_keeps_its_history(
    memory: Memory, store: DictStore, say: Say
) -> None:
    await taught(memory, say)
    store.texts["CORE.md"] = "- 叫我老周\n- 回答用中文\n"
    assert await rules(memory) == [("r2", "叫我老周"), ("r1", "回答用中文")]
    assert store.texts["CORE.md"] == "- 叫我老周 ^r2\n- 回答用中文 ^r1\n"
    assert await memory.adopt() == []
    assert {line.origin for _, line in await memory.lines()} == {Origin.EXPLICIT}


async def test_a_name_of_another_page_is_not_taken_over(memory: Memory, store: DictStore, say: Say) -> None:
    await taught(memory, say)
    store.texts["topics/food.md"] = "---\ntitle: 饮食\n---\n- 用户不吃羊肉 ^r1\n"
    assert [(page, line.id) for page, line in await memory.lines() if page != "CORE.md"] == [
        ("topics/food.md", "t1")
    ]
    assert await rules(memory) == [("r1", "回答用中文"), ("r2", "叫我老周")]


@pytest.mark.parametrize("opened", ["---\ntitle: 半截\n", "# x\n```\n", "# x\n<!-- 备注\n", "~~~\n```\n"])
async def test_what_is_never_closed_hides_nothing(
    memory: Memory, store: DictStore, say: Say, opened: str
) -> None:
    await taught(memory, say)
    store.texts["CORE.md"] = opened + "- 回答用中文 ^r1\n- 叫我老周 ^r2\n"
    assert await rules(memory) == [("r1", "回答用中文"), ("r2", "叫我老周")]
    assert await memory.adopt() == []
    assert any("never closed" in problem for problem in await memory.problems())
    [outcome] = await memory.apply([Instruct("周报用表格")], say("周报用表格"))
    assert outcome.did is Did.ADDED
    assert ("r3", "周报用表格") in await rules(memory)


@pytest.mark.parametrize("text", ["\0" * 400, "\udc89PNG\udc8f\udcff" * 9, "- 回答用中文 ^r1\n\0\0"])
async def test_a_file_that_is_no_text_is_read_from_the_journal_and_never_written_over(
    memory: Memory, store: DictStore, say: Say, text: str
) -> None:
    await taught(memory, say)
    store.texts["CORE.md"] = text
    assert await memory.core() == "[r1] 回答用中文\n[r2] 叫我老周"
    assert await memory.adopt() == []
    assert any("CORE.md: is no text" in problem for problem in await memory.problems())
    with pytest.raises(StoreBroken):
        await memory.apply([Instruct("周报用表格")], say("周报用表格"))
    assert store.texts["CORE.md"] == text


async def test_a_file_that_is_away_while_an_editor_saves_it_was_not_removed(
    store: DictStore, say: Say
) -> None:
    class Saving(DictStore):
        away = 0

        def read(self, name: str) -> str | None:
            if name == "CORE.md" and self.away:
                self.away -= 1
                return None
            return super().read(name)

    saving = Saving()
    memory = Memory(saving, person="me", now=lambda: NOW)
    await taught(memory, say)
    saving.away = 1
    assert await memory.core() == "[r1] 回答用中文\n[r2] 叫我老周"
    assert await memory.adopt() == []


async def test_a_file_that_is_removed_takes_its_rules_along_and_can_be_undone(
    memory: Memory, store: DictStore, say: Say
) -> None:
    await taught(memory, say)
    del store.texts["CORE.md"]
    assert await memory.core() == ""
    gone = await memory.adopt()
    assert [each.before for each in gone] == ["回答用中文", "叫我老周"]
    await memory.restore(gone[0].entry or 0)
    assert await rules(memory) == [("r1", "回答用中文")]


async def test_thousands_of_lines_typed_at_once(store: DictStore) -> None:
    memory = Memory(store, person="me", now=lambda: NOW)
    store.texts["CORE.md"] = "".join(f"- 第 {n} 种票据归到第 {n} 类\n" for n in range(3000))
    started = time.monotonic()
    assert len((await memory.core()).splitlines()) == 3000
    assert time.monotonic() - started < 10
    assert len({line.id for _, line in await memory.lines()}) == 3000


async def test_emoji_titles_are_pages(memory: Memory, store: DictStore) -> None:
    store.texts["topics/😀.md"] = "---\ntitle: 😀 旅行\n---\n- 🐟 喜欢吃鱼\n"
    page = await memory.read("😀 旅行")
    assert page is not None
    assert [line.text for line in page.lines] == ["🐟 喜欢吃鱼"]


def test_utf16_of_no_text_is_no_text() -> None:
    assert decoded("- 回答用中文\n".encode("utf-16")) == "- 回答用中文\n"
    assert broken(decoded(b"\xff\xfe\x00\x01\x02bad\n- \xe5\x9b\n"))
    assert not broken(decoded("- 回答\n".encode("gb18030")))


async def test_the_index_agrees_after_every_operation(memory: Memory, store: DictStore, say: Say) -> None:
    def told() -> tuple[str, ...]:
        rows = re.findall(r"^- \[(.+?)\]\(.+?\) \((\d+)\)", store.texts["index.md"], re.M)
        return tuple(f"{title} {count}" for title, count in rows)

    [first] = await memory.apply([Learn("用户养猫", "宠物")], say("我养猫"))
    assert told() == ("宠物 1",)
    await memory.apply([Learn("用户养了一只狗", "宠物"), Instruct("别用表情")], say("我养了一只狗，别用表情"))
    assert told() == ("你说过的规矩 1", "宠物 2")
    [gone] = await memory.apply([Retire(first.line or "")], say("忘掉我养猫"))
    assert told() == ("你说过的规矩 1", "宠物 1")
    await memory.undo(gone.entry)
    assert told() == ("你说过的规矩 1", "宠物 2")
    store.texts["CORE.md"] = ""
    await memory.lines()
    assert told() == ("CORE 0", "宠物 2")


async def test_on_a_full_disk_forgetting_is_all_or_nothing(
    memory: Memory, store: DictStore, say: Say
) -> None:
    [kept] = await memory.apply([Instruct("Be brief")], say("be brief"))
    before = dict(store.texts)

    def full(name: str, text: str, *, was: str | None = None) -> None:
        raise StoreUnwritable

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "write", full)
        with pytest.raises(StoreUnwritable):
            await memory.apply([Retire(kept.line or "")], say("forget be brief"))
        assert store.texts == before
        assert await memory.core() == "[r1] Be brief"
    [gone] = await memory.apply([Retire(kept.line or "")], say("forget be brief"))
    assert (gone.did, await memory.core()) == (Did.REMOVED, "")
