"""A yes to what the assistant offered for good is a rule in the offer's own plain words."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from tests.memory.offline.test_offline import Talk, embed, needs_vectors

pytestmark = needs_vectors


@pytest.mark.parametrize(
    ("shown", "said", "rule"),
    [
        (
            "About 19 km. Should I always give distances in kilometres for you?",
            "yes pls do that always",
            "Always give distances in kilometres",
        ),
        (
            "Sorry. Want me to use bullet points instead of tables from now on?",
            "yep go for it",
            "Use bullet points instead of tables",
        ),
        (
            "Done. I could remind you two days before each due date in future. Would you like that?",
            "oh that would be great, always do that",
            "Remind the user two days before each due date",
        ),
        ("Here you go. Shall I write the summary of your mails first?", "omg yes every time pls",
         "Write the summary of the user's mails first"),
        ("12C. Should I always give both C and F?", "yh both always", "Always give both C and F"),
        ("看完了，有三处风险。以后发来的合同，要不要我都先列风险点？", "要的要的 每次都这样",
         "发来的合同，都先列风险点"),
        ("推荐番茄牛腩。另外，以后推荐菜的时候要我顺便写上热量吗？", "好啊好啊 以后都写上",
         "推荐菜的时候顺便写上热量"),
        ("总结好了。以后会议纪要我都按议题分段，可以吗？", "可以 以后都按这个来", "会议纪要都按议题分段"),
        ("3 英尺约 0.91 米。要不以后英制单位我都直接换算成公制？", "行 就这么办",
         "英制单位都直接换算成公制"),
    ],
)  # fmt: skip
async def test_a_yes_is_a_rule_in_the_words_of_the_offer(shown: str, said: str, rule: str) -> None:
    talk = Talk(Offline(embed))
    [(_, source)] = (await talk.extract("hm", shown, said)).changes
    assert source.quote == said
    assert source.context in shown
    await talk.say("hm", shown, said)
    [(page, line)] = await talk.memory.lines()
    assert (page, line.text) == ("CORE.md", rule)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("Here you go. Want me to convert cups to grams?", "yes please"),
        ("Here you go. Want me to always convert cups to grams?", "no thanks"),
        ("Here you go. Want me to always convert cups to grams?", "yes but just this time"),
        ("Here you go. Want me to always convert cups to grams?", "maybe later"),
        ("晴。要不以后天气我都附上穿衣建议？", "不用了"),
        ("晴。要不以后天气我都附上穿衣建议？", "可以，不过这次先别"),
        ("尿酸在范围内。另外您以后每天应喝两升水，我会记住。", "哦 看懂了 谢啦"),
    ],
)
async def test_a_no_and_a_yes_for_once_are_none(shown: str, said: str) -> None:
    assert await Talk(Offline(embed)).say("hm", shown, said) == []
