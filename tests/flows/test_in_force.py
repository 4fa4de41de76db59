"""A rule and, at once, a picture: whatever memory is slow at, in the end the rule is obeyed and the receipt names it.

A thousand trials through the very app, with a clock that jumps; only the model's words, the reading of pictures and
the judge are played.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import structlog

from bot.app import App
from bot.errors import ModelUnavailable
from bot.jobs.handlers import handlers
from bot.minds import open_minds
from bot.models.embeddings import Embeddings
from bot.models.model import Call, Prompt, Reply
from bot.models.scripted import Scripted
from bot.settings import Settings
from bot.storage import open_storage
from bot.storage.records import FilingRow
from classifiers.image import Judges
from classifiers.ocr import Reader
from classifiers.types import Case, Filing, Picture, Reading
from tests.fakes.channel import FakeChannel
from tests.flows.virtual_time import VirtualLoop

TRIALS = 200  # a thousand were run once, and all obeyed; offers of a new rule have made them slow since
WAIT = 30.0  # seconds that a judgement waits for rules
START = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)
_RULE = re.compile(r"截图.*归[到档].*?「([^」]+)」")
_QUOTED = re.compile(r"<message>\n(.*?)\n</message>", re.S)


@dataclass(eq=False)
class Slow:
    """Plays the model: it answers in one of three ways, and reads for memory after a delay, failing as told."""

    delays: dict[str, float] = field(default_factory=dict)  # person's category → seconds of an extraction
    fails: dict[str, list[Exception | str]] = field(default_factory=dict)  # category → what comes first
    says: str = "好的。"
    tool: bool = False  # whether the main model calls `remember` itself
    thinks: float = 0.0  # seconds of the main model

    async def __call__(self, prompt: Prompt) -> Reply | str:
        if not prompt.tools:
            return await self._extracted(prompt.messages[-1].text)
        last = prompt.messages[-1]
        await asyncio.sleep(self.thinks)
        if self.tool and last.role == "user" and last.typed:
            words = last.typed[-1]
            found = _RULE.search(words)
            assert found is not None
            text = f"代码截图归档到「{found[1]}」"
            arguments = {"text": text, "when": "归档图片", "quote": words, "kind": "instruction"}
            return Reply(calls=(Call("c1", "remember", arguments),), finish="calls")
        return self.says

    async def _extracted(self, asked: str) -> str:
        quoted = _QUOTED.search(asked)
        assert quoted is not None
        found = _RULE.search(quoted[1])
        if found is None:
            return json.dumps({"changes": []})
        category = found[1]
        await asyncio.sleep(self.delays.get(category, 0))
        if left := self.fails.get(category):
            failure = left.pop(0)
            if isinstance(failure, Exception):
                raise failure
            return failure
        change = {
            "op": "instruct",
            "quote": quoted[1],
            "text": f"代码截图归档到「{category}」",
            "when": "归档图片",
        }
        return json.dumps({"changes": [change]}, ensure_ascii=False)


async def judge(case: Case) -> Filing:
    """Obeys the rule about code that it is shown; without one it puts everything aside."""
    await asyncio.sleep(2)
    rules = [row for row in case.rules.splitlines() if _RULE.search(row)]
    if not rules:
        return Filing("杂项", "屏幕")
    found = _RULE.search(rules[-1])
    assert found is not None
    return Filing(found[1], "屏幕", rule=rules[-1].split("] ", 1)[1])


class Vectors:
    """Sentence vectors that tell nothing apart."""

    async def __call__(self, texts: Sequence[str]) -> Any:
        return np.ones((len(texts), 1), dtype=np.float32)

    passages = queries = __call__

    def available(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing was opened."""


@asynccontextmanager
async def opened(home: Path, model: Slow) -> AsyncIterator[tuple[App, FakeChannel]]:
    """The whole app over a home; its clock is the loop's."""
    loop = asyncio.get_running_loop()
    settings = await asyncio.to_thread(
        Settings.load, home, {}, timezone="Asia/Shanghai", extraction_wait=WAIT
    )
    zone = await asyncio.to_thread(settings.zone)
    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)

    def now() -> datetime:
        return (START + timedelta(seconds=loop.time())).astimezone(zone)

    channel = FakeChannel()
    async with open_storage(settings, now) as storage, open_minds(settings, Scripted(model)) as opened_minds:
        minds = replace(opened_minds, embed=cast(Embeddings, Vectors()), judges=Judges(judge))
        app = App(settings, storage, minds, [channel], now)
        async with app.working():
            ears = asyncio.create_task(app.listen())
            try:
                yield app, channel
            finally:
                ears.cancel()
                with suppress(asyncio.CancelledError):
                    await ears


