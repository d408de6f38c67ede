"""What is wrong with values, as messages in both languages."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, Field, ValidationError
from pydantic_core import PydanticKnownError

from gotgan.messages import Template, render
from gotgan.validation import TEMPLATES, invalid, place_of, problem, problems

ODD = Template("test.odd", "use an odd number, such as {example}")
EXAMPLES: dict[str, Any] = {
    "actual_length": 2,
    "class_name": "Page",
    "error": "too short",
    "expected": "'a' or 'b'",
    "field_type": "List",
    "ge": 1,
    "gt": 1,
    "le": 64,
    "lt": 64,
    "max_length": 3,
    "min_length": 1,
    "pattern": "a+",
}


def _refuse(value: int) -> int:
    if value % 2 == 0:
        raise invalid(ODD(example=3))
    return value


def _refuse_as_value(value: int) -> int:
    if value % 2 == 0:
        raise ValueError(ODD(example=5))
    return value


class Form(BaseModel):
    odd: Annotated[int, AfterValidator(_refuse)] = 1
    other: Annotated[int, AfterValidator(_refuse_as_value)] = 1
    count: Annotated[int, Field(ge=1)] = 1
    names: list[str] = []


def _errors(**given: Any) -> Any:
    with pytest.raises(ValidationError) as caught:
        Form.model_validate(given)
    return caught.value.errors()


@pytest.mark.parametrize("kind", sorted(TEMPLATES))
def test_the_english_is_that_of_pydantic(kind: Any) -> None:
    try:
        known = PydanticKnownError(kind, EXAMPLES)
    except TypeError:  # it takes no values
        known = PydanticKnownError(kind)
    assert str(TEMPLATES[kind](**EXAMPLES)) == known.message()


def test_a_value_out_of_bounds_is_explained_in_both_languages() -> None:
    [error] = _errors(count=0)
    assert problem(error) == "Input should be greater than or equal to 1"
    assert render(problems([error]), "ko") == "count: 1 이상이어야 합니다"


def test_a_reason_of_ours_is_kept_as_a_message() -> None:
    for name, example in (("odd", 3), ("other", 5)):
        [error] = _errors(**{name: 2})
        assert problem(error) == f"use an odd number, such as {example}"
        assert problem(error).code == "test.odd"
        assert problem(error).values == {"example": example}


def test_every_place_is_named_and_at_most_so_many() -> None:
    found = _errors(odd=2, count=0, names=["a", 3])
    assert str(problems(found)).count("; ") == 2
    assert str(problems(found)).endswith("names.1: Input should be a valid string")
    assert problems(found, most=1) == "odd: use an odd number, such as 3"
    assert place_of(("body", "names", 1)) == "body.names.1"


def test_what_is_not_known_keeps_its_own_words() -> None:
    error = {"type": "url_scheme", "loc": ("a",), "msg": "URL scheme should be 'https'"}
    assert problem(error) == "URL scheme should be 'https'"
    assert problem(error).code == "message.text"
