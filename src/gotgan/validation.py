"""What is wrong with values that pydantic refused, as messages.

The English is pydantic's own; the Korean is in ``texts/ko/validation.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pydantic_core import ErrorDetails, PydanticCustomError

from gotgan.messages import Message, Template, text

_VALUE_ERROR: Final = "value_error"
TEMPLATES: Final[Mapping[str, Template]] = {
    kind: Template(f"validation.{kind}", words)
    for kind, words in {
        "bool_parsing": "Input should be a valid boolean, unable to interpret input",
        "bool_type": "Input should be a valid boolean",
        "date_from_datetime_parsing": "Input should be a valid date or datetime, {error}",
        "date_parsing": "Input should be a valid date in the format YYYY-MM-DD, {error}",
        "date_type": "Input should be a valid date",
        "datetime_from_date_parsing": "Input should be a valid datetime or date, {error}",
        "datetime_parsing": "Input should be a valid datetime, {error}",
        "datetime_type": "Input should be a valid datetime",
        "dict_type": "Input should be a valid dictionary",
        "enum": "Input should be {expected}",
        "extra_forbidden": "Extra inputs are not permitted",
        "finite_number": "Input should be a finite number",
        "float_parsing": "Input should be a valid number, unable to parse string as a number",
        "float_type": "Input should be a valid number",
        "greater_than": "Input should be greater than {gt}",
        "greater_than_equal": "Input should be greater than or equal to {ge}",
        "int_from_float": ("Input should be a valid integer, got a number with a fractional part"),
        "int_parsing": "Input should be a valid integer, unable to parse string as an integer",
        "int_parsing_size": ("Unable to parse input string as an integer, exceeded maximum size"),
        "int_type": "Input should be a valid integer",
        "less_than": "Input should be less than {lt}",
        "less_than_equal": "Input should be less than or equal to {le}",
        "list_type": "Input should be a valid list",
        "literal_error": "Input should be {expected}",
        "missing": "Field required",
        "model_attributes_type": (
            "Input should be a valid dictionary or object to extract fields from"
        ),
        "model_type": "Input should be a valid dictionary or instance of {class_name}",
        "string_pattern_mismatch": "String should match pattern '{pattern}'",
        "string_too_long": "String should have at most {max_length:character|characters}",
        "string_too_short": "String should have at least {min_length:character|characters}",
        "string_type": "Input should be a valid string",
        "string_unicode": (
            "Input should be a valid string, unable to parse raw data as a unicode string"
        ),
        "time_delta_parsing": "Input should be a valid timedelta, {error}",
        "timezone_aware": "Input should have timezone info",
        "too_long": (
            "{field_type} should have at most {max_length:item|items} after validation, "
            "not {actual_length}"
        ),
        "too_short": (
            "{field_type} should have at least {min_length:item|items} after validation, "
            "not {actual_length}"
        ),
    }.items()
}
"""By pydantic's type of the error."""
_AT: Final = Template("validation.at", "{place}: {problem}")
_PROBLEMS: Final = Template("validation.problems", "{problems:sentences}")


def invalid(message: Message) -> PydanticCustomError:
    """The error that a validator raises to refuse a value with one of our messages."""
    return PydanticCustomError("message", "{message}", {"message": message})


def problem(error: ErrorDetails | Mapping[str, Any]) -> Message:
    """Why one value was refused."""
    values = error.get("ctx", {})
    own = values.get("message")
    if error["type"] == _VALUE_ERROR and isinstance(values.get("error"), ValueError):
        own = next(iter(values["error"].args), None)
    if isinstance(own, Message):
        return own
    template = TEMPLATES.get(error["type"])
    return text(error["msg"]) if template is None else template(**values)


def problems(
    errors: Iterable[ErrorDetails | Mapping[str, Any]], *, most: int | None = None
) -> Message:
    """Why values were refused, each with its place, such as ``body.title``."""
    found = [_AT(place=place_of(each["loc"]), problem=problem(each)) for each in errors][:most]
    return found[0] if len(found) == 1 else _PROBLEMS(problems=found)


def place_of(steps: Sequence[int | str]) -> str:
    """The path of a value: ``body.tickers.0``."""
    return ".".join(str(step) for step in steps)
