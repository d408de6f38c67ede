"""Templates read back, and what cfn-lint says of them."""

from __future__ import annotations

from typing import Any

import yaml  # type: ignore[import-untyped]  # no stubs for what only these tests use
from cfnlint.api import lint  # type: ignore[import-untyped]  # it ships no types

__all__ = ["complaints", "read"]


def _attribute(loader: Any, node: Any) -> dict[str, Any]:
    return {"Fn::GetAtt": loader.construct_scalar(node).split(".", 1)}


_LOADER: Any = type("_Loader", (yaml.SafeLoader,), {})
"""A reader of YAML that knows the short tags of CloudFormation."""
_LOADER.add_constructor("!Ref", lambda loader, node: {"Ref": loader.construct_scalar(node)})
_LOADER.add_constructor("!Sub", lambda loader, node: {"Fn::Sub": loader.construct_scalar(node)})
_LOADER.add_constructor("!GetAtt", _attribute)


def read(text: str) -> Any:
    """What a template says, with the long names of functions."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - it is a SafeLoader


def complaints(text: str) -> list[str]:
    """Everything that cfn-lint finds, also what it only mentions."""
    return [f"{match.rule.id} {match.message}" for match in lint(text)]
