"""Reads as commands of the AWS CLI, and its tokens, which say where to read on."""

from __future__ import annotations

import json
import shlex
from base64 import b64decode, b64encode
from typing import Any, Final

from gotgan.errors import BadCursor, BadDump
from gotgan.store.attributes import Item
from gotgan.store.data.wire_json import read_item_json, written

__all__ = ["command_line", "command_words", "endpoint_of", "starting_token", "token_key"]

_START: Final = "ExclusiveStartKey"
_BYTES: Final = "boto_encoded_keys"
_TEXTS: Final = {
    "TableName": "--table-name",
    "IndexName": "--index-name",
    "KeyConditionExpression": "--key-condition-expression",
    "FilterExpression": "--filter-expression",
    "ProjectionExpression": "--projection-expression",
}
_LOCAL: Final = "http://127.0.0.1:8000"
"""Where gotgan dynamodb serves the embedded engine, unless it is told otherwise."""
_SUBCOMMANDS: Final = {"GetItem": "get-item", "Query": "query", "Scan": "scan"}


def command_words(operation: str, request: dict[str, Any], endpoint: str | None) -> list[str]:
    """The words of the command that makes the same request.

    Bytes are base64, as version 2 of the AWS CLI reads them.
    """
    words = ["aws", "dynamodb", _SUBCOMMANDS[operation]]
    for member, option in _TEXTS.items():
        if member in request:
            words += [option, request[member]]
    if key := request.get("Key"):
        words += ["--key", _json(written(key))]
    if names := request.get("ExpressionAttributeNames"):
        words += ["--expression-attribute-names", _json(names)]
    if values := request.get("ExpressionAttributeValues"):
        words += ["--expression-attribute-values", _json(written(values))]
    if request.get("ScanIndexForward") is False:
        words.append("--no-scan-index-forward")
    if request.get("ConsistentRead"):
        words.append("--consistent-read")
    if endpoint is not None:
        words += ["--endpoint-url", endpoint]
    return words


def endpoint_of(driver: str) -> str | None:
    """Where the AWS CLI finds the database of a driver; None is where it looks by itself."""
    return {"aws": None, "embedded": _LOCAL}.get(driver, driver)


def command_line(words: list[str]) -> str:
    """Words as a shell takes them."""
    return shlex.join(words)


def starting_token(key: Item) -> str:
    """The token that the AWS CLI would give out for reading on behind a key."""
    token: dict[str, Any] = {_START: written(key)}
    if encoded := [[_START, name, "B"] for name, value in key.items() if "B" in value]:
        token[_BYTES] = encoded
    return b64encode(_json(token).encode()).decode("ascii")


def token_key(token: str) -> Item:
    """The key of a token."""
    try:
        content = json.loads(b64decode(token, validate=True))
        key = read_item_json(content.pop(_START))
    except (AttributeError, BadDump, KeyError, TypeError, ValueError):
        raise BadCursor("this is no cursor; begin again without one") from None
    if content.keys() - {_BYTES}:
        raise BadCursor("this cursor stops in the middle of a page; begin again without one")
    return key


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
