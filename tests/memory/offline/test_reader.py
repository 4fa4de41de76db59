"""The reader: how what it says of each piece becomes parts, and what it makes of plain messages."""

from __future__ import annotations

import numpy as np
import pytest

from memory.offline.labels import LABELS
from memory.offline.pieces import Pieces
from memory.offline.reader import PLACES, WEIGHTS, _cuts, _meant, _reach, _run, laid_out, load_reader


def _of(*likely: int, classes: int = 3) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    rows = np.full((len(likely), classes), 0.05, np.float32)
    rows[range(len(likely)), likely] = 1 - 0.05 * (classes - 1)
    return rows


def _begins(*places: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    chances = np.full(count, 0.02, np.float32)
    chances[list(places)] = 0.95
    return chances


def test_a_part_begins_where_its_label_does() -> None:
    assert _cuts(_of(0, 0, 1, 1, 1), _begins(0, 2, count=5)) == [(0, 2), (2, 5)]


def test_two_parts_of_one_label_stay_two() -> None:
    assert _cuts(_of(0, 0, 0, 0), _begins(0, 2, count=4)) == [(0, 2), (2, 4)]


def test_a_piece_that_wavers_is_no_part_of_its_own() -> None:
    assert _cuts(_of(0, 0, 1, 0, 0), _begins(0, count=5)) == [(0, 5)]


def test_no_pieces_are_no_parts() -> None:
    assert _cuts(np.zeros((0, 3), np.float32), np.zeros(0, np.float32)) == []


def test_words_to_keep_reach_from_the_first_mark_to_the_last() -> None:
    places = [(0, 2), (2, 4), (4, 6), (6, 8)]
    assert _reach(places, np.asarray([0.1, 0.9, 0.2, 0.8], np.float32)) == (2, 8)
    assert _reach(places, np.zeros(4, np.float32)) is None


def test_a_name_is_the_weightiest_run() -> None:
    places = [(0, 2), (2, 4), (4, 6), (6, 8)]
    assert _run(places, np.asarray([0.6, 0.1, 0.9, 0.9], np.float32)) == (4, 8)
    assert _run(places, np.zeros(4, np.float32)) is None


def test_no_line_may_be_meant() -> None:
    asks = np.asarray([8.0, 0.0], np.float32)
    keys = [np.asarray(key, np.float32) for key in ([4.0, 0.0], [0.0, 4.0])]
    found = _meant(asks, 0.0, keys)
    assert found[0] > 0.9
    assert sum(_meant(asks, 9.0, keys)) < 0.05
    assert _meant(asks, 0.0, []) == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "把这份合同总结一下，以后合同都先列风险再说别的",
            [("task", "把这份合同总结一下，"), ("rule", "以后合同都先列风险再说别的")],
        ),
        (
            "petrol receipts go in Car costs from now on",
            [("filing", "petrol receipts go in Car costs from now on")],
        ),
    ],
)
def test_a_message_falls_into_its_parts(text: str, parts: list[tuple[str, str]]) -> None:
    found = load_reader()(text)
    assert [(part.label, text[part.start : part.end].strip()) for part in found] == parts


def test_it_sees_which_line_is_meant() -> None:
    lines = ["用户养了一只叫豆豆的乌龟", "用户每天早上喝一杯黑咖啡", "用户的鞋码是 41"]
    (part,) = load_reader()("喝咖啡的事你忘了吧，戒了", lines=lines)[:1]
    assert part.label == "forget"
    assert int(np.argmax(part.lines)) == 1


def test_no_more_is_laid_out_than_the_encoder_takes() -> None:
    text = "The quick brown fox jumps over the lazy dog. " * 60
    reading = laid_out(Pieces(), text, text, text, [text] * 20)
    assert len(reading.ids) == len(reading.kinds) <= PLACES
    assert all(a < b for a, b in (*reading.lines, reading.message))
    assert load_reader()(text, heard=text, earlier=text, lines=[text] * 20)


@pytest.mark.parametrize("last", ["From now on always answer in French.", "以后回答都用法语。"])
def test_what_stands_last_in_a_long_message_is_read(last: str) -> None:
    before = "It rained all day. The bus was late again! I read the paper twice. " * 40
    text = before + last
    found = load_reader()(text)
    assert [part.start for part in found[1:]] == [part.end for part in found[:-1]]
    assert found[-1].end == len(text)
    assert last in text[found[-1].start :]


@pytest.mark.parametrize("text", ["", "   ", "\n", "😂", "\ud83d", "\x00", "?"])
def test_odd_input_is_survived(text: str) -> None:
    assert all(part.label in LABELS for part in load_reader()(text))


def test_the_weights_know_the_labels_and_are_small() -> None:
    assert load_reader().labels == LABELS
    assert WEIGHTS.stat().st_size < 40_000_000
