"""Standing instructions are read as people and memory write them."""

from __future__ import annotations

import pytest

from classifiers.rules import covers_all, kinds_in, read_rules, words_in
from classifiers.wishes import read_wish

HAVE = ["代码笔记", "报错日志", "票据发票", "Receipts", "Misc", "学习资料", "Work"]

READ = [
    ("[r7] 代码截图归档到「代码笔记」 (when: 归档图片)", ["code"], "代码笔记"),
    ("- 代码截图归档到「代码笔记」 (when: 归档图片) (until: 2027-01-31) ^r7", ["code"], "代码笔记"),
    ('[r8] File code screenshots under "Code notes" (when: filing pictures)', ["code"], "Code notes"),
    ("只要截图是代码，就放进代码笔记里", ["code"], "代码笔记"),
    ("小票和发票的照片以后都收进报销", ["invoice"], "报销"),
    ("Train tickets belong with my other travel stuff", ["ticket"], "travel"),
    ("If a screenshot shows an error, file it under Bugs", ["error"], "Bugs"),
    ("Screenshots of recipes go in my kitchen folder", ["recipe"], "kitchen"),
    ("Receipts -> Money", ["invoice"], "Money"),
    ("「学习资料」里专门放课件", ["study"], "学习资料"),
    ("菜谱类的图片存到「做饭」", ["recipe"], "做饭"),
    ("Use Receipts for invoices", ["invoice"], "Receipts"),
    ("Always put photos of handwritten notes into Paper", ["handwriting"], "Paper"),
]


@pytest.mark.parametrize(("line", "kinds", "where"), READ)
def test_what_and_where_are_read(line: str, kinds: list[str], where: str) -> None:
    (rule,) = read_rules(line, HAVE)
    assert kinds_in(rule.what) == kinds
    assert rule.where == where
    assert not rule.forbids


@pytest.mark.parametrize(
    "line",
    [
        "叫我老李就行",
        "回复我时用表格",
        "三月里的提醒都放到 22:00 以后",
        "Answer in English",
        "写邮件时把结论放到最前面",
        "[r3] Put the summary in the first paragraph (when: writing emails)",
        "# Standing instructions",
        "",
    ],
)
def test_other_instructions_are_no_filing_rules(line: str) -> None:
    assert read_rules(line, HAVE) == []


def test_a_rule_knows_its_number_and_keeps_its_words() -> None:
    (rule,) = read_rules("[r12] 菜谱截图归档到「做饭」 (when: 归档图片)")
    assert rule.id == "r12"
    assert rule.line == "菜谱截图归档到「做饭」 (when: 归档图片)"


@pytest.mark.parametrize("name", ["r12", "code-pictures", "r10000000000000000000000", "c" * 32])
@pytest.mark.parametrize("written", ["[{}] 菜谱截图归档到「做饭」", "- 菜谱截图归档到「做饭」 ^{}"])
def test_a_name_that_a_person_gave_a_line_is_no_part_of_the_rule(name: str, written: str) -> None:
    (rule,) = read_rules(written.format(name), HAVE)
    assert (rule.id, rule.line, rule.where) == (name, "菜谱截图归档到「做饭」", "做饭")


@pytest.mark.parametrize(
    "line", ["所有截图归档到「收件箱」", 'File everything else under "Misc" (when: filing pictures)']
)
def test_a_rule_for_all_pictures(line: str) -> None:
    (rule,) = read_rules(line)
    assert covers_all(rule)


@pytest.mark.parametrize("line", ["不要把聊天截图归到「工作」", "Never file chat screenshots under Work"])
def test_a_prohibition(line: str) -> None:
    (rule,) = read_rules(line, HAVE)
    assert rule.forbids
    assert kinds_in(rule.what) == ["chat"]


def test_a_prohibition_with_a_better_place() -> None:
    one, two = read_rules("代码截图不要放到聊天记录，放到代码笔记", HAVE)
    assert (one.forbids, one.where) == (True, "聊天记录")
    assert (two.forbids, two.where) == (False, "代码笔记")
    assert kinds_in(two.what) == ["code"]


@pytest.mark.parametrize(
    "line", ["除了代码以外的截图都放到「杂项」", 'File screenshots that are not code under "Misc"']
)
def test_all_but_a_kind(line: str) -> None:
    (rule,) = read_rules(line)
    assert rule.negated
    assert kinds_in(rule.what) == ["code"]


def test_a_condition_of_one_character_is_a_condition() -> None:
    (rule,) = read_rules("诗归档到「诗集」 (when: 归档图片)")
    assert not covers_all(rule)


def test_names_must_stand_in_the_picture_and_words_need_not() -> None:
    assert words_in("Kubernetes 相关的截图")[0] == ["kubernetes"]
    assert words_in("anything from Starbucks")[0] == ["starbucks"]
    assert words_in("写着「取件」的截图")[0] == ["取件"]
    assert words_in("anything with a total at the bottom") == ([], ["total", "bottom"])


@pytest.mark.parametrize(
    ("caption", "where"),
    [
        ("这张先放杂项", "杂项"),
        ("put this under Misc", "Misc"),
        ("just this once put it under Misc", "Misc"),
        ("这次放到工作里", "工作"),
        ("→ Receipts", "Receipts"),
        ("Misc", "Misc"),
        ("先放「待办」", "待办"),
        ("file this one in Receipts please", "Receipts"),
        ("Save it to my Work folder", "Work"),
        ("把这张放进 学习资料", "学习资料"),
        ("这是什么？", None),
        ("妈妈的生日", None),
        ("what does this code do?", None),
        ("代码截图以后都放到代码笔记", None),
        ("", None),
    ],
)
def test_a_wish_for_one_picture(caption: str, where: str | None) -> None:
    assert read_wish(caption, HAVE) == where


@pytest.mark.parametrize("text", ["#4 该去旅行那儿", "＃12 属于账单", "# 7 is a bill"])
def test_a_pictures_number_is_no_tag(text: str) -> None:
    """`#账单` names a category; `#4` names a picture, and what follows is a sentence about it."""
    assert (read_wish(text, ()) or "")[:1] not in tuple("0123456789")
    assert read_wish("#账单", ()) == "账单"
