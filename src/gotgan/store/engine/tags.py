"""TagResource, UntagResource, ListTagsOfResource: the tags of a table."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Mapping, Sequence, Sized
from dataclasses import replace
from typing import Any, Final

from gotgan.store.engine import catalog
from gotgan.store.engine.catalog import Context, EngineTable
from gotgan.store.engine.faults import (
    ResourceNotFoundException,
    ValidationException,
    invalid_value,
)
from gotgan.store.engine.requests import required
from gotgan.store.engine.shapes import TABLE_ARN

MAX_TAGS: Final = 50
_RESERVED: Final = "aws:"
_MAX_KEY_CHARS: Final = 128
_MAX_VALUE_CHARS: Final = 256
_SIGNS: Final = frozenset("+-=._:/@")
_LETTERS_DIGITS_SPACES: Final = frozenset("LNZ")
"""The categories of Unicode whose characters a tag may have, beside the signs."""
_DYNAMODB_ARN: Final = r"arn:[^:]+:dynamodb:[^:]*:[^:]*:.*"
_INDEX_ARN: Final = rf"{TABLE_ARN}/index/.*"


def tag_resource(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Add tags to a table, or give those that it has another value."""
    tags = read_tags(required(request, "Tags")) if "ResourceArn" in request else {}
    table = _tagged_table(context, request)
    if not tags:
        raise ValidationException("Atleast one Tag needs to be provided as Input.")
    _save(context, table, table.tags | tags)
    return {}


def untag_resource(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Remove tags from a table; those that it does not have are ignored."""
    keys = required(request, "TagKeys") if "ResourceArn" in request else []
    table = _tagged_table(context, request)
    if not keys:
        raise ValidationException("Atleast one Tag Key needs to be provided as Input.")
    _check_count([_checked_key(key) for key in keys])
    _save(context, table, {key: table.tags[key] for key in table.tags if key not in keys})
    return {}


def list_tags_of_resource(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """List all tags of a table; they always fit one page."""
    tags = _tagged_table(context, request).tags
    return {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}


def read_tags(given: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Read a list of tags, with AWS's limit on their number."""
    tags: dict[str, str] = {}
    for entry in given:
        key, value = _checked_key(entry.get("Key")), entry.get("Value")
        if key.startswith(_RESERVED):
            raise ValidationException(f"Tag Key cannot be prefixed with {_RESERVED}, Key: {key}")
        if value is None or not _is_tag_text(value, _MAX_VALUE_CHARS):
            raise ValidationException(f"The Tag Value provided is invalid, Value: {_shown(value)}")
        if key in tags:
            raise ValidationException(
                f"Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}"
            )
        tags[key] = value
    _check_count(tags)
    return tags


def _checked_key(key: str | None) -> str:
    if not key or not _is_tag_text(key, _MAX_KEY_CHARS):
        raise ValidationException(f"The Tag Key provided is invalid, Key: {_shown(key)}")
    return key


def _is_tag_text(text: str, max_chars: int) -> bool:
    return len(text) <= max_chars and all(
        char in _SIGNS or unicodedata.category(char)[0] in _LETTERS_DIGITS_SPACES for char in text
    )


def _shown(text: str | None) -> str:
    return "null" if text is None else text


def _check_count(tags: Sized) -> None:
    """Refuse more tags than a table may have."""
    if len(tags) > MAX_TAGS:
        raise ValidationException(
            "Number of Tags exceed the current limit for the provided ResourceArn"
        )


def _tagged_table(context: Context, request: Mapping[str, Any]) -> EngineTable:
    arn = request.get("ResourceArn")
    if arn is None:
        raise ValidationException("Invalid TableArn")
    if not arn.startswith("arn:"):
        raise invalid_value(f"ARNs must start with 'arn:': {arn}")
    if re.fullmatch(_DYNAMODB_ARN, arn) is None:
        raise invalid_value(f"Provided Arn is not a DynamoDB resource arn: {arn}")
    if re.fullmatch(_INDEX_ARN, arn):
        raise invalid_value(
            "Invalid resource arn provided, only table or stream is accepted. Provided resource"
            f" arn: {arn}"
        )
    match = re.fullmatch(TABLE_ARN, arn)
    if match is None:
        raise ValidationException(f"Invalid TableArn: Invalid ResourceArn provided as input {arn}")
    context.catalog.refresh()
    table = context.catalog.tables.get(match[1])
    if table is None:  # AWS misspells the word
        raise ResourceNotFoundException(
            f"Requested resource not found: ResourcArn: {arn} not found"
        )
    return table


def _save(context: Context, table: EngineTable, tags: dict[str, str]) -> None:
    """Store the tags under a new revision, so that two changes at once cannot lose one."""
    _check_count(tags)
    changed = replace(table, tags=tags)

    def work(connection: sqlite3.Connection) -> None:
        catalog.replace_definition(connection, table, changed)

    context.database.write(work)
    context.catalog.refresh()
