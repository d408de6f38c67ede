"""Declared tables as a CloudFormation template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from gotgan.store.outputs.definition import create_request, ttl_request
from gotgan.store.tables import AS_DECLARED, Names, Table

__all__ = ["SUFFIX", "logical_ids", "outputs", "parameters", "resources", "setting", "template"]

SUFFIX: Final = "Suffix"
"""The parameter that is put behind every table's name."""
_LONGEST_ID: Final = 200


def template(tables: Sequence[Table], names: Names = AS_DECLARED) -> dict[str, Any]:
    """One template with all tables, their names as parameters, and what others need of them."""
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Tables that were declared with Gotgan.",
        "Parameters": parameters(tables, names),
        "Resources": resources(tables, names),
        "Outputs": outputs(tables, names),
    }


def logical_ids(tables: Iterable[Table]) -> list[str]:
    """What a template calls its tables, in their order: ``news_items`` is NewsItemsTable."""
    ids: list[str] = []
    for table in tables:
        wanted = _camel(table.name)
        taken = sum(each.rstrip("0123456789") == wanted for each in ids)
        ids.append(f"{wanted}{taken + 1}" if taken else wanted)
    return ids


def parameters(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """The names, to be chosen when the stack is made, and a suffix for the environment."""
    chosen = {
        f"{logical}Name": {
            "Type": "String",
            "Default": names.of(table),
            "AllowedPattern": "[a-zA-Z0-9_.-]+",
            "Description": f"The name of {table.name}, before the suffix.",
        }
        for table, logical in zip(tables, logical_ids(tables), strict=True)
    }
    suffix = {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "[a-zA-Z0-9_.-]*",
        "Description": "What stands behind every name, such as -prod.",
    }
    return {**chosen, SUFFIX: suffix}


def resources(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """The tables; they outlive the stack, and keep a backup of every second."""
    return {
        logical: {
            "Type": "AWS::DynamoDB::Table",
            "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "Retain",
            "Properties": _properties(table, logical, names),
        }
        for table, logical in zip(tables, logical_ids(tables), strict=True)
    }


def outputs(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """Name and ARNs of each table, and the setting by which a program finds them all."""
    found: dict[str, Any] = {}
    for table, logical in zip(tables, logical_ids(tables), strict=True):
        found[f"{logical}Name"] = {"Value": {"Ref": logical}}
        found[f"{logical}Arn"] = {"Value": {"Fn::GetAtt": [logical, "Arn"]}}
        if table.stream:
            found[f"{logical}StreamArn"] = {"Value": {"Fn::GetAtt": [logical, "StreamArn"]}}
    description = "The value of GOTGAN_TABLES for programs that use these tables."
    found["GotganTables"] = {"Description": description, "Value": setting(tables, names)}
    return found


def setting(tables: Sequence[Table], names: Names) -> dict[str, str]:
    """GOTGAN_TABLES, with the names that the stack gives."""
    pairs = zip(tables, logical_ids(tables), strict=True)
    called = {table.name: f"${{{logical}}}" for table, logical in pairs}
    indexes = {f"{t}:{i}": name for (t, i), name in names.indexes.items() if t in called}
    words = (f"{word}={name}" for word, name in {**called, **indexes}.items())
    return {"Fn::Sub": ",".join(words)}


def _properties(table: Table, logical: str, names: Names) -> dict[str, Any]:
    """CloudFormation's words for a table are nearly those of CreateTable."""
    properties = create_request(table, names)
    properties["TableName"] = {"Fn::Sub": f"${{{logical}Name}}${{{SUFFIX}}}"}
    if table.stream:
        properties["StreamSpecification"] = {"StreamViewType": table.stream}
    if request := ttl_request(table, names):
        properties["TimeToLiveSpecification"] = request["TimeToLiveSpecification"]
    return {
        **properties,
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        "DeletionProtectionEnabled": True,
    }


def _camel(name: str) -> str:
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    joined = "".join(word[0].upper() + word[1:] for word in words)[:_LONGEST_ID]
    return joined if joined.endswith("Table") else f"{joined}Table"
