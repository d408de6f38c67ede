"""DynamoDB's numbers: one text each, bytes that sort as they do, limits where AWS has them."""

from __future__ import annotations

from decimal import Context, Decimal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gotgan.store.engine import numbers
from gotgan.store.engine.faults import ValidationException

EXACT = Context(prec=300)


def _decimal(negative: bool, digits: int, exponent: int) -> Decimal:
    return Decimal((int(negative), tuple(map(int, str(digits))), exponent))


def _in_range(number: Decimal) -> bool:
    return not number or -130 <= number.adjusted() <= 125


any_number = st.builds(
    _decimal,
    st.booleans(),
    st.one_of(st.integers(0, 10**38 - 1), st.integers(0, 200)),
    st.one_of(st.integers(-167, 125), st.integers(-3, 3)),
).filter(_in_range)
texts = st.builds(format, any_number, st.sampled_from("efE"))


@given(texts, texts)
@example("0", "-0.0")
@example("-1E-130", "0")
@example("9.9E125", "-9.9E125")
@example("100", "99")
@example("-100", "-99.9")
@example("1", "1.00000000000000000000000000000000000001")
def test_the_bytes_sort_as_the_numbers_do(left: str, right: str) -> None:
    try:
        one, other = numbers.canonical(left), numbers.canonical(right)
    except ValidationException:
        assume(False)  # noqa: FBT003 - hypothesis's word for "not this one"
    low, high = numbers.encode(one), numbers.encode(other)
    assert (low < high) == (Decimal(left) < Decimal(right))
    assert (low == high) == (Decimal(left) == Decimal(right))


@given(texts)
def test_the_canonical_text_is_the_same_number_and_stays_as_it_is(text: str) -> None:
    canonical = numbers.canonical(text)
    assert Decimal(canonical) == Decimal(text)
    assert numbers.canonical(canonical) == canonical
    assert "e" not in canonical.lower()


@given(any_number, st.integers(0, 3), st.sampled_from(["", "+"]))
def test_needless_zeros_and_signs_do_not_make_another_number(
    number: Decimal, zeros: int, sign: str
) -> None:
    text = format(number, "f")
    sign = "" if text.startswith("-") else sign
    padded = f"{sign}{text}{'0' * zeros if '.' in text else ''}"
    assert numbers.canonical(padded) == numbers.canonical(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("0.000", "0"),
        ("0e5", "0"),
        ("+7", "7"),
        ("007", "7"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("-1.50E1", "-15"),
        ("1E-3", "0.001"),
        ("1" + "0" * 60, "1" + "0" * 60),
    ],
)
def test_numbers_are_written_plainly(text: str, canonical: str) -> None:
    assert numbers.canonical(text) == canonical


@pytest.mark.parametrize(
    "text", ["9" * 38 + "E+88", "-" + "9" * 38 + "E+88", "1E-130", "-1E-130", "1E125", "9" * 38]
)
def test_the_largest_and_smallest_numbers_are_taken(text: str) -> None:
    assert Decimal(numbers.canonical(text)) == Decimal(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1E126", "overflow"),
        ("-1E126", "overflow"),
        ("1E99999999999999999999", "overflow"),
        ("9.9E-131", "underflow"),
        ("-1E-131", "underflow"),
        ("1E-99999999999999999999", "underflow"),
        ("1" * 39, "38 significant digits"),
        ("0." + "1" * 39, "38 significant digits"),
    ],
)
def test_numbers_outside_the_limits_are_refused(text: str, says: str) -> None:
    with pytest.raises(ValidationException, match=says):
        numbers.canonical(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1 ",
        " 1",
        "one",
        "NaN",
        "Infinity",
        "-",
        ".",
        "1e",
        "1_000",
        "0x1",
        "1,5",
        "\uff11",
        "1\n",
    ],
)
def test_what_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(ValidationException, match="cannot be converted to a numeric value"):
        numbers.canonical(text)


@given(any_number, any_number)
def test_sums_and_differences_are_exact_or_refused(left: Decimal, right: Decimal) -> None:
    for operation, exact in (
        (numbers.add, EXACT.add(left, right)),
        (numbers.subtract, EXACT.subtract(left, right)),
    ):
        try:
            result = operation(numbers.render(left), numbers.render(right))
        except ValidationException:
            assert not _in_range(exact) or len(exact.normalize(EXACT).as_tuple().digits) > 38
        else:
            assert Decimal(result) == exact
            assert numbers.canonical(result) == result


@given(any_number)
def test_a_number_counts_as_many_bytes_as_its_pairs_of_digits_need(number: Decimal) -> None:
    text = numbers.render(number)
    assert numbers.byte_count(text) == max(1, len(numbers.encode(text)) - 1)


@given(texts)
def test_a_natural_number_is_recognised_and_counts_as_any_number(text: str) -> None:
    if numbers.is_natural(text):
        assert numbers.canonical(text) == text
        assert numbers.natural_byte_count(text) == numbers.byte_count(text)


@pytest.mark.parametrize("text", ["", "0", "07", "-7", "+7", "7.5", "7e1", "٧", "²", "7" * 39])  # noqa: RUF001 - digits of other scripts
def test_other_texts_are_not_natural_numbers(text: str) -> None:
    assert not numbers.is_natural(text)
