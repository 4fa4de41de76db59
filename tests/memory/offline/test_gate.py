"""The gate before a language model is asked: what may hold something passes, most everyday talk does not."""

from __future__ import annotations

import numpy as np
import pytest

from memory.offline import gate
from memory.offline.banks import names, read
from memory.offline.gate import LEAST, answers, load_gate, may_hold
from memory.offline.rewording import reworded
from memory.offline.word_classes import load_classes

KEPT = (
    "我是鼓楼小学的体育老师",
    "我对芒果过敏，这个蛋糕能吃吗",
    "以后发票的照片都归到「报账」",
    "回答我的时候别用表格",
    "我已经不在那家公司了，现在自己开店",
    "我老家地址那条忘掉吧",
    "我女儿叫小满，今年上初一",
    "记住：周三不安排会",
    "今天好累。对了，往后都用公里给我报距离。晚安",
    "I'm a tram driver in Lyon",
    "my wife is allergic to sesame, what could I bake",
    "put every parking ticket under Car from now on",
    "no exclamation marks please, ever",
    "I don't work at the museum any more, it's the town hall now",
    "forget what I told you about my brother",
    "our twins are called Bo and Fay",
    "remember that I only have an oven, no hob",
    "Lovely, thanks. Always give me the price first. What's the weather like?",
    "the vet says our cat has a heart condition",
    "call me Captain",
)
QUIET = (
    "谢谢，这就够了",
    "哈哈哈好吧",
    "地球到太阳有多远",
    "帮我把这段翻译成法文",
    "再短一些",
    "写一首关于秋天的小诗",
    "怎么用 python 读取 json 文件",
    "我到地铁站了",
    "今天真冷啊",
    "你能做什么",
    "thanks, perfect",
    "lol ok",
    "How far is the sun from the earth?",
    "translate this paragraph into French please",
    "a bit shorter",
    "write a short poem about autumn",
    "how do I read a json file in python",
    "I'm on the train",
    "it's so cold today",
    "what can you do?",
)


@pytest.mark.parametrize("said", KEPT)
async def test_what_is_to_be_kept_passes(said: str) -> None:
    assert await may_hold(said)


@pytest.mark.parametrize("behind", ["", " (12)", " 😊", "!!", "  "])
async def test_most_everyday_talk_does_not(behind: str) -> None:
    passed = [said for said in QUIET if await may_hold(said + behind)]
    assert len(passed) <= 2, passed


async def test_a_rule_in_the_third_sentence_is_seen() -> None:
    assert await may_hold("谢谢！这个翻译很好。下次起人名都保留英文。再见")
    assert await may_hold("That was quick. I like it. Names stay in English from here on. Bye!")


@pytest.mark.parametrize(
    ("said", "heard", "told"),
    [
        ("Marigold", "What should I call you?", True),
        ("Marigold", "", False),
        ("A negative", "Good. And what is your blood group?", True),
        ("芝麻", "您对什么过敏？", True),
        ("thanks", "What should I call you?", False),
        ("the second one", "Shall I make it shorter?", False),
        ("好的，谢谢", "要不要再短一点？", False),
        ("no, Leipzig", "You live in Dresden.", True),
        ("不是，是周四", "您周三健身。", True),
        ("ok great", "You live in Dresden.", False),
        ("never the drafts", "Do you want me to keep drafts?", True),
        ("why?", "Where do you live?", False),
    ],
)
def test_an_answer_tells_something_only_after_its_question(said: str, heard: str, told: bool) -> None:
    assert answers(said, heard) is told


async def test_nothing_holds_nothing() -> None:
    assert not await may_hold("")
    assert not await may_hold("  \n ")


@pytest.mark.parametrize(
    "said",
    ["x" * 50_000, "以后" * 5_000, "\ud800 hello", "a\0b", "🙂" * 300, "「" * 400, '"' * 401, "7", "?!"],
)
async def test_odd_input_is_survived(said: str) -> None:
    assert await may_hold(said, said) in (True, False)


def test_of_the_held_out_bank_most_of_what_is_kept_passes_and_most_talk_does_not() -> None:
    door = load_gate()
    rows = read("heldout_gate")
    kept = [row for row in rows if row.holds]
    quiet = [row for row in rows if row.parts[0].label in ("chat", "task")]
    assert sum(door(row.text) for row in kept) >= 0.98 * len(kept)
    assert sum(door(row.text) for row in quiet) <= 0.2 * len(quiet)


def test_the_banks_of_the_gate_hold_what_they_say() -> None:
    assert {"everyday", "told"} < set(names())
    assert not any(row.holds for row in read("everyday"))
    assert all(row.holds for row in read("told"))


def test_the_weights_are_small() -> None:
    assert gate.WEIGHTS.stat().st_size <= 100_000
    assert 0 < LEAST < 1


def test_words_are_told_by_their_kind() -> None:
    classes = load_classes()
    assert classes("I'm a nurse") == classes("I'm a welder")
    assert classes("我是护士") == classes("我是焊工")
    assert classes("I'm a nurse") != classes("I'm a bit tired")
    assert classes("zzyzx 12 🙂") == ["·", "#", "~"]
    assert [(token.start, token.end, token.kind) for token in classes.tokens("叫我蔻蔻吧")] == [
        (0, 2, "叫我"),
        (2, 4, "·"),
        (4, 5, "吧"),
    ]


def test_no_word_is_of_two_kinds() -> None:
    import json

    from memory.offline.word_classes import WORDS

    for kinds in json.loads(WORDS.read_text(encoding="utf-8")).values():
        words = [word for each in kinds.values() for word in each.split()]
        assert sorted(words) == sorted(set(words))


def test_a_message_is_said_otherwise() -> None:
    random = np.random.default_rng(1)
    texts = [text for _ in range(20) for text in reworded("I'm a nurse.", "en", random)]
    assert any("nurse" not in text for text in texts)
    assert any(text.endswith("(12)") for text in texts)
    assert all(text.strip() for text in texts)
    assert list(reworded("12", "zh", random))
