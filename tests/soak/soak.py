"""Many people who talk at once while everything goes wrong; then what became of each message is counted."""

from __future__ import annotations

import asyncio
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from tests.fakes.drawing import drawn
from tests.fakes.model_answers import Answer, Request, drops, fails, words_of
from tests.fakes.model_server import FakeModelServer
from tests.fakes.telegram_chats import Json, Sent
from tests.fakes.telegram_server import FakeTelegram, Fault
from tests.fakes.telegram_wire import Request as Call
from tests.flows.lives import Lives

FIRST = 5001  # the id of the first person
MARK = re.compile(r"\bm\d+-\d+\b")
HEARD = "heard: "
AHEAD = 5  # messages that somebody sends without having been answered
CALM = 0.25  # share of the messages, the last ones, during which nothing is killed and memory is watched
FAULTY = 0.5  # seconds for which something goes wrong
SETTLES = 180.0  # seconds after the last message within which all must be done

FAULTS = (  # (method, kind); what Telegram and the way to it do
    ("sendmessage", "429"),
    ("sendmessage", "502"),
    ("sendmessage", "drop_before"),
    ("sendmessage", "drop_after"),
    ("sendchataction", "500"),
    ("getupdates", "502"),
    ("getupdates", "drop_before"),
    ("getupdates", "drop_after"),
    ("getfile", "502"),
    ("file", "drop_before"),
)
MODEL_FAULTS = (fails(500), fails(503), fails(429, retry_after=0.2), drops("before"), drops("midway"))


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is said, and how often the process dies."""

    people: int = 20
    messages: int = 200  # of each
    kill_every: int = 50  # messages of all together
    kills: int = 1_000  # at most
    pictures: float = 0.02  # share of the messages; at least one of each person
    again: float = 0.02  # share of the updates that come twice
    fault_every: float = 1.0  # seconds, on average
    model_fails: float = 0.03  # share of the requests, none of them twice
    seed: int = 20261130


@dataclass(slots=True)
class Counts:
    """What became of everything."""

    said: int = 0
    answered: int = 0
    lost: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)
    twice: int = 0  # answered twice where a send was cut before anybody could write down that it was done
    twice_wrongly: list[str] = field(default_factory=list)  # and where none was
    pictures: int = 0
    filed: int = 0
    kills: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    memory: tuple[float, float] = (0.0, 0.0)  # MB: in the second and in the last third of the calm part
    left: list[str] = field(default_factory=list)  # what is due still, in the end
    seconds: float = 0.0

    @property
    def fine(self) -> bool:
        """Nothing lost, nothing out of order, nothing twice that had to be once."""
        wrong = (self.lost, self.out_of_order, self.twice_wrongly, self.left)
        return not any(wrong) and self.filed == self.pictures


class Telegram(FakeTelegram):
    """The fake server; it also notes which call met which fault."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[tuple[float, str, str, int | None]] = []  # (when, method, kind, chat)

    def _fault(self, method: str, request: Call) -> Fault | None:
        fault = super()._fault(method, request)
        if fault is not None:
            chat = request.fields.get("chat_id")
            self.met.append((time.monotonic(), method, fault.kind, int(chat) if chat else None))
        return fault


