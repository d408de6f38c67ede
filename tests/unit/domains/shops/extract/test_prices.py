from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.shops.currency import CODES, CURRENCY_SIGNS, Home, home_of, parse_currency
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
        ("1 299 kr", "1299", None),
        ("1\u202f299,50 €", "1299.50", "EUR"),
        ("1.250 €", "1250", "EUR"),
        ("₩12,000", "12000", "KRW"),
        ("12,000원", "12000", "KRW"),
        ("가격 12,000원입니다", "12000", "KRW"),
        ("US $18.00", "18", "USD"),
        ("$1,772.50", "1772.50", "USD"),
        ("A$29.95", "29.95", "AUD"),
        ("NT$ 1,250", "1250", "TWD"),
        ("Rs. 1,25,000", "125000", None),
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
def test_prices_are_read_as_people_write_them(text: str, amount: str, currency: str | None) -> None:
    money = first_money(text)
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("$12.50 CAD", "CAD"),
        ("$12.50 AUD each", "AUD"),
        ("CAD $12.50", "CAD"),
        ("AU $12.50", "AUD"),
        ("US $12.50", "USD"),
        ("12,50 $ CAD", "CAD"),
        ("12,50 kr SEK", "SEK"),
        ("£12.50 EGP", "EGP"),
        ("$12.50 EUR", "USD"),
        ("$12.50 FOR", "USD"),
    ],
)
def test_a_code_beside_a_shared_sign_decides(text: str, currency: str) -> None:
    money = first_money(text)
    assert money is not None
    assert (money.amount, money.currency) == (Decimal("12.50"), currency)


@pytest.mark.parametrize("text", ["1299.-", "1.299,–", "1 299,-", "1299:-", "1 299,--"])
def test_a_dash_for_the_decimals_is_a_mark_where_it_is_one(text: str) -> None:
    for code in ("CHF", "EUR", "NOK", "SEK"):
        money = first_money(text, Home(code))
        assert money is not None
        assert (money.amount, money.currency) == (Decimal(1299), code)
    assert first_money(text, Home("USD")) is None
    assert first_money(text) is None


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("KD 12.500", "12.5"),
        ("12.500 KWD", "12.5"),
        ("BHD 3.250", "3.25"),
        ("1,299 OMR", "1299"),
        ("1,299.500 KWD", "1299.5"),
        ("129,900 DT", "129.9"),
        ("25,000 IQD", "25000"),
    ],
)
def test_three_decimals_are_those_of_a_currency_that_has_them(text: str, amount: str) -> None:
    money = first_money(text, Home("TND" if "DT" in text else "KWD"))
    assert money is not None
    assert money.amount == Decimal(amount)


def test_three_declared_decimals_are_those_of_a_currency_that_has_them() -> None:
    assert declared_amount("12.500", "KWD") == Decimal("12.5")
    assert declared_amount("12.500", "EUR") == Decimal(12500)


@pytest.mark.parametrize(
    ("text", "amount"), [("Rs.1,299", "1299"), ("Fr.1'299.50", "1299.50"), ("$.99", "0.99")]
)
def test_a_point_may_be_between_a_mark_and_its_number(text: str, amount: str) -> None:
    money = first_money(text, Home("CHF"))
    assert money is not None
    assert money.amount == Decimal(amount)


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
            "$2 million",
            "€3 Mrd.",
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
    assert parse_currency("$", Home("TWD")) == "TWD"
    assert parse_currency("$", Home("EUR")) == "USD"
    assert parse_currency("kr.", Home("DKK")) == "DKK"


def test_a_word_that_could_be_a_currency_is_one_where_it_is_at_home() -> None:
    forints = first_money("1299 Ft", Home("HUF"))
    assert forints is not None
    assert forints.currency == "HUF"
    assert first_money("1299 Ft", Home("USD")) is None
    assert first_money("R 1,299", Home("ZAR")) == Money(Decimal(1299), "ZAR", 0, 7)
    assert first_money("1 299 \u0440.", Home("RUB")) == Money(Decimal(1299), "RUB", 0, 8)


