"""Cues in how a sentence is put."""

from __future__ import annotations

import pytest

from memory.offline.cues import (
    asks_habit,
    corrects,
    for_good,
    frames_an_order,
    mocks,
    of_the_task,
    passing,
    plays_with,
    reworks,
    settles,
    states,
)


def test_what_holds_for_good_says_so() -> None:
    assert for_good("以后都写英文")
    assert for_good("from now on use metric")
    assert not for_good("this time in metric")


def test_a_wish_after_an_order_on_something_at_hand_is_part_of_it() -> None:
    assert of_the_task("never over one page", "shorten this letter.")
    assert not of_the_task("from now on never over one page", "shorten this letter.")
    assert not of_the_task("never over one page", "")


@pytest.mark.parametrize("text", ["oh great, another essay", "行行行，你最棒了"])
def test_rolling_eyes(text: str) -> None:
    assert mocks(text)


def test_what_is_supposed_or_another_s_wish_is_no_fact() -> None:
    assert plays_with("要是搬去昆明，房租多少")
    assert plays_with("my niece wants you to know she can fly")
    assert not plays_with("我搬去昆明了")


def test_stating_correcting_and_passing() -> None:
    assert states("I'm a welder", "en")
    assert not states("I'm so tired", "en")
    assert corrects("她早就不是店长了")
    assert passing("我姨周末过来")
    assert reworks("ok, a bit shorter")
    assert not reworks("from now on, shorter")


@pytest.mark.parametrize(
    "text",
    [
        "In future would you kindly stop using emoji",
        "one thing for this and all site reports from now on: close with the weather",
        "for every invoice going forward, put the total first",
        "could you in future always round to the pound",
    ],
)
def test_a_wish_for_good_beyond_doubt(text: str) -> None:
    assert settles(text)


@pytest.mark.parametrize(
    "text",
    [
        "would you kindly stop",
        "for all guests: close the gate",
        "from now on I work in Bari",
        "以后咱家都用洗碗机了",
    ],
)
def test_a_wish_that_is_open_to_doubt(text: str) -> None:
    assert not settles(text)


def test_an_order_for_all_time() -> None:
    assert frames_an_order("from now on sign letters as Dr R. Diaz")
    assert frames_an_order("往后但凡写通知，落款都写教务处")
    assert not frames_an_order("From now on use the side door, says the notice")
    assert not frames_an_order("以后咱家都用洗碗机了")


def test_a_question_about_how_things_are_done() -> None:
    assert asks_habit("Do you always name them by date?")
    assert asks_habit("你一般按日期排吗")
    assert not asks_habit("do you mind always naming them by date?")
    assert not asks_habit("can you always name them by date?")


def test_a_sneer_is_not_meant() -> None:
    assert mocks("行，以后都给我写两千字，我可爱看了，呵呵")
    assert not mocks("以后都给我写两千字")
