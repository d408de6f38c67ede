"""DynamoDB's expression languages: parsed once, checked and run with the values of each call.

Nothing here knows of tables, files or requests; items and values are plain dictionaries.
"""

from __future__ import annotations

from gotgan.store.engine.expressions.keyconditions import (
    KeyCondition,
    RangeCondition,
    key_condition,
)
from gotgan.store.engine.expressions.parser import (
    Names,
    ParsedCondition,
    ParsedExpression,
    ParsedProjection,
    Update,
    apply_update,
    check_values,
    evaluate,
    parse_condition,
    parse_key_condition,
    parse_projection,
    parse_update,
    pick_updated,
    project,
)
from gotgan.store.engine.expressions.placeholders import check_placeholders, check_unused
from gotgan.store.engine.expressions.tree import Path

__all__ = [
    "KeyCondition",
    "Names",
    "ParsedCondition",
    "ParsedExpression",
    "ParsedProjection",
    "Path",
    "RangeCondition",
    "Update",
    "apply_update",
    "check_placeholders",
    "check_unused",
    "check_values",
    "evaluate",
    "key_condition",
    "parse_condition",
    "parse_key_condition",
    "parse_projection",
    "parse_update",
    "pick_updated",
    "project",
]