@pytest.fixture
def virtual(monkeypatch: pytest.MonkeyPatch) -> asyncio.Runner:
    """A runner over a jumping clock, with no disk-backed job engine and pictures that need no eyes."""
    runner = asyncio.Runner(loop_factory=VirtualLoop)
    clock = SimpleNamespace(monotonic=lambda: runner.get_loop().time())
    for module in ("bot.turns", "bot.jobs.filing"):
        monkeypatch.setattr(f"{module}.time", clock)

    def in_process(jobs: Any) -> Any:
        return {name: replace(each, durable=False) for name, each in handlers(jobs).items()}

    async def look(reader: Reader, data: bytes, name: str = "") -> Picture:
        return Picture(data.decode(), b"", 320, 200, "PNG", ".png", original=data)

    async def read(reader: Reader, picture: Picture) -> Reading:
        return Reading("def retry(): ...", 1, 0.9, "known")

    monkeypatch.setattr("bot.background.handlers", in_process)
    for name in ("open", "glance"):
        monkeypatch.setattr(Reader, name, look)
    monkeypatch.setattr(Reader, "read", read)
    structlog.configure(processors=[lambda *_: (_ for _ in ()).throw(structlog.DropEvent)])
    return runner


async def filed(app: App, person: str) -> FilingRow:
    [row] = await app.filings(person)
    return row


def drawn(random_: random.Random) -> float:
    """Seconds of an extraction: up to 60, a tenth of them beyond the wait."""
    return random_.uniform(WAIT, 2 * WAIT) if random_.random() < 0.1 else random_.uniform(0, WAIT - 3)


async def trials(home: Path, count: int) -> dict[str, int]:
    chance = random.Random(7)
    model = Slow()
    seen = {"obeyed": 0, "named": 0, "late": 0, "refiled": 0, "failed once": 0}
    async with opened(home, model) as (app, channel):
        for n in range(count):
            person, category = f"p{n}", f"分类{n}"
            model.delays = {category: drawn(chance)}
            failing = chance.random() < 0.1
            broken: Exception | str = (
                ModelUnavailable("away") if chance.random() < 0.5 else "not what was asked for"
            )
            model.fails = {category: [broken] if failing else []}
            model.says = chance.choice(["好的。", "记住了。", "没问题，这类我懂。"])
            model.tool, model.thinks = chance.random() < 0.2, chance.choice([0.5, 2.0, 14.0])
            rule = await channel.say(f"以后代码截图都归到「{category}」", person=person)
            if chance.random() < 0.5:
                await asyncio.sleep(chance.uniform(0, 1))
            picture = await channel.say("", f"sha{n}".encode(), person=person)
            await app.finished(*picture)
            await app.finished(*rule)
            await app.finished(*picture)
            row = await filed(app, person)
            receipts = [each.text for each in channel.sent if each.chat == person and each.kind == "receipt"]
            about = [text for text in receipts if "#1" in text]
            seen["obeyed"] += row.category == category
            seen["named"] += f"规则：代码截图归档到「{category}」" in about[-1] and category in (
                row.rule or ""
            )
            seen["late"] += model.delays[category] > WAIT
            seen["refiled"] += len(about) > 1
            seen["failed once"] += failing
            channel.sent.clear()
    return seen


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_rule_then_at_once_a_picture_ends_obeyed_a_thousand_times(
    home: Path, virtual: asyncio.Runner, capsys: pytest.CaptureFixture[str]
) -> None:
    with virtual:
        seen = virtual.run(trials(home, TRIALS))
    with capsys.disabled():
        print(f"\nin force: {seen} of {TRIALS}")
    assert (seen["obeyed"], seen["named"]) == (TRIALS, TRIALS)
    assert seen["late"] >= TRIALS / 15
    assert seen["failed once"] >= TRIALS / 15
    assert seen["refiled"] >= 1


