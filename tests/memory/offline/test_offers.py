"""A yes to “shall I remember that …?” is what was offered, in the person's words; all else takes up nothing."""

from __future__ import annotations

import pytest

from memory.offline import Offline
from memory.offline.offers import in_their_words, taken_up
from tests.memory.offline.test_offline import Talk, embed, needs_vectors


@pytest.mark.parametrize(
    ("shown", "said", "told"),
    [
        (
            "Lovely. Should I remember that Odile is your godmother?",
            "ah you may as well",
            "Odile is my godmother",
        ),
        ("Want me to note that you're on nights until May?", "yes please", "I'm on nights until May"),
        ("12 ways to fold it. Can I save the scar on your left hand?", "aye", "the scar on my left hand"),
        ("好。要不要我记住：给物业的信都抄送你表姐？", "嗯 记吧", "给物业的信都抄送我表姐"),
        ("要我把“你右耳听不清”记下来吗？", "行", "我右耳听不清"),
        ("需要我记一下您对青霉素过敏吗？", "好的好的", "我对青霉素过敏"),
    ],
)
def test_a_yes_takes_it_up(shown: str, said: str, told: str) -> None:
    assert taken_up(said, shown) == told


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("Should I remember that your niece is nine?", "ten"),
        ("Should I remember that your niece is nine?", "no thanks"),
        ("Should I remember that your niece is nine?", "yes but only for today"),
        ("Should I remember that?", "sure"),
        ("I have noted that your niece is nine.", "great"),
        ("Shall I book the ten o'clock?", "yes please"),
        ("我把你的生日记下来了。", "好的"),
        ("要不要我记住你属马？", "不用"),
        ("要我帮你订位吗？", "好"),
    ],
)
def test_nothing_is_taken_up(shown: str, said: str) -> None:
    assert taken_up(said, shown) is None


def test_who_is_meant_turns_round() -> None:
    told = in_their_words("you were born in Rome, your gran raised you and taught you to swim")
    assert told == "I was born in Rome, my gran raised me and taught me to swim"


@needs_vectors
async def test_it_is_kept_as_asked_for_once() -> None:
    talk = Talk(Offline(embed))
    await talk.say("no jumping jacks please, I've a torn ligament in my right ankle")
    await talk.say(
        "ok that went well", "Do you want me to remember the torn ligament in your right ankle?", "go on then"
    )
    [(_, line)] = await talk.memory.lines()
    assert "torn ligament" in line.text
    assert line.origin.value == "explicit"


@needs_vectors
async def test_a_rule_that_was_offered_is_a_rule() -> None:
    talk = Talk(Offline(embed))
    await talk.say("抄送了", "要不要我记住：以后给物业的信都抄送表姐？", "嗯 记吧 省得我每次说")
    [(page, line)] = await talk.memory.lines()
    assert (page, line.text) == ("CORE.md", "给物业的信都抄送表姐")
