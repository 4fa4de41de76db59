"""What somebody does, told beside a request without a sentence of its own, is learned as a plain statement."""

from __future__ import annotations

import pytest

from memory.changes import Origin
from memory.offline import Offline
from memory.offline.practised import practised
from tests.memory.offline.test_offline import Talk, embed, needs_vectors


@needs_vectors
@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("22 yrs fitting carpets will do that", "The user has been fitting carpets for 22 years"),
        ("after 20 yrs as a hairdresser my wrists hurt, which brace is good",
         "The user has been a hairdresser for 20 years"),
        ("being a mum of twins im always tired lol, quick dinner ideas?", "The user is a mum of twins"),
        ("cant do dairy so whats a good swap for cream", "The user can't do dairy"),
        ("my dog barney hates fireworks, how do i calm him", "The user's dog barney hates fireworks"),
        ("just moved to lyon w my gf, any good bakeries", "The user just moved to lyon with the user's girlfriend"),
        ("在读研二 导师天天催 怎么排个计划", "用户在读研二"),
        ("我高血压还能喝咖啡不", "用户有高血压"),
        ("干了二十年瓦工 腰是废了 有啥膏药好用", "用户干了二十年瓦工"),
        ("在工地干了十来年 手都裂了 擦啥好", "用户在工地干了十来年"),
        ("跑了八年长途 颈椎不行了 枕头推荐一个", "用户跑了八年长途"),
        ("我一个开出租的 天天坐着 腰疼咋整", "用户是开出租的"),
        ("我乳糖不耐 拿铁换啥奶好", "用户乳糖不耐"),
    ],
)  # fmt: skip
async def test_it_is_learned_as_a_statement(said: str, fact: str) -> None:
    talk = Talk(Offline(embed))
    await talk.say(said)
    [(page, line)] = await talk.memory.lines()
    assert page.startswith("topics/")
    assert (line.text, line.origin) == (fact, Origin.LEARNED)


@pytest.mark.parametrize(
    "said",
    [
        "20 mins in the oven and it's still raw",
        "3 years waiting for this season",
        "my back hurts today",
        "studying is hard",
        "10 years in prison for that?",
        "I'd say a nurse would know",
    ],
)
def test_other_stretches_of_time_tell_nothing_of_anybody(said: str) -> None:
    assert practised(said, "en") == ""


@pytest.mark.parametrize(
    "said", ["等了三年终于出续集了", "昨天跑了八公里", "做了三年了吗", "做了两年的梦", "当了十年老同学"]
)
def test_other_stretches_of_time_tell_nothing_in_chinese(said: str) -> None:
    assert practised(said, "zh") == ""
