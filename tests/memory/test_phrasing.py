"""From what was typed to a sentence that stands alone."""

from __future__ import annotations

import pytest

from memory.filing_rules import FilingRule, phrase, read_rule
from memory.offline.scopes import scope_of
from memory.phrasing import asks_whether, changed, fact, spoken_for, standing, stated, trimmed
from memory.places import kind_of_picture, names_nothing, place, place_named
from memory.verbs import third_person
from memory.wording import Language
from tests.memory.conftest import NOW


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("对了，记住我不吃羊肉哈", "用户不吃羊肉"),
        ("我妈有高血压", "用户的妈妈有高血压"),
        ("住在苏州", "用户住在苏州"),
        ("上个月搬到南通了", "用户2026年2月搬到南通了"),
        ("我家猫叫汤圆", "用户家猫叫汤圆"),
    ],
)
def test_facts_in_chinese(said: str, stored: str) -> None:
    about_self = not said.startswith(("我妈", "我家"))
    text = fact(said, NOW, "zh", about_self=about_self)
    assert text.replace("用户2026", "2026") == stored.replace("用户2026", "2026")


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I live in Bath", "the user lives in Bath"),
        ("I don't eat pork", "the user does not eat pork"),
        ("I'm a nurse and I work nights", "the user is a nurse and the user works nights"),
        ("ive got two kids", "the user has got two kids"),
        ("I went freelance", "the user went freelance"),
        ("I usually try to walk", "the user usually tries to walk"),
        ("my dog hates me", "the user's dog hates the user"),
        ("I can't drive", "the user can't drive"),
        ("I watch birds", "the user watches birds"),
    ],
)
def test_the_third_person(said: str, stored: str) -> None:
    assert third_person(said) == stored


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("从现在起别用表情哦，谢谢", "zh", "别用表情"),
        ("你帮我回信短一点", "zh", "帮用户回信短一点"),
        ("please remember that answers should be short, thanks", "en", "Answers should be short"),
        ("from now on call me Jo", "en", "Call the user Jo"),
        ("叫我老周就行", "zh", "叫用户老周"),
    ],
)
def test_rules(said: str, language: Language, stored: str) -> None:
    assert standing(said, NOW, language) == stored


def test_trimming_never_eats_everything() -> None:
    assert trimmed("谢谢", "zh") == "谢谢"
    assert trimmed("please", "en") == "please"


@pytest.mark.parametrize(
    ("said", "language", "left"),
    [
        ("我在学琵琶，指甲怎么留？", "zh", "我在学琵琶，"),
        ("我住几楼", "zh", ""),
        ("I coach juniors, any warm up games?", "en", "I coach juniors,"),
        ("不是周三，我是周四去", "zh", "我是周四去"),
    ],
)
def test_only_what_is_stated(said: str, language: Language, left: str) -> None:
    assert stated(said, language) == left


@pytest.mark.parametrize(
    ("said", "language", "left"),
    [
        ("别叫我老曹了，叫我曹工", "zh", "叫我曹工"),
        ("我不住苏州了，搬去南通了", "zh", "搬去南通了"),
        ("don't call me Sam anymore, call me Samuel", "en", "call me Samuel"),
        (
            "I don't mind noise any more, the new windows help",
            "en",
            "I don't mind noise any more, the new windows help",
        ),
        ("还是用中文吧", "zh", "还是用中文吧"),
    ],
)
def test_what_holds_after_a_changed_mind(said: str, language: Language, left: str) -> None:
    assert changed(said, language) == left


def test_a_pronoun_needs_somebody() -> None:
    assert spoken_for("她不吃辣", "我妈明天来，", "zh") == "我妈不吃辣"
    assert spoken_for("she is vegan", "my sister comes tomorrow,", "en") == "my sister is vegan"
    assert spoken_for("他不吃辣", "明天聚餐，", "zh") is None


@pytest.mark.parametrize(
    ("what", "message", "language", "kind"),
    [
        ("代码", "我截的图要是代码，", "zh", "代码截图"),
        ("我拍的菜谱", "我拍的菜谱归厨房", "zh", "菜谱照片"),
        ("所有发票的照片", "所有发票的照片", "zh", "发票的照片"),
        ("any receipts", "any receipts", "en", "receipts"),
        ("error logs", "screenshots of error logs", "en", "error logs screenshots"),
    ],
)
def test_kinds_of_pictures(what: str, message: str, language: Language, kind: str) -> None:
    assert kind_of_picture(what, message, language) == kind


def test_places_are_names() -> None:
    assert place("「报销」这个分类里") == "报销"
    assert place("the Tax folder") == "the Tax"
    assert place("里") == "里"


def test_filing_rules_read_back() -> None:
    for language in ("zh", "en"):
        text = phrase("a of b", "C d", language)
        assert read_rule(text) == FilingRule("a of b", "C d")
    assert read_rule("发票都放进报销", "归档图片") == FilingRule("发票", "报销")
    assert read_rule("Receipts go to Tax", "filing pictures") == FilingRule("Receipts", "Tax")
    assert read_rule("把表格放在最后") is None


@pytest.mark.parametrize(
    ("rule", "language", "scope"),
    [
        ("写周报先列要点", "zh", "写周报"),
        ("周报里别用表格", "zh", "写周报"),
        ("“毕业设计”这个资料集里的引用用国标", "zh", "资料集「毕业设计」"),
        ("keep commit messages short", "en", "commit messages"),
        ("回答短一点", "zh", None),
        ("be brief", "en", None),
    ],
)
def test_scopes(rule: str, language: Language, scope: str | None) -> None:
    assert scope_of(rule, language) == scope


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("天冷，薯片受潮了还能吃不", True),
        ("钥匙你找着没？", True),
        ("快递到楼下了没", True),
        ("以后都用表格，行不", False),
        ("我从来都不", False),
        ("作业还没", False),
        ("回答短点，记住没", False),
        ("我不吃辣", False),
    ],
)
def test_a_bare_no_at_the_end_asks(said: str, asks: bool) -> None:
    assert asks_whether(said) is asks


def test_a_category_has_a_name() -> None:
    assert names_nothing("dont")
    assert names_nothing("there")
    assert names_nothing("喝不")
    assert not names_nothing("Notes")
    assert place_named("Shop Floor folder. every shelf photo goes there") == "Shop Floor"
    assert place_named("放「票夹」里") == "票夹"
    assert place_named("goes there") == ""
