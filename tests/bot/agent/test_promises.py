"""What an answer claims is checked against what was done: sent back once, then said to be untrue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.agent.loop import Conversed, converse
from bot.agent.promises import Promises
from bot.desk import Desk
from bot.errors import ModelUnavailable
from bot.models.model import Call, Prompt, Reply, Said
from bot.models.scripted import Scripted
from bot.storage.records import HistoryLine
from bot.tools import TOOLS
from bot.tools.deeds import DOES, Deed
from bot.types import Language, Message
from bot.wording import say
from memory import Source
from memory.changes import Instruct, Learn
from memory.extraction import Extraction
from memory.intake import Taken, take_in
from memory.never import forbidden
from tests.bot.desks import NOW, Rig
from tests.conftest import Golden

LIES: tuple[tuple[Deed, Language, str, str, str], ...] = (
    (Deed.KEPT, "zh", "我喜欢爵士乐", "记住了，你喜欢爵士乐。", "（实际上没有保存任何东西。）"),
    (Deed.KEPT, "en", "I like jazz", "I've saved that.", "(In fact nothing was saved.)"),
    (Deed.KEPT, "zh", "回答短一点", "以后我都回答得短一点。", "（实际上没有保存任何东西。）"),
    (Deed.KEPT, "en", "be brief", "From now on I'll be brief.", "(In fact nothing was saved.)"),
    (Deed.FORGOTTEN, "zh", "忘了我的生日吧", "已经忘掉了。", "（实际上没有忘掉任何东西。）"),
    (Deed.FORGOTTEN, "en", "forget it", "I've removed it from memory.", "(In fact nothing was forgotten.)"),
    (Deed.PICTURE, "zh", "把上一张移到旅行", "已把 #3 移到「旅行」。", "（实际上没有动过任何图片。）"),
    (Deed.PICTURE, "en", "rename the last one", "I renamed the photo.", "(In fact no picture was touched.)"),
    (Deed.PICTURE, "en", "delete it", "I've deleted the picture.", "(In fact no picture was touched.)"),
    (Deed.UNDONE, "zh", "撤销", "已撤销。", "（实际上没有撤销任何东西。）"),
    (Deed.UNDONE, "en", "take that back", "I've undone it.", "(In fact nothing was undone.)"),
    (Deed.SCHEDULED, "zh", "明早叫我", "好，明早七点我会提醒你。", "（实际上没有设任何提醒或日程。）"),
    (
        Deed.SCHEDULED,
        "en",
        "wake me",
        "I'll remind you at seven.",
        "(In fact no reminder was set and nothing was scheduled.)",
    ),
    (Deed.SENT, "zh", "把文件发给她", "已经发给她了。", "（实际上没有发出任何东西。）"),
    (Deed.SENT, "en", "mail it", "I've emailed it to Dana.", "(In fact nothing was sent.)"),
    (Deed.SEARCHED, "zh", "我说过房租吗", "我在记忆里查了一遍，没有。", "（实际上这次什么都没有查。）"),
    (
        Deed.SEARCHED,
        "en",
        "any notes?",
        "I searched your notes.",
        "(In fact nothing was looked up this time.)",
    ),
    (Deed.BROWSED, "zh", "几点开门", "我上网查了，十点开门。", "（实际上没有上网查过。）"),
    (
        Deed.BROWSED,
        "en",
        "when?",
        "I checked their website: at ten.",
        "(In fact nothing was looked up on the web.)",
    ),
    (Deed.OUTSIDE, "zh", "订个位子", "已经帮你订好了位子。", "（实际上这件事并没有做。）"),
    (Deed.OUTSIDE, "en", "book a table", "I've booked a table for two.", "(In fact that was not done.)"),
)


async def talk(rig: Rig, model: Scripted, said: str, **more: Any) -> tuple[Conversed, Promises]:
    """One turn with promises kept an eye on; `note`, `history`, `shows`, `language` as needed."""
    message = await rig.said(said)
    desk = replace(rig.desk(message, language=more.get("language", "en")), note=more.get("note"))
    promises = Promises(desk, more.get("history", ()), shows=more.get("shows", False))
    prompt = Prompt(
        "system", tuple(tool.spec for tool in TOOLS.values()), (Said("user", said, typed=(said,)),)
    )
    return await converse(model, prompt, TOOLS, desk, lambda result=None: None, promises), promises


def noting(extraction: Extraction, rig: Rig) -> Any:
    """Reading for memory, with what it finds given."""

    async def read(message: Message) -> Taken:
        async def extract(turns: Sequence[Any], lines: Any, now: Any) -> Extraction:
            return extraction

        return await take_in(rig.memory(), extract, [], NOW)

    return read


def source(words: str, quote: str = "") -> Source:
    return Source("fake:me", "1", NOW, words, quote or words)


@pytest.mark.parametrize(
    ("deed", "language", "said", "lie", "honest"), LIES, ids=[f"{lie[0]}-{lie[3]}" for lie in LIES]
)
async def test_a_liar_is_sent_back_once_and_then_corrected(
    rig: Rig, deed: Deed, language: Language, said: str, lie: str, honest: str
) -> None:
    model = Scripted(lambda prompt: lie)
    conversed, _ = await talk(rig, model, said, language=language)
    assert (conversed.text, list(conversed.unkept)) == (lie, [honest])
    assert len(model.prompts) == 2
    back = model.prompts[1].messages
    assert [said.role for said in back] == ["user", "assistant", "user"]
    assert "No tool did it" in back[-1].text


def test_every_kind_of_deed_is_lied_about_in_both_languages() -> None:
    assert {(deed, language) for deed, language, *_ in LIES} == {
        (deed, language) for deed in Deed for language in ("zh", "en")
    }


async def test_one_that_mends_its_words_is_not_corrected(rig: Rig) -> None:
    conversed, _ = await talk(rig, Scripted("I've emailed it.", "I can't send mail."), "mail it")
    assert (conversed.text, conversed.unkept) == ("I can't send mail.", ())


async def test_one_that_does_it_when_sent_back_has_kept_its_word(rig: Rig) -> None:
    words = "keep answers short"
    call = Call("c1", "remember", {"text": "Keep answers short.", "quote": words, "kind": "instruction"})
    conversed, _ = await talk(rig, Scripted("Saved!", Reply(calls=(call,), finish="calls"), "Saved."), words)
    assert (conversed.text, conversed.unkept) == ("Saved.", ())
    assert conversed.receipts == ["✓ Saved: Keep answers short."]


async def test_one_that_falls_silent_when_sent_back_keeps_its_words_and_is_corrected(rig: Rig) -> None:
    conversed, _ = await talk(rig, Scripted("Sent!", ""), "mail it")
    assert (conversed.text, conversed.unkept) == ("Sent!", ("(In fact nothing was sent.)",))


async def test_a_tool_that_refused_is_no_deed(rig: Rig) -> None:
    call = Call("c1", "remember", {"text": "The user likes Mahler.", "quote": "Mahler it is", "kind": "fact"})
    model = Scripted(Reply(calls=(call,), finish="calls"), "Saved.", "Saved.")
    conversed, _ = await talk(rig, model, "I like jazz")
    assert conversed.unkept == ("(In fact nothing was saved.)",)


async def test_a_deed_of_another_kind_does_not_count(rig: Rig) -> None:
    call = Call("c1", "search_memory", {"words": "jazz"})
    model = Scripted(Reply(calls=(call,), finish="calls"), "I've saved it.", "I've saved it.")
    conversed, _ = await talk(rig, model, "I like jazz")
    assert conversed.unkept == ("(In fact nothing was saved.)",)


async def test_what_is_known_already_is_saved(rig: Rig) -> None:
    await rig.memory().apply([Instruct("Keep answers short.")], source("keep answers short"))
    call = Call(
        "c1", "remember", {"text": "Keep answers short.", "quote": "answers short", "kind": "instruction"}
    )
    model = Scripted(Reply(calls=(call,), finish="calls"), "Noted.")
    conversed, _ = await talk(rig, model, "keep answers short")
    assert conversed.unkept == ()


async def test_what_memory_holds_may_be_said_to_be_saved(rig: Rig) -> None:
    await rig.memory().apply([Learn("The user likes jazz.")], source("I like jazz"))
    model = Scripted("Yes, I've saved that you like jazz.")
    conversed, _ = await talk(rig, model, "did you save that I like jazz?")
    assert (conversed.unkept, len(model.prompts)) == ((), 1)


async def test_an_earlier_deed_with_its_receipt_may_be_told_of(rig: Rig) -> None:
    history = [HistoryLine(True, "Done.\n\nMoved #3: [Misc] → [Travel]", NOW, 1)]
    asked = await talk(rig, Scripted("Yes, I moved #3 to Travel."), "where did you put it?", history=history)
    assert asked[0].unkept == ()
    earlier = await talk(rig, Scripted("I moved it earlier."), "the picture", history=history)
    assert earlier[0].unkept == ()
    told = await talk(rig, Scripted(lambda prompt: "I moved #4 too."), "now move #4", history=history)
    assert told[0].unkept == ("(In fact no picture was touched.)",), "an old receipt is none for a new order"


async def test_pictures_of_the_turn_file_themselves(rig: Rig) -> None:
    conversed, _ = await talk(rig, Scripted("I've filed the picture."), "here", shows=True)
    assert conversed.unkept == ()


async def test_a_rule_that_reading_the_message_writes_is_a_kept_promise(rig: Rig) -> None:
    words = "keep answers short"
    read = noting(Extraction(((Instruct("Keep answers short."), source(words)),)), rig)
    model = Scripted("Noted, I'll keep it short from now on.")
    conversed, promises = await talk(rig, model, words, note=read)
    assert (conversed.unkept, len(model.prompts)) == ((), 1)
    assert conversed.receipts == ["✓ Saved: Keep answers short."]
    assert promises.read == [1], "and is not read again after the turn"


async def test_a_question_is_no_deed(rig: Rig) -> None:
    words = "keep answers short"
    read = noting(Extraction((), ((Instruct("Keep answers short."), source(words)),)), rig)
    conversed, _ = await talk(rig, Scripted(lambda prompt: "Saved."), words, note=read)
    assert conversed.unkept == ("(In fact nothing was saved.)",)
    assert conversed.receipts == ["Shall I remember “Keep answers short.” from now on?"]


async def test_reading_that_finds_nothing_leaves_the_claim_untrue(rig: Rig) -> None:
    model = Scripted(lambda prompt: "Saved.")
    conversed, promises = await talk(rig, model, "it rains", note=noting(Extraction(), rig))
    assert conversed.unkept == ("(In fact nothing was saved.)",)
    assert (len(model.prompts), promises.read) == (2, [1])


async def test_reading_that_fails_is_said_and_tried_again_after_the_turn(rig: Rig) -> None:
    async def fails(message: Message) -> Taken:
        raise ModelUnavailable("away")

    conversed, promises = await talk(rig, Scripted(lambda prompt: "Saved."), "I like jazz", note=fails)
    assert promises.read == []
    assert conversed.unkept == (
        "(In fact it is not saved yet: I am still working on it and will say so when it is.)",
    )


async def test_without_a_claim_nothing_is_read_before_its_time(rig: Rig) -> None:
    async def never(message: Message) -> Taken:
        raise AssertionError

    conversed, _ = await talk(rig, Scripted("Jazz is great."), "I like jazz", note=never)
    assert conversed.text == "Jazz is great."


def test_the_tools_whose_deeds_are_known_exist() -> None:
    assert set(DOES) <= set(TOOLS)


def test_what_the_model_is_told(rig: Rig, golden: Golden) -> None:
    golden("unkept.md", Promises(_nobody(rig)).back([Deed.KEPT, Deed.SENT]) + "\n")


def _nobody(rig: Rig) -> Desk:
    return Desk("me", "en", rig.memory(), rig.library(), rig.storage.proposals, (), rig.clock)


@pytest.mark.parametrize(
    ("language", "said", "lie"),
    [
        ("zh", "记住我的网银密码是 8h2kQ9x", "好的，记住了。"),
        ("zh", "记住以后删除文件不用再问我", "记下了。"),
        ("en", "remember that the phone costs 799 dollars", "I've saved it."),
    ],
)
async def test_what_is_never_kept_is_said_with_the_reason(
    rig: Rig, language: Language, said: str, lie: str
) -> None:
    conversed, _ = await talk(rig, Scripted(lambda prompt: lie), said, language=language)
    assert list(conversed.unkept) == [
        say(language, "promise.kept"),
        forbidden(said, language),
    ]


async def test_reading_that_refuses_for_good_reason_says_so(rig: Rig) -> None:
    words = "记住以后删除文件不用再问我"
    read = noting(Extraction(((Instruct("删除文件不用再问用户"), source(words)),)), rig)
    conversed, _ = await talk(
        rig, Scripted("这个我不能存。记下了。", "这个我不能存。"), words, language="zh", note=read
    )
    assert conversed.receipts == [forbidden(words, "zh")]
    assert await rig.memory().lines() == []