class Talker:
    """The model: says back what it heard, judges, finds nothing to keep; now and then it fails, no request twice."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self._share = plan.model_fails
        self._rng = rng
        self._failed: set[str] = set()  # the words of requests that did
        self.faults = 0

    def __call__(self, request: Request) -> Answer | str:
        if request.last not in self._failed and self._rng.random() < self._share:
            self._failed.add(request.last)
            self.faults += 1
            return self._rng.choice(MODEL_FAULTS)
        if request.tools:
            return f"{HEARD}{', '.join(_marks(request.messages))}"
        asked = str(request.messages[0]["content"])
        if "file one picture" in asked:
            return json.dumps(
                {"category": "", "new_category": "Receipts", "title": "a title", "confidence": 0.9}
            )
        return json.dumps({"changes": []}) if "changes" in asked else "They said hello."


def _marks(messages: list[dict[str, Any]]) -> list[str]:
    """What was said since the last answer."""
    new: list[str] = []
    for message in reversed(messages):
        if message["role"] == "assistant":
            break
        new = MARK.findall(words_of(message)) + new
    return list(dict.fromkeys(new))


class Soak:
    """One run."""

    def __init__(self, plan: Plan, run: Lives, tg: Telegram, talker: Talker, rng: random.Random) -> None:
        self.plan, self.run, self.tg, self.talker, self.rng = plan, run, tg, talker, rng
        self.counts = Counts()
        self.people = range(FIRST, FIRST + plan.people)
        self.total = plan.people * plan.messages
        self.said: dict[int, list[str]] = {user: [] for user in self.people}  # marks, in order
        self.killed: list[float] = []
        self._sizes: list[float] = []

    async def __call__(self) -> Counts:
        """Everything is said, everything goes wrong; returns what came of it."""
        began = time.monotonic()
        self.run.start()
        await self.run.listening()
        beside = [asyncio.create_task(each) for each in (self._trouble(), self._death(), self._watch())]
        await asyncio.gather(*(self._talk(user) for user in self.people))
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        self.tg.heal()
        await self._settled()
        if self.run.process is not None and self.run.process.poll() is None:
            await self.run.end()
        self.counts.seconds = time.monotonic() - began
        return self._counted()

    async def _until(self, true: Callable[[], bool], every: float = 0.02) -> None:
        """Look again and again: what is waited for happens in another process, which tells nobody."""
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(every)

    # ---- what goes on at the same time

    async def _talk(self, user: int) -> None:
        """One person: words, now and then a picture, and never too far ahead of the answers."""
        pictures = {self.rng.randrange(self.plan.messages)}
        pictures |= {n for n in range(self.plan.messages) if self.rng.random() < self.plan.pictures}
        updates: list[Json] = []
        for n in range(self.plan.messages):
            await self._until(lambda: len(self.said[user]) - len(self._answers(user)) <= AHEAD, 0.05)
            if n in pictures:
                words = f"SHOP {user}\nArticle {n}   {n}.49\nTOTAL   {user}.{n:02}\nThank you"
                update = self.tg.photo(user, drawn(words, size=(600, 300)))
                self.counts.pictures += 1
            else:
                mark = f"m{user}-{n}"
                self.said[user].append(mark)
                update = self.tg.say(user, f"What do you make of {mark}?")
            self.counts.said += 1
            updates.append(update)
            if self.rng.random() < self.plan.again:
                self._again(user, updates)
            await asyncio.sleep(self.rng.expovariate(4.0))

    def _again(self, user: int, updates: list[Json]) -> None:
        """Telegram hands out once more what was handled."""
        answered = self._answers(user)
        handled = [each for each in updates if set(MARK.findall(each["message"].get("text", ""))) & answered]
        if handled:
            self.tg.redeliver(self.rng.choice(handled))
            self.counts.faults["update twice"] += 1

    async def _trouble(self) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / self.plan.fault_every))
            method, kind = self.rng.choice(FAULTS)
            self.tg.fault(method, kind)
            await asyncio.sleep(FAULTY)
            self.tg.heal()  # unmet faults would wait for whoever backs off, and be an outage without end

    async def _death(self) -> None:
        """`kill -9` after so many messages, and another start, until the calm part begins."""
        due = self.plan.kill_every
        while due < self.total * (1 - CALM) and self.counts.kills < self.plan.kills:
            await self._until(lambda: self.counts.said >= due)  # noqa: B023 - awaited before it changes
            await asyncio.sleep(self.rng.random())
            self.killed.append(time.monotonic())
            self.run.kill()
            self.counts.kills += 1
            self.run.start()
            await self.run.listening()
            due += self.plan.kill_every

    async def _watch(self) -> None:
        """How large the process is while nothing kills it; the worker that reads pictures comes and goes."""
        while True:
            await asyncio.sleep(0.5)
            if self.counts.said >= self.total * (1 - CALM) and self.run.process is not None:
                self._sizes.append(psutil.Process(self.run.process.pid).memory_info().rss / 1e6)

    async def _settled(self) -> None:
        with suppress(TimeoutError):  # what is left then is counted
            async with asyncio.timeout(SETTLES):
                await self._until(lambda: self.run.settled() and not self.tg.waiting_updates(), 0.2)

    # ---- what came of it

    def _answers(self, user: int) -> set[str]:
        return {mark for sent in self.tg.sent(user) for mark in _answered(sent)}

    def _counted(self) -> Counts:
        counts = self.counts
        for user in self.people:
            self._of(user)
        counts.filed = self.run.rows("select count(*) from filings where state = 'filed'")[0][0]
        for _, method, kind, _ in self.tg.met:
            counts.faults[f"{method} {kind}"] += 1
        counts.faults["model"] = self.talker.faults
        third = max(1, len(self._sizes) // 3)
        if self._sizes:
            counts.memory = (
                median(self._sizes[third : 2 * third] or self._sizes),
                median(self._sizes[-third:]),
            )
        for table, due in (
            ("messages", "not answered or not extracted"),
            ("filings", "state = 'due'"),
            ("outbox", "state = 'unsent'"),
        ):
            counts.left += [
                f"{table} {row[0]}" for row in self.run.rows(f"select id from {table} where {due}")
            ]
        return counts

    def _of(self, user: int) -> None:
        """What became of the messages of one person."""
        counts, first, newest = self.counts, dict[str, float](), -1
        for sent in self.tg.sent(user):
            at = sent.seen[0][0]
            for mark in _answered(sent):
                if mark not in first:
                    first[mark] = at
                    number = int(mark.partition("-")[2])
                    if number < newest:
                        counts.out_of_order.append(mark)
                    newest = max(newest, number)
                elif self._cut(user, first[mark], at):
                    counts.twice += 1
                else:
                    counts.twice_wrongly.append(mark)
        counts.answered += len(first)
        counts.lost += [mark for mark in self.said[user] if mark not in first]

    def _cut(self, user: int, sent: float, again: float) -> bool:
        """Whether the process died after the first send, or the first send's answer was lost on the way."""
        died = any(sent <= when <= again for when in self.killed)
        return died or any(
            chat == user and kind == "drop_after" and abs(when - sent) < 1
            for when, _, kind, chat in self.tg.met
        )


