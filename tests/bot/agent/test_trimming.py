"""What goes when a conversation is too long for a model, and what never goes."""

from __future__ import annotations

import pytest

from bot.agent.trimming import BLOCK, LEAST, SHORTENED, fitting, less, lighter, shorter
from bot.models.model import Call, Prompt, Said
from bot.models.tokens import prompt_tokens


def talk(rounds: int, words: str = "x " * 200) -> Prompt:
    history = [Said(role, f"{i} {words}") for i in range(rounds) for role in ("user", "assistant")]
    return Prompt("system", (), (*history, Said("user", "now", typed=("now",))))


def test_what_fits_is_left_alone() -> None:
    prompt = talk(3)
    assert fitting(prompt, 32_000) is prompt


def test_the_oldest_goes_first_and_a_quarter_stays_free() -> None:
    prompt = fitting(talk(40), 4_000)
    assert prompt_tokens(prompt) <= 3_000
    assert prompt.messages[-1].text == "now"
    assert prompt.messages[-2].text.startswith("39 ")
    assert prompt.messages[0].role == "user"


def test_the_start_stays_put_for_a_while() -> None:
    """So that most requests repeat the one before: it moves by whole blocks."""
    starts = [fitting(talk(rounds), 4_000).messages[0].text[:3] for rounds in range(20, 20 + BLOCK)]
    assert len(set(starts)) <= 3


def test_the_message_itself_goes_out_however_long_it_is() -> None:
    prompt = Prompt(
        "system", (), (Said("user", "old"), Said("assistant", "older"), Said("user", "x " * 9_000))
    )
    assert [said.text[:3] for said in fitting(prompt, 1_000).messages] == ["x x"]


def test_half_of_the_history_then_none_then_no_more() -> None:
    prompt: Prompt | None = talk(4)
    lengths = []
    while prompt is not None:
        lengths.append(len(prompt.messages))
        assert prompt.messages[0].role == "user"
        prompt = shorter(prompt)
    assert lengths == [9, 5, 3, 1]


def summed(rounds: int) -> Prompt:
    """The same talk behind a summary."""
    prompt = talk(rounds)
    return Prompt("system", (), (Said("user", "summary"), *prompt.messages), pinned=1)


def test_the_summary_stays_while_talk_goes() -> None:
    fitted = fitting(summed(40), 4_000)
    assert [said.text[:7] for said in fitted.messages[:: len(fitted.messages) - 1]] == ["summary", "now"]
    assert 2 < len(fitted.messages) < 40


def test_the_summary_goes_last() -> None:
    prompt: Prompt | None = summed(1)
    seen = []
    while prompt is not None:
        seen.append([said.text[:7].strip() for said in prompt.messages])
        prompt = shorter(prompt)
    assert seen == [["summary", "0 x x x", "0 x x x", "now"], ["summary", "now"], ["now"]]


def test_a_cut_never_falls_between_a_call_and_its_result() -> None:  # A41
    turn = [
        Said("user", "q " * 300),
        Said("assistant", calls=(Call("1", "look", {}),)),
        Said("tool", "r " * 300, call_id="1"),
        Said("assistant", "a"),
    ]
    for rounds in range(1, 24):
        for window in (600, 1_200, 2_400):
            fitted = fitting(Prompt("", (), (*turn * rounds, Said("user", "now"))), window)
            assert fitted.messages[0].role == "user"
            roles = [said.role for said in fitted.messages]
            assert roles.count("tool") == sum(bool(said.calls) for said in fitted.messages)


def test_too_many_bytes_are_pictures_first() -> None:  # A47
    see = Said("user", "see", images=(b"1", b"2", b"3", b"4"))
    prompt: Prompt | None = Prompt("", (), (Said("user", "old"), Said("assistant", "older"), see))
    seen = []
    while prompt is not None:
        seen.append((len(prompt.messages), len(prompt.messages[-1].images)))
        prompt = less(prompt, "too_large")
    assert seen == [(3, 4), (3, 2), (3, 1), (1, 1)]


def test_too_many_tokens_are_talk_first() -> None:
    seen = less(Prompt("", (), (Said("user", "old"), Said("user", "see", images=(b"1", b"2")))), "too_long")
    assert seen is not None
    assert [(said.text, len(said.images)) for said in seen.messages] == [("see", 2)]


def test_what_a_filter_refuses_is_asked_without_what_was_said_before() -> None:
    seen, prompt = [], less(summed(3), "filtered")
    while prompt is not None:
        seen.append([said.text for said in prompt.messages])
        prompt = less(prompt, "filtered")
    assert seen == [["summary", "now"], ["now"]]


@pytest.mark.parametrize("why", ["wrong_key", "rejected", "quota"])
def test_other_refusals_are_no_matter_of_length(why: str) -> None:
    assert less(talk(3), why) is None


def test_results_of_tools_are_halved_until_all_are_short() -> None:
    messages: list[Said] | None = [
        Said("assistant", calls=(Call("1", "look", {}), Call("2", "look", {}))),
        Said("tool", "x" * 40_000, call_id="1"),
        Said("tool", "short", call_id="2"),
    ]
    rounds = 0
    while (shorn := lighter(messages or [])) is not None:
        messages, rounds = shorn, rounds + 1
    assert messages is not None
    assert [said.call_id for said in messages] == ["", "1", "2"]
    assert len(messages[1].text) <= LEAST
    assert messages[1].text.endswith(SHORTENED)
    assert messages[1].text.count(SHORTENED) == 1
    assert messages[2].text == "short"
    assert rounds < 8
