"""One picture from bytes to its place."""

from __future__ import annotations

import asyncio

import pytest

from classifiers.errors import ReadingFailed, Unreadable
from classifiers.image import ImageClassifier, Judges
from classifiers.judge import ModelJudge
from classifiers.offline import OfflineJudge
from classifiers.ports import Read
from classifiers.types import Case, Ended, Filing, Picture, Reading
from tests.classifiers import drawings
from tests.classifiers.fakes import FakeShelf, Scripted, embed, open_here, reads

PNG = drawings.saved(drawings.page(drawings.CODE), "PNG")
RULE = "[r7] 代码截图归档到「代码笔记」 (when: 归档图片)"


class Refused(Exception):
    pass


def classifier(
    shelf: FakeShelf,
    *,
    rules: list[str] | None = None,
    model: Scripted | None = None,
    read: Read | None = None,
) -> ImageClassifier:
    said = rules if rules is not None else [""]
    offline = OfflineJudge(embed)
    judges = Judges(offline)
    if model is not None:
        judges = Judges(
            offline, ModelJudge(offline, see=model.see, embed=embed), sees=True, permanent=(Refused,)
        )

    async def core() -> str:
        return said[-1]

    return ImageClassifier(core, shelf, judges, open=open_here, read=read or reads(drawings.CODE))


async def test_a_picture_is_filed_by_its_rule_with_times() -> None:
    shelf = FakeShelf("菜谱")
    filed = await classifier(shelf, rules=[RULE]).file(PNG, "a.png")
    assert (filed.ended, filed.number) == (Ended.FILED, 1)
    assert filed.filing is not None
    assert filed.filing.category == "代码笔记"
    assert filed.filing.rule is not None
    assert filed.text == drawings.CODE
    assert set(filed.timings) == {"prepare", "read", "judge", "shelve"}
    assert shelf.items[0][0].original == PNG


async def test_the_rules_are_asked_for_after_reading_at_the_moment_of_judging() -> None:
    rules = [""]

    async def read(picture: Picture) -> Reading:
        rules.append(RULE)  # the person says it while the picture is being read
        return Reading(drawings.CODE, 5, 0.9, "fake")

    filed = await classifier(FakeShelf("学习资料", "代码"), rules=rules, read=read).file(PNG)
    assert filed.filing is not None
    assert filed.filing.category == "代码笔记"


async def test_the_same_bytes_are_the_same_item_and_a_copy_is_like_it() -> None:
    shelf = FakeShelf()
    filer = classifier(shelf)
    await filer.file(PNG)
    again = await filer.file(PNG)
    assert (again.ended, again.duplicate_of, again.number) == (Ended.DUPLICATE, 1, 1)
    copy = await filer.file(drawings.saved(drawings.page(drawings.CODE), "JPEG"))
    assert (copy.ended, copy.number, copy.similar_to) == (Ended.FILED, 2, 1)


@pytest.mark.parametrize(
    ("caption", "wish", "category"),
    [
        ("这张先放杂项", "", "杂项"),
        ("", "菜谱", "菜谱"),
        ("just this once put it under 菜谱", "", "菜谱"),
        ("备忘", "", "代码笔记"),
    ],
)
async def test_a_wish_for_this_picture_beats_the_rules(caption: str, wish: str, category: str) -> None:
    filed = await classifier(FakeShelf("菜谱"), rules=[RULE]).file(PNG, caption=caption, wish=wish)
    assert filed.filing is not None
    assert filed.filing.category == category
    assert (filed.filing.rule is None) is (category != "代码笔记")


async def test_what_is_no_picture_is_refused_in_the_persons_language_and_the_next_is_filed() -> None:
    shelf = FakeShelf()
    filer = classifier(shelf)
    refused = await filer.file(b"<html>gone</html>", "x.png", language="en")
    assert refused.ended is Ended.REFUSED
    assert "web page" in refused.sentence
    assert not shelf.items
    assert (await filer.file(PNG)).ended is Ended.FILED


async def test_what_is_worth_keeping_is_kept_under_a_safe_name() -> None:
    shelf = FakeShelf()
    kept = await classifier(shelf).file(b"<svg onload='x()'></svg>", "../../plan*.svg")
    assert (kept.ended, kept.number) == (Ended.KEPT_UNREAD, 1)
    assert kept.sentence
    picture, _, filing = shelf.items[0]
    assert picture.extension == ".svg"
    assert (filing.category, filing.title) == ("待整理", "plan")


async def test_a_picture_that_cannot_be_read_is_kept_unless_the_model_sees() -> None:
    async def read(picture: Picture) -> Reading:
        raise ReadingFailed("读不出来。", "Could not be read.")

    shelf = FakeShelf("代码笔记")
    kept = await classifier(shelf, read=read).file(PNG)
    assert kept.ended is Ended.KEPT_UNREAD
    assert kept.sentence == "读不出来。"
    seen = await classifier(FakeShelf("代码笔记"), read=read, model=Scripted('{"category": "c1"}')).file(PNG)
    assert seen.ended is Ended.FILED


async def test_a_model_that_will_never_answer_is_replaced_and_one_that_may_is_waited_for() -> None:
    shelf = FakeShelf("代码笔记")
    filed = await classifier(shelf, model=Scripted(Refused())).file(PNG)
    assert filed.filing is not None
    assert filed.filing.judged_by == "offline"
    with pytest.raises(TimeoutError):
        await classifier(shelf, model=Scripted(TimeoutError())).file(
            drawings.saved(drawings.page("x"), "PNG")
        )
    assert len(shelf.items) == 1


async def test_no_text_is_a_result() -> None:
    filed = await classifier(FakeShelf(), read=reads("")).file(PNG)
    assert filed.ended is Ended.FILED


async def test_an_open_error_names_no_internals() -> None:
    with pytest.raises(Unreadable) as caught:
        await open_here(b"\x89PNG broken", "x")
    assert "PIL" not in str(caught.value)


async def test_a_silent_model_is_not_waited_for_longer_than_its_limit() -> None:
    async def silent(case: Case) -> Filing:
        await asyncio.Event().wait()
        raise AssertionError("never reached")

    async def core() -> str:
        return RULE

    shelf = FakeShelf("菜谱")
    judges = Judges(OfflineJudge(embed), silent, sees=True, limit=0.05)
    filer = ImageClassifier(core, shelf, judges, open=open_here, read=reads(drawings.CODE))
    filed = await filer.file(PNG, "a.png")
    assert filed.filing is not None
    assert (filed.filing.category, filed.filing.judged_by) == ("代码笔记", "offline")
    assert filed.filing.rule is not None
    assert len(shelf.items) == 1