@pytest.mark.parametrize(
    ("address", "language", "currency"),
    [
        ("https://antik.example.co.uk/", None, "GBP"),
        ("https://antik.example.co.uk/", "de-CH", "CHF"),
        ("https://antik.example.com/", "de-CH", "CHF"),
        ("https://antik.example.com/", "de", None),
        ("https://antik.example.ch/", "de", "CHF"),
        ("https://antik.example.com/", "ko", "KRW"),
        ("https://antik.example.com/", "sv", None),
        ("https://antik.example.com.au/", "en-US", "AUD"),
        ("https://antik.example.com.au/", "en", "AUD"),
        ("https://antik.example.com/", "en-US", "USD"),
        ("https://antik.example.io/", None, None),
        ("https://[broken/", None, None),
    ],
)
def test_the_currency_of_a_site_follows_its_language_then_its_domain(
    address: str, language: str | None, currency: str | None
) -> None:
    assert home_of(address, language).currency == currency


@pytest.mark.parametrize(
    ("text", "address", "language", "currency"),
    [
        ("1 299 kr", "https://shop.test/", "da", "DKK"),
        ("1 299 kr", "https://shop.test/", "nb", "NOK"),
        ("1 299 kr", "https://shop.test/", "sv", "SEK"),
        ("1 299 kr", "https://shop.test/", "sv-SE", "SEK"),
        ("1 299 kr", "https://shop.no/", None, "NOK"),
        ("1 299 kr", "https://shop.test/", "en", None),
        ("$ 1.299", "https://shop.test/", "es", None),
        ("$ 1.299", "https://shop.test/", "es-MX", "MXN"),
        ("$ 1.299", "https://shop.cl/", "es", "CLP"),
        ("$ 12.99", "https://shop.test/", "fr", "CAD"),
        ("$ 12.99", "https://shop.test/", "en", "USD"),
        ("$ 12.99", "https://shop.com.au/", "en", "AUD"),
        ("$ 12.99", "https://shop.test/", "de", "USD"),
        ("US$ 12.99", "https://shop.mx/", "es-MX", "USD"),
        ("¥1,200", "https://shop.test/", "ja", "JPY"),
        ("¥1,200", "https://shop.test/", "zh-CN", "CNY"),
        ("¥1,200", "https://shop.test/", None, None),
        ("£12", "https://shop.test/", None, "GBP"),
        ("£12", "https://shop.test/", "ar-EG", "EGP"),
        ("Rs. 1,200", "https://shop.test/", "en-IN", "INR"),
        ("Rs. 1,200", "https://shop.pk/", "en", "PKR"),
        ("12 € ", "https://shop.ch/", "de-CH", "EUR"),
    ],
)
def test_a_shared_sign_means_that_of_the_language_then_of_the_domain(
    text: str, address: str, language: str | None, currency: str | None
) -> None:
    money = first_money(text, home_of(address, language))
    assert money is not None
    assert money.currency == currency


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("S/ 120", "120", "PEN"),
        ("S/. 1,200.50", "1200.50", "PEN"),
        ("S/.1,200.50", "1200.50", "PEN"),
        ("B/.19.90", "19.90", "PAB"),
        ("RD$ 1,200", "1200", "DOP"),
        ("1 200 ₸", "1200", "KZT"),
        ("12 د.إ", "12", "AED"),
        ("AED 120", "120", "AED"),
        ("XOF 1 200", "1200", "XOF"),
        ("৳ 500", "500", "BDT"),
        ("₡5.000", "5000", "CRC"),
        ("12 000 so'm", "12000", "UZS"),
        ("J$ 900", "900", "JMD"),
    ],
)
def test_marks_of_less_common_currencies_are_read(text: str, amount: str, currency: str) -> None:
    money = first_money(text)
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    ("text", "address", "currency"),
    [
        ("15 000 F CFA", "https://shop.sn/", "XOF"),
        ("15 000 F.CFA", "https://shop.cm/", "XAF"),
        ("15 000 F CFA", "https://shop.test/", None),
        ("15 000 F CFP", "https://shop.nc/", "XPF"),
    ],
)
def test_francs_of_africa_and_the_pacific_are_read(
    text: str, address: str, currency: str | None
) -> None:
    money = first_money(text, home_of(address, "fr"))
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(15000), currency)


def test_every_currency_has_a_mark() -> None:
    marked = {code for codes in CURRENCY_SIGNS.values() for code in codes}
    assert marked == CODES


@given(st.text(alphabet="0123456789.,'\u2019 €$krEURCHF–-만천원", max_size=40))
def test_no_text_makes_the_reader_of_prices_fail(text: str) -> None:
    declared_amount(text)
    for money in iter_money(text):
        assert money.amount > 0
