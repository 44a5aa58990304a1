"""Several questions at once: the same answers in the same order as one after the other."""

import threading

import pytest

from analysis import abreast


def test_answers_stand_in_the_order_of_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abreast, "AT_ONCE", 2)
    first = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            assert first.wait(10), "the second question was not asked beside the first"
        first.set()
        return number * number

    assert abreast.each(work, range(5)) == [0, 1, 4, 9, 16]


def test_on_one_core_they_are_asked_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abreast, "AT_ONCE", 1)
    here = threading.get_ident()
    assert abreast.each(lambda _: threading.get_ident(), range(3)) == [here] * 3


def test_what_a_question_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abreast, "AT_ONCE", 2)
    with pytest.raises(ZeroDivisionError):
        abreast.each(lambda number: 1 // number, [1, 0, 2])
