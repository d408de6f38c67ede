"""How fields are stored, as their annotations say."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AwareDatetime,
    BaseModel,
    Field,
    PastDatetime,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from gotgan.messages import TEXT, Message
from gotgan.store.fields import (
    Attribute,
    Epoch,
    EpochMs,
    Id,
    KeyOnly,
    MessageText,
    Prefixed,
    Timestamp,
    camel_case,
    field_of,
)
from gotgan.store.fields import Field as StoredField

SEOUL = timezone(timedelta(hours=9))
MOMENT = datetime(2025, 11, 6, 9, 35, 12, 999_999, tzinfo=SEOUL)
WHOLE = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)

Country = Annotated[str, StringConstraints(max_length=2), Prefixed("COUNTRY#")]


class Kind(Enum):
    LETTER = "letter"
    PARCEL = "parcel"


class Level(IntEnum):
    LOW = 1
    HIGH = 10


def stored(annotation: Any) -> StoredField:
    """What there is to know about a field with this annotation."""

    class Model(BaseModel, arbitrary_types_allowed=True):
        field: annotation

    return field_of("field", Model.model_fields["field"], "field")


FIELDS = {kind: stored(kind) for kind in (Timestamp, Epoch, EpochMs)}
ADAPTERS: dict[Any, TypeAdapter[Any]] = {kind: TypeAdapter(kind) for kind in FIELDS}


# Names


def test_a_field_is_stored_under_its_own_name() -> None:
    assert stored(str).attribute == "field"


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[str, Attribute("CreatedAt")],
        Annotated[str | None, Attribute("CreatedAt")],
        Annotated[Timestamp | None, Attribute("CreatedAt")],
        Annotated[str, Field(max_length=3), Attribute("CreatedAt")],
    ],
)
def test_a_field_can_be_stored_under_another_name(annotation: Any) -> None:
    assert stored(annotation).attribute == "CreatedAt"


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("id", "id"),
        ("created_at", "createdAt"),
        ("btn1_text", "btn1Text"),
        ("img_uri", "imgUri"),
        ("a_b_c", "aBC"),
    ],
)
def test_names_can_be_written_with_humps(name: str, attribute: str) -> None:
    assert camel_case(name) == attribute


def test_a_mark_says_that_the_key_alone_holds_a_field() -> None:
    assert stored(Annotated[Id, KeyOnly()]).key_only
    assert not stored(Id).key_only


# Forms


def test_a_bare_type_is_stored_as_it_is() -> None:
    assert stored(str).dump("x") == "x"
    assert stored(int).load(7) == 7


def test_moments_are_kept_in_utc_whichever_zone_they_come_in() -> None:
    for kind in (Timestamp, Epoch, EpochMs):
        for moment in (MOMENT, MOMENT.replace(microsecond=0), WHOLE):
            assert ADAPTERS[kind].validate_python(moment).tzinfo is UTC


def test_a_timestamp_is_text_in_utc_and_whole_seconds() -> None:
    assert stored(Timestamp).dump(MOMENT) == "2025-11-06T00:35:12Z"
    assert TypeAdapter(Timestamp).validate_python("2025-11-06T00:35:12Z") == WHOLE
    assert TypeAdapter(Timestamp).validate_python(MOMENT) == WHOLE
    assert stored(Timestamp).dump(MOMENT.astimezone(UTC)) == "2025-11-06T00:35:12Z"
    assert stored(Timestamp).dump(WHOLE) == "2025-11-06T00:35:12Z"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2025-11-06T00:35:12Z", WHOLE),
        ("2025-11-06T00:35:12.25Z", WHOLE),
        ("2025-11-06T09:35:12+09:00", WHOLE),
        ("2025-11-06 00:35:12Z", WHOLE),
        (1_762_389_312, WHOLE),
    ],
)
def test_a_timestamp_that_others_wrote_is_understood(text: Any, moment: datetime) -> None:
    assert ADAPTERS[Timestamp].validate_python(FIELDS[Timestamp].load(text)) == moment


@pytest.mark.parametrize("text", ["2025-13-45T00:00:00Z", "xxxxxxxxxxxxxxxxxxxZ", "", "soon", []])
def test_a_timestamp_that_is_none_is_left_to_the_model_to_refuse(text: Any) -> None:
    assert FIELDS[Timestamp].load(text) == text
    with pytest.raises(ValidationError):
        ADAPTERS[Timestamp].validate_python(FIELDS[Timestamp].load(text))


@pytest.mark.parametrize("kind", [Timestamp, Epoch, EpochMs])
def test_a_moment_without_a_zone_is_refused(kind: Any) -> None:
    naive = datetime(2025, 11, 6)  # noqa: DTZ001 - that is the case
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(naive)
    with pytest.raises(ValueError, match="has no zone"):
        stored(kind).dump(naive)


def test_an_epoch_is_a_number_of_seconds_or_milliseconds() -> None:
    assert stored(Epoch).dump(MOMENT) == 1_762_389_312
    assert stored(EpochMs).dump(MOMENT) == 1_762_389_312_000
    assert stored(Epoch).load(1_762_389_312) == WHOLE
    assert stored(EpochMs).load(Decimal(1_762_389_312_000)) == WHOLE


def test_a_prefix_is_put_on_and_taken_off() -> None:
    assert stored(Country).dump("DE") == "COUNTRY#DE"
    assert stored(Country).load("COUNTRY#DE") == "DE"
    assert stored(Country | None).dump("DE") == "COUNTRY#DE"


@pytest.mark.parametrize("kind", [Timestamp, Epoch, Country, str])
def test_nothing_stays_nothing(kind: Any) -> None:
    assert stored(kind | None).dump(None) is None
    assert stored(kind | None).load(None) is None


@pytest.mark.parametrize("kind", [Epoch, Country])
def test_what_has_another_form_is_left_to_the_model_to_refuse(kind: Any) -> None:
    assert stored(kind).load(["odd"]) == ["odd"]


moments = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis adds the zones
    max_value=datetime(9998, 1, 1),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, SEOUL, ZoneInfo("America/New_York")]),
)


@given(moments, moments)
def test_the_order_of_timestamps_is_the_order_of_moments(one: datetime, other: datetime) -> None:
    field = FIELDS[Timestamp]
    early, late = (field.dump(moment) for moment in sorted([one, other]))
    assert early <= late
    assert len(early) == len(late) == 20


@pytest.mark.parametrize("kind", [Timestamp, Epoch, EpochMs])
@given(moments)
def test_a_moment_comes_back_to_the_second(kind: Any, moment: datetime) -> None:
    adapter, field = ADAPTERS[kind], FIELDS[kind]
    value = adapter.validate_python(moment)
    assert adapter.validate_python(field.load(field.dump(value))) == value
    assert field.dump(moment) == field.dump(value)


# What a key must know


@pytest.mark.parametrize(
    ("annotation", "optional"),
    [
        (str, False),
        (str | None, True),
        (None | Timestamp, True),
        (Annotated[Country | None, Attribute("x")], True),
        (Literal["a", "b"] | None, True),
    ],
)
def test_a_field_that_can_be_none_is_known(annotation: Any, optional: bool) -> None:
    assert stored(annotation).optional is optional


@pytest.mark.parametrize(
    ("annotation", "longest"),
    [
        (str, None),
        (Id, 400),
        (Id | None, 400),
        (Annotated[str, StringConstraints(max_length=10)], 40),
        (Annotated[str, Field(max_length=10)], 40),
        (Annotated[str, Field(max_length=10)] | None, 40),
        (Annotated[str, StringConstraints(min_length=1)], None),
        (Annotated[str, Field(max_length=10), StringConstraints(max_length=5)], 20),
        (Annotated[bytes, Field(max_length=10)], 10),
        (Annotated[list[str], Field(max_length=10)], None),
        (Country, 8 + len("COUNTRY#")),
        (Annotated[str, Prefixed("X#")], None),
        (Timestamp, 20),
        (EpochMs, 15),
        (date, 10),
        (UUID, 36),
        (int, 38),
        (Decimal, 48),
        (Literal["a", "abc"], 3),
        (Literal["é"], 2),
        (Kind, 6),
        (Kind | UUID, 36),
        (Kind | str, None),
        (bool, 5),
        (float, None),
    ],
)
def test_the_bytes_that_a_field_can_take_in_a_key_are_known(
    annotation: Any, longest: int | None
) -> None:
    assert stored(annotation).longest == longest


@pytest.mark.parametrize(
    ("annotation", "advice"),
    [
        (datetime, "declare it as Timestamp"),
        (datetime | None, "declare it as Timestamp"),
        (AwareDatetime, "declare it as Timestamp"),
        (PastDatetime, "declare it as Timestamp"),
        (int, "give it a width, such as {name:012d}"),
        (Level, "give it a width"),
        (Epoch, "give it a width"),
        (float, "declare it int, in a smaller unit"),
        (Decimal | None, "declare it int, in a smaller unit"),
    ],
)
def test_what_does_not_sort_as_text_says_what_to_do(annotation: Any, advice: str) -> None:
    assert advice in (stored(annotation).sorts or "")


@pytest.mark.parametrize("annotation", [str, Id, Timestamp, date, UUID, Kind, Country, bytes])
def test_what_sorts_as_text_has_nothing_against_it(annotation: Any) -> None:
    assert stored(annotation).sorts is None


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        (str, None),
        (bool, 2),
        (Kind, 2),
        (Kind | None, 2),
        (Literal["a", "b", "c"], 3),
        (Literal["a"] | Kind, 3),
        (Kind | str, None),
        (date, None),
    ],
)
def test_few_values_are_counted(annotation: Any, values: int | None) -> None:
    assert stored(annotation).values == values


@pytest.mark.parametrize(
    ("annotation", "key_type"),
    [
        (str, "S"),
        (Id | None, "S"),
        (Timestamp, "S"),
        (date | UUID, "S"),
        (Kind, "S"),
        (Literal["a"], "S"),
        (int, "N"),
        (Decimal | int, "N"),
        (float, "N"),
        (Epoch, "N"),
        (Level, "N"),
        (Literal[1, 2], "N"),
        (bytes, "B"),
        (bool, "BOOL"),
        (list[str], "L"),
        (tuple[str, ...], "L"),
        (dict[str, str], "M"),
        (StoredField, "S"),
        (frozenset[str], "set"),
        (int | str, "mixed"),
        (Literal[1, "a"], "mixed"),
    ],
)
def test_the_type_of_a_stored_field_is_known(annotation: Any, key_type: str) -> None:
    assert stored(annotation).key_type == key_type


def test_a_model_is_stored_as_a_map() -> None:
    class Price(BaseModel):
        amount: int

    assert stored(Price).key_type == "M"


@pytest.mark.parametrize(
    ("annotation", "is_whole"),
    [(int, True), (Level, True), (Epoch, True), (Decimal, False), (float, False), (str, False)],
)
def test_whole_numbers_can_be_padded(annotation: Any, is_whole: bool) -> None:
    assert stored(annotation).is_whole is is_whole


@pytest.mark.parametrize(
    ("annotation", "is_seconds"),
    [(int, True), (Epoch, True), (Epoch | None, True), (EpochMs, False), (Timestamp, False)],
)
def test_a_time_to_live_is_a_number_of_seconds(annotation: Any, is_seconds: bool) -> None:
    assert stored(annotation).is_seconds is is_seconds


@pytest.mark.parametrize(
    ("annotation", "held", "free"),
    [
        (Timestamp, "-", "#"),
        (Timestamp, ":", "|"),
        (Country, "#", "-"),
        (date, "-", "#"),
        (UUID | None, "-", "#"),
        (AwareDatetime, "-", "#"),
    ],
)
def test_what_every_value_holds_is_known(annotation: Any, held: str, free: str) -> None:
    assert held in stored(annotation).holds
    assert free not in stored(annotation).holds


@pytest.mark.parametrize("annotation", [str, Id, int, Kind, date | str])
def test_what_can_be_without_a_separator_holds_none(annotation: Any) -> None:
    assert stored(annotation).holds == ""


def test_an_id_is_something_and_two_of_them_fit_a_sort_key() -> None:
    adapter = TypeAdapter(Id)
    assert adapter.validate_python("x") == "x"
    assert adapter.validate_python("x" * 100)
    for text in ("", "x" * 101):
        with pytest.raises(ValidationError):
            adapter.validate_python(text)
    assert 2 * (stored(Id).longest or 0) + len("USER##POST#") <= 1024


# Messages


def test_a_message_is_stored_as_its_code_and_values_and_read_as_a_message() -> None:
    message = TEXT(text="as before")
    kept = TypeAdapter(MessageText).validate_python(message)
    field = stored(MessageText)
    assert field.dump(kept) == '{"code":"message.text","values":{"text":"as before"}}'
    assert isinstance(field.load(field.dump(kept)), Message)
    assert field.load(field.dump(kept)) == "as before"


def test_a_text_of_an_earlier_version_is_read_as_it_is() -> None:
    assert stored(MessageText).load("failed for a reason") == "failed for a reason"
    assert stored(MessageText | None).dump("a plain text") == "a plain text"
