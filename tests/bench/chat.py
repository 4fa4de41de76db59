"""Parts about chat with a model: latency and CPU, throughput, idling, starting, and answers after a crash."""

from __future__ import annotations

import time
from itertools import cycle, islice
from statistics import median, quantiles

from tests.bench.report import Figure
from tests.bench.sides import USERS, Side, side
from tests.bench.words import talk

TALKER = USERS[0]


def turns(*sides: Side, rounds: int) -> list[Side]:
    """Who goes when: side by side, each first in every other round."""
    order = []
    for number in range(rounds):
        order += list(sides) if number % 2 == 0 else list(reversed(sides))
    return order


def latency() -> list[Figure]:
    """One user in sequence: seconds per message, and CPU until the background work of the messages has ended."""
    with side("kairos") as kairos, side("bare") as bare:
        took: dict[str, list[float]] = {"kairos": [], "bare": []}
        cpu: dict[str, list[float]] = {"kairos": [], "bare": []}
        first = {}
        for one in (kairos, bare):
            one.start()
            first[one.kind] = one.talk(TALKER, talk(1))[0]
            one.talk(TALKER, talk(9))
            one.settle()
        for number, one in enumerate(turns(kairos, bare, rounds=30)):  # short turns: noise comes in bursts
            took[one.kind] += one.talk(TALKER, talk(5, start=number // 2 * 5))
            time.sleep(0.1)  # what is left to do of these is not the other one's trouble
        size = 31
        for one in turns(kairos, bare, rounds=3):
            one.settle()
            before = one.usage()
            one.talk(TALKER, talk(size))
            cpu[one.kind].append((one.settle().cpu - before.cpu) / size)
    ms = {kind: [1000 * seconds for seconds in each] for kind, each in took.items()}
    p95 = {kind: quantiles(each, n=20)[-1] for kind, each in ms.items()}
    return [
        Figure("latency p50", "ms", median(ms["kairos"]), median(ms["bare"]), most=1.5),
        Figure("latency p95", "ms", p95["kairos"], p95["bare"]),
        Figure("first answer after a start", "ms", 1000 * first["kairos"], 1000 * first["bare"]),
        Figure(
            "CPU per message",
            "ms",
            1000 * median(cpu["kairos"]),
            1000 * median(cpu["bare"]),
            most=2.0,
            note="until its background work has ended",
        ),
    ]


def throughput() -> list[Figure]:
    """20 users, each 10 messages in sequence, all at once."""
    with side("kairos") as kairos, side("bare") as bare:
        rate: dict[str, list[float]] = {"kairos": [], "bare": []}
        for one in (kairos, bare):
            one.start()
            one.talk(TALKER, talk(3))
            one.settle()
        for number, one in enumerate(turns(kairos, bare, rounds=5)):
            people = {str(user): one.says(talk(10, start=number + user)) for user in USERS[1:21]}
            seconds = float(one.telegram.ask("/bench/crowd", {"says": people}))
            rate[one.kind].append(200 / seconds)
            time.sleep(1)
    return [
        Figure(
            "throughput, 20 users x 10", "messages/s", median(rate["kairos"]), median(rate["bare"]), least=0.6
        )
    ]


def idle() -> list[Figure]:
    """Memory and CPU of bots nobody talks to, both watched in the same seconds."""
    watched = 10.0
    with side("kairos") as kairos, side("bare") as bare:
        for one in (kairos, bare):
            one.start()
        early = {one.kind: one.settle() for one in (kairos, bare)}
        began = time.monotonic()
        time.sleep(watched)
        late = {one.kind: one.usage() for one in (kairos, bare)}
        seconds = time.monotonic() - began
        share = {kind: 100 * (late[kind].cpu - early[kind].cpu) / seconds for kind in late}
        for one in (kairos, bare):
            one.talk(TALKER, talk(31))
        talked = {one.kind: one.settle() for one in (kairos, bare)}
        began = time.monotonic()
        time.sleep(watched)
        after = {one.kind: one.usage() for one in (kairos, bare)}
        seconds = time.monotonic() - began
        share_after = {kind: 100 * (after[kind].cpu - talked[kind].cpu) / seconds for kind in after}
    count = f"{late['kairos'].processes} process(es)"
    quiet_mb = {kind: usage.rss / 1e6 for kind, usage in late.items()}
    talked_mb = {kind: usage.rss / 1e6 for kind, usage in after.items()}
    return [
        Figure(
            "idle memory after the start",
            "MB",
            quiet_mb["kairos"],
            quiet_mb["bare"],
            most=150,
            of="kairos",
            note=f"RSS, {count}",
        ),
        Figure(
            "idle memory after 31 messages",
            "MB",
            talked_mb["kairos"],
            talked_mb["bare"],
            most=150,
            of="kairos",
        ),
        Figure("idle CPU after the start", "%", share["kairos"], share["bare"], most=1.0, of="kairos"),
        Figure(
            "idle CPU after 31 messages",
            "%",
            share_after["kairos"],
            share_after["bare"],
            most=1.0,
            of="kairos",
        ),
    ]


def start() -> list[Figure]:
    """From the start of the process to its first poll, on a fresh home and on one in use."""
    with side("kairos") as kairos, side("bare") as bare:
        fresh: dict[str, list[float]] = {"kairos": [], "bare": []}
        used: list[float] = []
        for one in (kairos, bare):  # bytecode and disk cache: not measured
            one.start("warm")
            one.kill()
        for number, one in enumerate(islice(cycle(turns(kairos, bare, rounds=2)), 10)):
            fresh[one.kind].append(one.start(f"home-{number}"))
            one.kill()
            if one is kairos:
                used.append(kairos.start(f"home-{number}"))
                kairos.kill()
    return [
        Figure(
            "start to first poll, fresh home", "s", median(fresh["kairos"]), median(fresh["bare"]), most=2.0
        ),
        Figure("start to first poll, home in use", "s", median(used), median(fresh["bare"]), most=2.0),
    ]


def crash() -> list[Figure]:
    """`kill -9` while one message is being answered and one waits; then a start. Who answers, and when?"""
    with side("kairos") as kairos, side("bare") as bare:
        seconds, answered, twice = {}, {}, 0
        for one in (kairos, bare):
            one.start()
            one.talk(TALKER, talk(2))
            one.settle(5)
            says = one.says(["Think slowly about this one", "And what about the second question?"])
            before = len(one.telegram.ask("/bench/texts", {"user": TALKER}))
            for text, _ in says:
                one.telegram.ask("/control/say", {"user": TALKER, "text": text})
                time.sleep(0.3)
            one.kill()
            began = time.monotonic()
            one.start()
            wanted, texts = [words for _, words in says], []
            while time.monotonic() < began + 8:
                texts = one.telegram.ask("/bench/texts", {"user": TALKER})[before:]
                if all(any(words in text for text in texts) for words in wanted):
                    break
                time.sleep(0.02)
            seconds[one.kind] = time.monotonic() - began
            one.settle(4)
            texts = one.telegram.ask("/bench/texts", {"user": TALKER})[before:]
            counts = [sum(words in text for text in texts) for words in wanted]
            answered[one.kind] = sum(count > 0 for count in counts)
            twice += sum(count > 1 for count in counts) if one is kairos else 0
    note = (
        "" if answered["bare"] == 2 else f"the bare bot gave up waiting with {answered['bare']} of 2 answered"
    )
    return [
        Figure("both answered after kill -9", "s", seconds["kairos"], None, most=5.0, of="kairos", note=note),
        Figure("answered of 2 after kill -9", "", answered["kairos"], answered["bare"], least=2, of="kairos"),
        Figure("answered twice after kill -9", "", twice, None, most=0, of="kairos"),
    ]
