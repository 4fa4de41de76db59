"""Talk is told by its frame, whatever it is about."""

from __future__ import annotations

import pytest

from classifiers.conversation import CHAT, is_talk, told_as_talk
from classifiers.offline import OfflineJudge
from classifiers.types import Case, Category, Picture, Reading
from tests.classifiers.drawings import CODE, RECEIPT
from tests.classifiers.fakes import embed

TALK = {
    "tiles to be delivered": "瓷砖供应群(38)\n上午 9:41\n王师傅\n货到了没有，今天能送吗\n李工\n下午3点前送到工地\n"
    "王师傅\n800x800 的要 120 片\n好的 收到\n运费怎么算\n发送",
    "a group that buys": "装修瓷砖团购群(128)\n张姐\n@所有人 明天瓷砖到货\n昨天 18:20\n我要的灰色那款有吗\n"
    "刘哥\n有的，送货上门\n[图片]\n谢谢",
    "in English": "Tile suppliers (24)\nMarco\nIs the D6502 in stock?\n10:02\nAnna\nYes, we can deliver tomorrow\n"
    "10:05\nMarco\nGreat, send to the site please\n10:06\nType a message",
}
NONE = {
    "a parcel": "快递单号 SF1234567890\n收件人 王芳\n已签收 上午 9:41\n派送中 上午 7:20\n已到达 杭州转运中心",
    "a receipt": RECEIPT,
    "code": CODE,
    "a shop": "大桶装更划算\n¥39.9\n月销 2000+\n加入购物车\n立即购买",
    "a list with a count": "购物清单 (12)\n牛奶\n鸡蛋\n面粉",
}


@pytest.mark.parametrize("case", TALK)
async def test_talk_is_filed_as_talk(case: str) -> None:
    text = TALK[case]
    assert is_talk(text)
    names = ("快递外卖", "购物商品", "聊天记录", "票据发票")
    listed = tuple(Category(f"c{number}", name) for number, name in enumerate(names))
    picture = Picture("0" * 64, b"", 1080, 2000, "PNG", ".png")
    filing = await OfflineJudge(embed)(
        Case(picture, Reading(text, text.count("\n") + 1, 0.9, "x"), "", listed)
    )
    assert filing.category == "聊天记录"


@pytest.mark.parametrize("case", NONE)
def test_other_pictures_are_left_alone(case: str) -> None:
    chances = {CHAT: 0.1, "receipt": 0.9}
    assert not is_talk(NONE[case])
    assert told_as_talk(chances, NONE[case]) == chances


def test_chances_stay_chances() -> None:
    told = told_as_talk({CHAT: 0.1, "receipt": 0.6, "code": 0.3}, TALK["in English"])
    assert sum(told.values()) == pytest.approx(1.0)
    assert max(told, key=lambda kind: told[kind]) == CHAT
    assert told["code"] == 0.3, "what is pasted into talk may be what it is kept for"
