"""The stack that a template makes, as CloudFormation sees it: translated, and with its values."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest
from samtranslator.translator.transform import transform  # type: ignore[import-untyped]  # no types

__all__ = ["ACCOUNT", "PARAMETERS", "REGION", "Stack", "stack_of"]

REGION: Final = "eu-central-1"
ACCOUNT: Final = "123456789012"
PARAMETERS: Final = {
    "Suffix": "-dev",
    "Secret": "0123456789abcdef0123456789abcdef",
    "SmtpUrl": "smtps://user:password@mail.example.com:465",
    "MailFrom": "site@example.com",
}
_PSEUDO: Final = {
    "AWS::AccountId": ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::Region": REGION,
    "AWS::StackName": "site-dev",
    "AWS::URLSuffix": "amazonaws.com",
}
_NAMED_BY: Final = {"AWS::DynamoDB::Table": "TableName", "AWS::Logs::LogGroup": "LogGroupName"}
_ARNS: Final = {
    "AWS::DynamoDB::Table": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{{}}",
    "AWS::Logs::LogGroup": f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{{}}:*",
}
_HOLE: Final = re.compile(r"\$\{([A-Za-z0-9:_]+)(?:\.([A-Za-z]+))?\}")


class _NoPolicies:
    """Stands for AWS's managed policies, of which the site uses none."""

    def load(self) -> dict[str, str]:
        return {}


@dataclass(frozen=True)
class Stack:
    """The resources by their logical names, and the outputs, with every reference resolved."""

    resources: Mapping[str, Any]
    outputs: Mapping[str, Any]

    def of_type(self, kind: str) -> dict[str, Any]:
        """The properties of all resources of a type."""
        return {
            name: each["Properties"]
            for name, each in self.resources.items()
            if each["Type"] == kind
        }

    def statements(self, function: str) -> list[dict[str, Any]]:
        """What the role of a function allows."""
        role = self.resources[function]["Properties"]["Role"].removeprefix("arn:")
        properties = self.resources[role]["Properties"]
        assert properties.keys() == {"AssumeRolePolicyDocument", "Policies"}
        return [
            statement
            for policy in properties["Policies"]
            for statement in policy["PolicyDocument"]["Statement"]
        ]

    def environment(self, function: str) -> dict[str, str]:
        """The variables of a function."""
        variables: dict[str, str] = self.resources[function]["Properties"]["Environment"][
            "Variables"
        ]
        return variables


def stack_of(made: Mapping[str, Any], parameters: Mapping[str, str] = PARAMETERS) -> Stack:
    """What CloudFormation makes of a template, once ``sam deploy`` has stored the code."""
    packaged = copy.deepcopy(dict(made))
    packaged["Globals"]["Function"]["CodeUri"] = "s3://bucket/key"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_DEFAULT_REGION", REGION)  # SAM asks boto3 which partition it is in
        translated = transform(packaged, dict(parameters), _NoPolicies())
    resolver = _Resolver(translated, parameters)
    return Stack(resolver.resolved(translated["Resources"]), resolver.resolved(made["Outputs"]))


class _Resolver:
    """Puts values where a template refers to something."""

    def __init__(self, translated: Mapping[str, Any], parameters: Mapping[str, str]) -> None:
        defaults = {
            name: each["Default"]
            for name, each in translated["Parameters"].items()
            if "Default" in each
        }
        self._resources = translated["Resources"]
        self._values = {**_PSEUDO, **defaults, **parameters}

    def resolved(self, node: Any) -> Any:
        """A part of a template, with values."""
        match node:
            case {"Ref": name}:
                return self._reference(name)
            case {"Fn::GetAtt": [name, attribute]}:
                return self._attribute(name, attribute)
            case {"Fn::Sub": given}:
                text, values = (given, {}) if isinstance(given, str) else given
                return self._filled(text, self.resolved(values))
            case dict():
                return {key: self.resolved(inner) for key, inner in node.items()}
            case list():
                return [self.resolved(inner) for inner in node]
            case _:
                return node

    def _reference(self, name: str) -> Any:
        if name in self._values:
            return self._values[name]
        resource = self._resources[name]
        by = _NAMED_BY.get(resource["Type"])
        return self.resolved(resource["Properties"][by]) if by else name

    def _attribute(self, name: str, attribute: str) -> str:
        arn = _ARNS.get(self._resources[name]["Type"], "arn:{}")
        written = arn.format(self._reference(name))
        return written if attribute == "Arn" else f"{written}/{attribute}"

    def _filled(self, text: str, values: Mapping[str, str]) -> str:
        def fill(hole: re.Match[str]) -> str:
            name, attribute = hole[1], hole[2]
            if attribute:
                return self._attribute(name, attribute)
            return str(values[name] if name in values else self._reference(name))

        return _HOLE.sub(fill, text)
