"""Declared tables as a CloudFormation template, or as one of SAM's with policies for functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gotgan.store.outputs.definition import create_request, logical_ids, ttl_request
from gotgan.store.outputs.iam import document, read_statements, template_arns, write_statements
from gotgan.store.tables import AS_DECLARED, Names, Table

SUFFIX_PARAMETER: Final = "Suffix"
"""The parameter that is put behind every table's name."""
SIGNER_PARAMETER: Final = "Secret"
"""The parameter that holds what signs cursors."""
TRANSFORM: Final = "AWS::Serverless-2016-10-31"
"""What makes a template one of SAM's."""


def template(tables: Sequence[Table], names: Names = AS_DECLARED) -> dict[str, Any]:
    """One template with all tables, their names as parameters, and what others need of them."""
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Tables that were declared with Gotgan.",
        "Parameters": parameters(tables, names),
        "Resources": resources(tables, names),
        "Outputs": outputs(tables, names),
    }


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
    return {**chosen, SUFFIX_PARAMETER: suffix}


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
    found["GotganTables"] = {"Description": description, "Value": tables_setting(tables, names)}
    return found


def tables_setting(tables: Sequence[Table], names: Names) -> dict[str, str]:
    """GOTGAN_TABLES, with the names that the stack gives."""
    pairs = zip(tables, logical_ids(tables), strict=True)
    called = {table.name: f"${{{logical}}}" for table, logical in pairs}
    indexes = {f"{t}:{i}": name for (t, i), name in names.indexes.items() if t in called}
    words = (f"{word}={name}" for word, name in {**called, **indexes}.items())
    return {"Fn::Sub": ",".join(words)}


def _properties(table: Table, logical: str, names: Names) -> dict[str, Any]:
    """CloudFormation's words for a table are nearly those of CreateTable."""
    properties = create_request(table, names)
    properties["TableName"] = {"Fn::Sub": f"${{{logical}Name}}${{{SUFFIX_PARAMETER}}}"}
    if table.stream:
        properties["StreamSpecification"] = {"StreamViewType": table.stream}
    if request := ttl_request(table, names):
        properties["TimeToLiveSpecification"] = request["TimeToLiveSpecification"]
    return {
        **properties,
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        "DeletionProtectionEnabled": True,
    }


def sam_template(tables: Sequence[Table], names: Names = AS_DECLARED) -> dict[str, Any]:
    """The tables, a policy to read and one to write each, and the setting that names them."""
    plain = template(tables, names)
    policies = _policies(tables, names)
    arns = {f"{name}Arn": {"Value": {"Ref": name}} for name in policies}
    return {
        "AWSTemplateFormatVersion": plain["AWSTemplateFormatVersion"],
        "Transform": TRANSFORM,
        "Description": plain["Description"],
        "Parameters": {**plain["Parameters"], SIGNER_PARAMETER: secret_parameter()},
        "Globals": {
            "Function": {"Environment": {"Variables": environment_variables(tables, names)}}
        },
        "Resources": {**plain["Resources"], **policies},
        "Outputs": {**plain["Outputs"], **arns},
    }


def environment_variables(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """The settings of a function that uses these tables."""
    return {
        "GOTGAN_DYNAMODB": "aws",
        "GOTGAN_SECRET": {"Ref": SIGNER_PARAMETER},
        "GOTGAN_TABLES": tables_setting(tables, names),
    }


def secret_parameter() -> dict[str, Any]:
    """What signs cursors: the same for all functions, and not readable in the stack."""
    return {
        "Type": "String",
        "NoEcho": True,
        "MinLength": 32,
        "Description": "What signs and keys hashes, at least 32 characters.",
    }


def _policies(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """The policies of all tables; a table that is never read has none for reading."""
    policies: dict[str, Any] = {}
    for table, logical in zip(tables, logical_ids(tables), strict=True):
        arns = template_arns(logical)
        for verb, about, allowed in (
            ("Read", f"Read {table.name} by its access patterns.", read_statements),
            ("Write", f"Write the entities of {table.name}.", write_statements),
        ):
            if statements := allowed(table, logical, arns, names):
                policies[f"{logical}{verb}Policy"] = {
                    "Type": "AWS::IAM::ManagedPolicy",
                    "Properties": {"Description": about, "PolicyDocument": document(statements)},
                }
    return policies