def _answered(sent: Sent) -> list[str]:
    return MARK.findall(sent.text) if sent.text.startswith(HEARD) else []


async def soak(home: Path, plan: Plan) -> Counts:
    """Run a plan on a home of its own."""
    rng = random.Random(plan.seed)
    talker = Talker(plan, rng)
    with tempfile.TemporaryFile() as output:
        async with Telegram() as tg, FakeModelServer(talker) as model:
            allowed = range(FIRST, FIRST + plan.people)
            run = Lives(home, tg, model, output, allowed=allowed)
            try:
                return await Soak(plan, run, tg, talker, rng)()
            finally:
                if run.process is not None and run.process.poll() is None:
                    run.kill()


def told(counts: Counts) -> Iterator[str]:
    """The counts in rows."""
    faults = ", ".join(f"{n} {what}" for what, n in sorted(counts.faults.items()) if n)
    yield f"said               {counts.said} in {counts.seconds:.0f} s ({counts.pictures} of them pictures)"
    yield f"answered           {counts.answered}"
    yield f"lost               {len(counts.lost)} {' '.join(counts.lost[:5])}"
    yield f"out of order       {len(counts.out_of_order)} {' '.join(counts.out_of_order[:5])}"
    yield f"answered twice     {counts.twice} where a send was cut, {len(counts.twice_wrongly)} where none was"
    yield f"pictures filed     {counts.filed} of {counts.pictures}"
    yield f"left undone        {len(counts.left)} {' '.join(counts.left[:5])}"
    yield f"killed             {counts.kills} times"
    yield f"faults             {faults}"
    yield f"memory             {counts.memory[0]:.0f} MB, then {counts.memory[1]:.0f} MB"
