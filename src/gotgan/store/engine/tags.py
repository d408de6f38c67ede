"""TagResource, UntagResource, ListTagsOfResource: the tags of a table."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from gotgan.store.engine import catalog
from gotgan.store.engine.catalog import Context, EngineTable
from gotgan.store.engine.faults import ResourceNotFoundException, ValidationException
from gotgan.store.engine.requests import required
from gotgan.store.engine.shapes import TABLE_ARN

MAX_TAGS: Final = 50
_RESERVED: Final = "aws:"


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
        key, value = entry["Key"], entry["Value"]
        if key.startswith(_RESERVED):
            raise ValidationException(f"Tag keys that start with {_RESERVED} are reserved: {key}")
        tags[key] = value
    check_tag_count(tags)
    return tags


def check_tag_count(tags: Mapping[str, str]) -> None:
    """Refuse more tags than a table may have."""
    if len(tags) > MAX_TAGS:
        raise ValidationException(f"A table has at most {MAX_TAGS} tags; this would be {len(tags)}")


def _tagged_table(context: Context, request: Mapping[str, Any]) -> EngineTable:
    arn = request.get("ResourceArn")
    if arn is None:
        raise ValidationException("Invalid TableArn")
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
    check_tag_count(tags)
    changed = replace(table, tags=tags)

    def work(connection: sqlite3.Connection) -> None:
        catalog.replace_definition(connection, table, changed)

    context.database.write(work)
    context.catalog.refresh()
