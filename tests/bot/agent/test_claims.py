"""Which sentences claim a deed of the assistant's, in two languages; false alarms are counted and printed."""

from __future__ import annotations

import pytest

from bot.agent.claims import claims
from bot.tools.deeds import Deed
from bot.wording import embedded
from tests.bot.agent.claim_bank import CLAIMED, UNCLAIMED
from tests.bot.agent.ordinary_answers import ORDINARY


@pytest.mark.parametrize(("deed", "sentence"), CLAIMED, ids=[sentence for _, sentence in CLAIMED])
def test_a_claim(deed: Deed, sentence: str) -> None:
    assert deed in {claim.deed for claim in claims(sentence)}


@pytest.mark.parametrize("sentence", UNCLAIMED)
def test_no_claim(sentence: str) -> None:
    assert claims(sentence) == []


def test_every_kind_of_deed_is_claimed_in_both_languages() -> None:
    for language in (True, False):
        kinds = {deed for deed, sentence in CLAIMED if sentence.isascii() is language}
        assert kinds == set(Deed)


def test_ordinary_answers_raise_no_alarm(capsys: pytest.CaptureFixture[str]) -> None:
    alarms = {answer: found for answer in ORDINARY if (found := [claim.words for claim in claims(answer)])}
    with capsys.disabled():
        print(f"\nclaims: {len(alarms)} false alarms in {len(ORDINARY)} ordinary answers")
    assert alarms == {}


def test_what_the_embedded_default_says_claims_nothing() -> None:
    """Its deeds speak through receipts, which stand apart."""
    sentences = [
        words for key, both in embedded.WORDS.items() if not key.startswith("moved") for words in both
    ]
    assert [(words, found) for words in sentences if (found := claims(words))] == []


def test_the_time_of_a_deed() -> None:
    [now], [then] = claims("I've saved it."), claims("I saved it last week.")
    assert (now.earlier, then.earlier) == (False, True)
    [now], [then] = claims("已经保存好了。"), claims("上次我已经保存好了。")
    assert (now.earlier, then.earlier) == (False, True)


def test_long_texts_are_read_in_no_time() -> None:
    assert claims("I have " * 4000 + "saved it") is not None
    assert claims("我已经把" * 4000) is not None