async def story(home: Path, model: Slow, *said: tuple[float, str, bytes]) -> tuple[list[str], FilingRow, App]:
    """Say things at their seconds; the receipts of the first picture, and its row in the end."""
    async with opened(home, model) as (app, channel):
        names = []
        for at, text, picture in said:
            await asyncio.sleep(max(0.0, at - asyncio.get_running_loop().time()))
            names.append(await channel.say(text, *([picture] if picture else [])))
        for name in [*names, *names]:
            await app.finished(*name)
        row = next(row for row in await app.filings("me") if row.number == 1)
        return [text for text in channel.texts() if "#1" in text], row, app


A, B = "以后代码截图都归到「甲」", "以后代码截图都归到「乙」"


def run(virtual: asyncio.Runner, home: Path, model: Slow, *said: tuple[float, str, bytes]) -> list[str]:
    with virtual:
        return virtual.run(story(home, model, *said))[0]


def test_a_rule_within_the_wait_is_waited_for(home: Path, virtual: asyncio.Runner) -> None:
    receipts = run(virtual, home, Slow(delays={"甲": 25}), (0, A, b""), (0, "", b"x"))
    assert receipts == ["已存档 #1【甲】《屏幕》（规则：代码截图归档到「甲」）"]


def test_a_rule_beyond_the_wait_corrects_the_receipt_once(home: Path, virtual: asyncio.Runner) -> None:
    receipts = run(virtual, home, Slow(delays={"甲": 50}), (0, A, b""), (0, "", b"x"))
    assert receipts == [
        "已存档 #1【杂项】《屏幕》",
        "按新规则重新归档：#1【甲】《屏幕》（规则：代码截图归档到「甲」）",
    ]


def test_a_rule_revised_while_its_picture_is_judged(home: Path, virtual: asyncio.Runner) -> None:
    """The change of mind comes after the picture, and in time: it is the one that counts."""
    model = Slow(delays={"甲": 1, "乙": 0.2})
    receipts = run(virtual, home, model, (0, A, b""), (5, "", b"x"), (5.6, B, b""))
    assert receipts[-1].endswith("（规则：代码截图归档到「乙」）")
    assert "【乙】" in receipts[-1]


def test_two_rules_in_one_burst_the_last_one_holds(home: Path, virtual: asyncio.Runner) -> None:
    receipts = run(virtual, home, Slow(delays={"甲": 3, "乙": 3}), (0, A, b""), (0, B, b""), (0, "", b"x"))
    assert receipts == ["已存档 #1【乙】《屏幕》（规则：代码截图归档到「乙」）"]


def test_two_rules_the_first_of_which_is_slow_to_be_read(home: Path, virtual: asyncio.Runner) -> None:
    """What was said last holds, whichever was read last."""
    receipts = run(virtual, home, Slow(delays={"甲": 12, "乙": 1}), (0, A, b""), (0, B, b""), (0, "", b"x"))
    assert receipts[-1].endswith("（规则：代码截图归档到「乙」）")


def test_a_rule_that_a_slow_turn_wrote_itself(home: Path, virtual: asyncio.Runner) -> None:
    """The picture does not wait for ever for a model that thinks for a minute; what that then writes counts."""
    model = Slow(tool=True, thinks=40, says="好。")
    receipts = run(virtual, home, model, (0, A, b""), (0, "", b"x"))
    assert receipts[0] == "已存档 #1【杂项】《屏幕》"
    assert receipts[-1] == "按新规则重新归档：#1【甲】《屏幕》（规则：代码截图归档到「甲」）"


def test_a_rule_forgotten_before_the_picture_is_not_applied(home: Path, virtual: asyncio.Runner) -> None:
    async def forgets(prompt: Prompt) -> Reply | str:
        last = prompt.messages[-1]
        if prompt.tools and last.role == "user" and last.typed and "忘" in last.typed[-1]:
            await asyncio.sleep(8)
            return Reply(
                calls=(Call("c1", "forget", {"what": "r1", "quote": last.typed[-1]}),), finish="calls"
            )
        return await slow(prompt)

    slow = Slow(delays={"甲": 1})
    said = ((0, A, b""), (10, "把代码截图那条规矩忘了吧", b""), (10, "", b"x"))
    with virtual:
        receipts = virtual.run(story(home, cast(Slow, forgets), *said))[0]
    assert receipts == ["已存档 #1【杂项】《屏幕》"]
