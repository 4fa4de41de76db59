"""Pictures that a rule wants in no category: the rule is read as people put it, and obeyed without and with a model."""

from __future__ import annotations

import pytest

from classifiers.categories import UNFILED
from classifiers.judge import ModelJudge
from classifiers.leaving import left_out
from classifiers.offline import OfflineJudge
from classifiers.rules import kinds_in, read_rules
from classifiers.types import Case, Category, Filing, Language, Picture, Reading
from tests.classifiers.drawings import CODE, RECEIPT
from tests.classifiers.fakes import Scripted, embed

CHAT = "小林\n明天几点到？\n大概九点半\n好的 我在门口等你\n[表情]\n按住说话"
TALK = "Priya\nare you home yet?\nnearly, 5 min lol\nok kettle is on\nDelivered"
PICTURE = Picture("0" * 64, b"jpeg", 100, 100, "PNG", ".png", colourfulness=0.1)
LIST = (Category("c1", "代码笔记"), Category("c2", "聊天"))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("聊天截图不归档 (when: 归档图片)", "chat"),
        ("聊天记录的截图不用存", "chat"),
        ("别归档聊天截图", "chat"),
        ("小票就别留着了", "invoice"),
        ("不要把菜谱截图存起来", "recipe"),
        ("以后代码截图一律不要保存", "code"),
        ("Do not file chat screenshots (when: filing pictures)", "chat"),
        ("Don’t bother saving receipts any more", "invoice"),
        ("Stop filing recipe screenshots", "recipe"),
        ("Train tickets should not be filed", "ticket"),
        ("No need to keep receipts", "invoice"),
    ],
)
def test_a_rule_that_leaves_pictures_out_is_read(line: str, kind: str) -> None:
    (rule,) = read_rules(line, ["聊天", "Receipts"])
    assert rule.unfiled
    assert not rule.forbids
    assert kinds_in(rule.what) == [kind]


@pytest.mark.parametrize(
    "line",
    [
        "不要把聊天截图存到「工作」",
        "Never file receipts under Work",
        "聊天截图归档到「聊天」",
        "Do not save my phone number",
        "别存钱",
        "聊天截图不存在",
        "Do not keep me waiting",
        "回答不要保留小数",
    ],
)
def test_what_only_resembles_one_leaves_nothing_out(line: str) -> None:
    assert not any(rule.unfiled for rule in read_rules(line, ["聊天", "工作"]))


def test_one_line_may_leave_out_and_file() -> None:
    rules = read_rules("聊天截图不归档，小票归档到「报销」 (when: 归档图片)")
    assert [(rule.unfiled, kinds_in(rule.what), rule.where) for rule in rules] == [
        (True, ["chat"], ""),
        (False, ["invoice"], "报销"),
    ]
    rules = read_rules("File receipts under Money, but don't file memes")
    assert [(rule.unfiled, rule.where) for rule in rules] == [(True, ""), (False, "Money")]
    assert left_out("but don't file memes") == "memes"


async def judged(text: str, rules: str, language: Language = "zh") -> Filing:
    case = Case(PICTURE, Reading(text, text.count("\n") + 1, 0.9, "fake"), rules, LIST, language=language)
    return await OfflineJudge(embed)(case)


@pytest.mark.parametrize(
    ("rule", "text", "language"),
    [
        ("聊天截图不归档", CHAT, "zh"),
        ("Do not file chat screenshots", TALK, "en"),
        ("小票不用存", RECEIPT, "zh"),
    ],
)
async def test_it_is_obeyed_with_no_model_and_only_for_its_kind(
    rule: str, text: str, language: Language
) -> None:
    filing = await judged(text, f"[r1] {rule}", language)
    assert (filing.category, filing.rule) == (UNFILED[language], rule)
    assert not filing.is_new
    assert filing.runner_up is None
    other = await judged(CODE, f"[r1] {rule}", language)
    assert (other.category, other.rule) == ("代码笔记", None)


async def test_the_more_special_rule_wins_and_exceptions_hold() -> None:
    both = "[r1] 聊天截图不归档\n[r2] 和小林的聊天截图归档到「小林」"
    assert (await judged(CHAT, both)).category == "小林"
    assert (await judged(CHAT.replace("小林", "阿贵"), both)).category == "未归档"
    but = "[r1] Do not file screenshots, except code (when: filing pictures)"
    assert (await judged(CODE, but, "en")).category == "代码笔记"
    assert (await judged(CHAT, but, "en")).category == "Unfiled"


async def test_photographs_of_something_are_not_all_photographs() -> None:
    colours = Picture("0" * 64, b"", 100, 100, "JPEG", ".jpg", colourfulness=0.9)
    case = Case(
        colours, Reading("", 0, 0.0, "fake"), "[r1] Do not file photos of my parrot", LIST, language="en"
    )
    assert (await OfflineJudge(embed)(case)).category == "Photos"
    every = Case(colours, Reading("", 0, 0.0, "fake"), "[r1] Do not file photos", LIST, language="en")
    assert (await OfflineJudge(embed)(every)).category == "Unfiled"


RULES = "[r1] 回复要短\n[r4] 聊天截图不归档 (when: 归档图片)"


@pytest.mark.parametrize(
    "answer",
    [
        '{"category": "unfiled", "rule": "r4", "title": "约时间"}',
        '{"category": "c2", "rule": "r4", "title": "约时间"}',
        '{"category": "", "new_category": "Unfiled", "title": "约时间"}',
        '{"category": "未归档", "title": "约时间"}',
    ],
)
async def test_a_model_obeys_it_however_it_says_so(answer: str) -> None:
    model = Scripted(answer)
    case = Case(PICTURE, Reading(CHAT, 6, 0.9, "fake"), RULES, LIST)
    filing = await ModelJudge(OfflineJudge(embed), see=model.see, embed=embed)(case)
    assert (filing.category, filing.rule) == ("未归档", "聊天截图不归档 (when: 归档图片)")
    assert (filing.title, filing.judged_by) == ("约时间", "vision")
    assert len(model.asked) == 1
    assert "unfiled" in model.asked[0][0]


async def test_a_model_cannot_leave_out_what_no_rule_does() -> None:
    model = Scripted('{"category": "unfiled", "rule": "r1"}')
    case = Case(PICTURE, Reading(CODE, 6, 0.9, "fake"), "[r1] 回复要短", LIST)
    filing = await ModelJudge(OfflineJudge(embed), ask=model.ask, embed=embed)(case)
    assert filing.category == "代码笔记"
    assert len(model.asked) == 2


async def test_a_model_that_forgets_the_rule_offers_to_obey_it() -> None:
    model = Scripted('{"category": "c2", "confidence": 0.9}')
    case = Case(PICTURE, Reading(CHAT, 6, 0.9, "fake"), RULES, LIST)
    filing = await ModelJudge(OfflineJudge(embed), ask=model.ask, embed=embed)(case)
    assert (filing.category, filing.runner_up) == ("聊天", "未归档")
