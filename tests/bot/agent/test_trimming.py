"""What goes when a conversation is too long for a model, and what never goes."""

from __future__ import annotations

from bot.agent.trimming import BLOCK, fitting, shorter
from bot.models.model import Prompt, Said
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
