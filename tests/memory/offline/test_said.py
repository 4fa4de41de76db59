"""A message in its sentences, and what surrounds each."""

from __future__ import annotations

from memory.offline.said import last_sentence, marks, said, units


def test_the_message_comes_first_then_its_sentences() -> None:
    whole, first, second = said("rent. our lease ends in May", "Do you own or rent?")
    assert (whole.text, whole.alone) == ("rent. our lease ends in May", True)
    assert (first.text, first.before, first.place, first.count) == ("rent.", "", 0, 2)
    assert (second.text, second.before, second.heard) == (
        "our lease ends in May",
        "rent.",
        "Do you own or rent?",
    )


def test_a_single_sentence_is_read_once() -> None:
    assert [one.text for one in said("我住在宁波")] == ["我住在宁波"]


def test_what_only_underlines_stays_with_its_sentence() -> None:
    assert [part.text for part in units("No exclamation marks. Ever. What is for lunch?")] == [
        "No exclamation marks. Ever.",
        "What is for lunch?",
    ]


def test_surroundings_tell_whether_something_was_asked() -> None:
    assert last_sentence("Fine. Which one?") == "Which one?"
    [answer] = said("the blue one", "Fine. Which one?")
    assert "asked=True" in marks(answer)
    [talk] = said("the blue one", "Fine.")
    assert "asked=False" in marks(talk)
