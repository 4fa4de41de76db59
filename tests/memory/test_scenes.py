"""A scene that is played: what opens one, what only sounds like one, and when it is over."""

from __future__ import annotations

import pytest

from memory.scenes import opens_a_scene, plays_a_role


@pytest.mark.parametrize(
    "text",
    [
        "you be the ferryman, I'm the drowned sailor",
        "let's play hospital",
        "can we rehearse the talk with my tutor",
        "quick mock interview, please",
        "spy game: you're the handler",
        "be my sparring partner, I'll do the objections",
        "你演卖瓜的，我来还价",
        "陪我练一下怎么跟导师开口",
        "来一局狼人杀",
        "假装你是我邻居",
        "写个剧本，戏里我是捕快",
    ],
)
def test_a_scene_is_opened(text: str) -> None:
    assert opens_a_scene(text)


@pytest.mark.parametrize(
    "text",
    [
        "we've been rehearsing since noon and I'm done in",
        "let's play it safe and book early",
        "I'm a stage manager",
        "you're late with the summary",
        "以后跑团的照片都放「桌游」",
        "我在剧院上班",
        "我儿子爱玩游戏机",
        "把角色名改短一点",
    ],
)
def test_what_only_sounds_like_one_opens_none(text: str) -> None:
    assert not opens_a_scene(text)


def test_a_scene_lasts_until_it_is_closed() -> None:
    assert plays_a_role(["let's rehearse my interview", "I have ten years in sales"])
    assert plays_a_role(["你当掌柜，我是住店的", "我姓马", "从不吃荤"])
    assert not plays_a_role(["let's rehearse my interview", "ok out of character", "I sell tea"])
    assert not plays_a_role(["你当掌柜，我是住店的", "说正经的，以后回我短一点"])
    assert not plays_a_role(["I sell tea"])
