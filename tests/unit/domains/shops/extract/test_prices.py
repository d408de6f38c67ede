from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.shops.currency import home_currency, parse_currency
from gotgan.domains.shops.extract.prices import (
    Money,
    declared_amount,
    first_money,
    iter_money,
    minor_units,
)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("€ 1.299,00", "1299", "EUR"),
        ("CHF 1'200.–", "1200", "CHF"),
        ("1 299 kr", "1299", "SEK"),
        ("1\u202f299,50 €", "1299.50", "EUR"),
        ("1.250 €", "1250", "EUR"),
        ("₩12,000", "12000", "KRW"),
        ("12,000원", "12000", "KRW"),
        ("가격 12,000원입니다", "12000", "KRW"),
        ("US $18.00", "18", "USD"),
        ("$1,772.50", "1772.50", "USD"),
        ("A$29.95", "29.95", "AUD"),
        ("NT$ 1,250", "1250", "TWD"),
        ("Rs. 1,25,000", "125000", "INR"),
        ("GBP\u00a012,99", "12.99", "GBP"),
        ("€ 20,-", "20", "EUR"),
        ("1.299,- EUR", "1299", "EUR"),
        ("R$ 1.299,90", "1299.90", "BRL"),
        ("99,99 zł", "99.99", "PLN"),
        ("€10-€20", "10", "EUR"),
        ("10,00 – 20,00 €", "10", "EUR"),
        ("10 – 20 €", "10", "EUR"),
        ("10,00 € – 20,00 €", "10", "EUR"),
        ("Model 12 - 599 €", "599", "EUR"),
        ("Size 12 €20", "20", "EUR"),
        ("ab 12 €", "12", "EUR"),
        ("12,00 € inkl. MwSt.", "12", "EUR"),
        ("1.234,56 €", "1234.56", "EUR"),
        ("CHF 1'234.50", "1234.50", "CHF"),
        ("CHF 1\u2019234.50", "1234.50", "CHF"),
        ("£12", "12", "GBP"),
        ("US$ 9.99", "9.99", "USD"),
        ("EUR 12,-", "12", "EUR"),
        ("12,–€", "12", "EUR"),
        ("12,-- €", "12", "EUR"),
        ("12 eur", "12", "EUR"),
        ("12€50", "12.50", "EUR"),
        ("1만 2천원", "12000", "KRW"),
        ("12만 5,000원", "125000", "KRW"),
        ("3.5만원", "35000", "KRW"),
        ("5천원", "5000", "KRW"),
        ("2万円", "20000", "JPY"),
    ],
)
def test_prices_are_read_as_people_write_them(text: str, amount: str, currency: str) -> None:
    money = first_money(text)
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    "text",
    [
        *("SOLD", "€", "Size 12", "6 ft", "ALL 12 COLOURS", "12G-P4-3992-KR", "€ 0,00", "2020"),
        *(
            "-12 €",
            "(\u221212 €)",
            "-€12",
            "AMD 9800X3D",
            "USD 98X3D",
            "$5k",
            "R 12",
            "12 размеров",
        ),
    ],
)
def test_what_lacks_an_amount_or_a_currency_is_no_price(text: str) -> None:
    assert first_money(text) is None


def test_every_price_of_a_text_is_found_where_it_stands() -> None:
    text = "was €20, now €15.50!"
    found = [(each.amount, text[each.begin : each.end]) for each in iter_money(text)]
    assert found == [(Decimal(20), "€20"), (Decimal("15.50"), "€15.50")]


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("1299.00", "1299"),
        ("1299.0000", "1299"),
        (12.5, "12.5"),
        (12, "12"),
        ("1.299,00", "1299"),
        ("1,299.00", "1299"),
        ("1.250", "1250"),
        ("12,50", "12.50"),
        ("€ 12,50", "12.50"),
        ("0.999", "0.999"),
    ],
)
def test_declared_amounts_are_read_in_the_way_of_the_standard_and_in_that_of_people(
    value: Any, amount: str
) -> None:
    assert declared_amount(value) == Decimal(amount)


@pytest.mark.parametrize(
    "value", ["0", 0, "0.00", "", "on request", None, True, "NaN", float("inf"), 1e20, -3, "-3"]
)
def test_nothing_is_no_price(value: Any) -> None:
    assert declared_amount(value) is None


def test_a_sign_belongs_to_one_number_only() -> None:
    assert [each.amount for each in iter_money("12 € 50 cm")] == [Decimal(12)]


def test_minor_units_are_those_of_the_currency() -> None:
    assert minor_units(Decimal("12.50"), "EUR") == 1250
    assert minor_units(Decimal(12000), "KRW") == 12000
    assert minor_units(Decimal("1.250"), "KWD") == 1250
    assert minor_units(Decimal("12.50"), None) == 1250


def test_a_sign_of_several_currencies_means_the_one_at_home() -> None:
    assert parse_currency("$") == "USD"
    assert parse_currency("$", "TWD") == "TWD"
    assert parse_currency("$", "EUR") == "USD"
    assert parse_currency("kr.", "DKK") == "DKK"


def test_a_word_that_could_be_a_currency_is_one_where_it_is_at_home() -> None:
    forints = first_money("1299 Ft", "HUF")
    assert forints is not None
    assert forints.currency == "HUF"
    assert first_money("1299 Ft", "USD") is None
    assert first_money("R 1,299", "ZAR") == Money(Decimal(1299), "ZAR", 0, 7)
    assert first_money("1 299 \u0440.", "RUB") == Money(Decimal(1299), "RUB", 0, 8)


def test_the_home_of_a_site_is_told_by_its_domain_or_its_language() -> None:
    assert home_currency("https://antik.example.co.uk/", "de-CH") == "GBP"
    assert home_currency("https://antik.example.com/", "de-CH") == "CHF"
    assert home_currency("https://antik.example.com/", "de") is None
    assert home_currency("https://[broken/", None) is None


@given(st.text(alphabet="0123456789.,'\u2019 €$krEURCHF–-만천원", max_size=40))
def test_no_text_makes_the_reader_of_prices_fail(text: str) -> None:
    declared_amount(text)
    for money in iter_money(text):
        assert money.amount > 0
        assert money.currency
