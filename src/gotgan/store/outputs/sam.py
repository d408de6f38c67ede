"""Declared tables as a SAM template, with policies that functions can be given.

A function writes ``Policies: [!Ref NewsItemsTableReadPolicy]`` where it would otherwise write
``DynamoDBCrudPolicy``, and is allowed what the access patterns need instead of everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gotgan.store.outputs import cloudformation
from gotgan.store.outputs.arns import TemplateArns
from gotgan.store.outputs.cloudformation import logical_ids, setting
from gotgan.store.outputs.iam import document, read_statements, write_statements
from gotgan.store.tables import AS_DECLARED, Names, Table

__all__ = ["SIGNER", "TRANSFORM", "secret_parameter", "template", "variables"]

SIGNER: Final = "Secret"
"""The parameter that holds what signs cursors."""
TRANSFORM: Final = "AWS::Serverless-2016-10-31"
"""What makes a template one of SAM's."""


def template(tables: Sequence[Table], names: Names = AS_DECLARED) -> dict[str, Any]:
    """The tables, a policy to read and one to write each, and the setting that names them."""
    plain = cloudformation.template(tables, names)
    policies = _policies(tables, names)
    arns = {f"{name}Arn": {"Value": {"Ref": name}} for name in policies}
    return {
        "AWSTemplateFormatVersion": plain["AWSTemplateFormatVersion"],
        "Transform": TRANSFORM,
        "Description": plain["Description"],
        "Parameters": {**plain["Parameters"], SIGNER: secret_parameter()},
        "Globals": {"Function": {"Environment": {"Variables": variables(tables, names)}}},
        "Resources": {**plain["Resources"], **policies},
        "Outputs": {**plain["Outputs"], **arns},
    }


def variables(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """The settings of a function that uses these tables."""
    return {
        "GOTGAN_DYNAMODB": "aws",
        "GOTGAN_SECRET": {"Ref": SIGNER},
        "GOTGAN_TABLES": setting(tables, names),
    }


def secret_parameter() -> dict[str, Any]:
    """What signs cursors: the same for all functions, and known to nobody who reads the stack."""
    return {
        "Type": "String",
        "NoEcho": True,
        "MinLength": 32,
        "Description": "What signs and keys hashes, at least 32 characters.",
    }


def _policies(tables: Sequence[Table], names: Names) -> dict[str, Any]:
    """The policies of all tables; a table that nobody reads has none for reading."""
    policies: dict[str, Any] = {}
    for table, logical in zip(tables, logical_ids(tables), strict=True):
        arns = TemplateArns(logical)
        reads = read_statements(table, logical, arns, names)
        writes = write_statements(table, logical, arns, names)
        if reads:
            about = f"Read {table.name} by its access patterns."
            policies[f"{logical}ReadPolicy"] = _policy(about, reads)
        if writes:
            about = f"Write the entities of {table.name}."
            policies[f"{logical}WritePolicy"] = _policy(about, writes)
    return policies


def _policy(about: str, statements: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {"Description": about, "PolicyDocument": document(statements)},
    }
