"""Figures as people read them."""

from __future__ import annotations

from typing import get_args

import pytest

from gotgan.day.texts import (
    ENGLISH,
    change_text,
    duration_text,
    offer_text,
    percent_text,
    units_text,
)
from gotgan.domains.shops.models import ChangeKind, Offer
from tests.unit.day.made import OLD, a_change


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (12.4, "12 s"),
        (99.4, "99 s"),
        (180, "3 min"),
        (3_599, "1 h 00 min"),
        (3_900, "1 h 05 min"),
    ],
)
def test_a_length_of_time_is_told_as_people_say_it(seconds: float, told: str) -> None:
    assert duration_text(seconds) == told


def test_units_are_told_where_there_are_some() -> None:
    assert units_text(1_720, 98.5) == "1,720 read, 98.5 write units"
    assert (units_text(0, 3), units_text(0, 0)) == ("3 write units", "–")


def test_a_move_has_a_sign() -> None:
    assert (percent_text(1.254), percent_text(-0.5), percent_text(0)) == (
        "+1.25 %",
        "-0.50 %",
        "+0.00 %",
    )


@pytest.mark.parametrize(
    ("offer", "told"),
    [
        (None, "–"),
        (OLD, "100.00 EUR"),
        (Offer(status="SOLD", price=10_000, currency="EUR"), "100.00 EUR sold"),
        (Offer(status="REMOVED"), "removed"),
        (Offer(status="AVAILABLE"), "available"),
        (Offer(price=5_000, currency="KRW"), "5,000 KRW"),
        (Offer(), "–"),
    ],
)
def test_an_offer_is_its_price_and_what_else_is_to_know(offer: Offer | None, told: str) -> None:
    assert offer_text(offer) == told


def test_a_change_is_what_was_and_what_is() -> None:
    assert change_text(a_change()) == "100.00 EUR → 90.00 EUR"
    assert change_text(a_change(before=None)) == "90.00 EUR"


def test_kinds_of_changes_have_words() -> None:
    assert {*get_args(ChangeKind)} <= ENGLISH.keys()
    assert [ENGLISH[kind] for kind in ("price_down", "other", "new")] == [
        "price down",
        "changed",
        "new",
    ]
