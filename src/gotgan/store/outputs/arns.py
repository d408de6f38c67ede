"""How a table and its indexes are named in a policy: in plain JSON, and inside a template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Arns", "PlainArns", "TemplateArns"]


class Arns(Protocol):
    """The resources of one table."""

    def table(self) -> Any:
        """The table."""

    def index(self, name: str) -> Any:
        """One of its indexes."""


@dataclass(frozen=True)
class PlainArns:
    """ARNs as text; who does not know region and account yet puts them in later."""

    name: str
    region: str = "REGION"
    account: str = "ACCOUNT"
    partition: str = "aws"

    def table(self) -> str:
        """``arn:aws:dynamodb:REGION:ACCOUNT:table/name``."""
        return f"arn:{self.partition}:dynamodb:{self.region}:{self.account}:table/{self.name}"

    def index(self, name: str) -> str:
        """The same, with ``/index/name`` behind it."""
        return f"{self.table()}/index/{name}"


@dataclass(frozen=True)
class TemplateArns:
    """ARNs of a table that the same template makes."""

    logical: str

    def table(self) -> dict[str, Any]:
        """``!GetAtt Table.Arn``."""
        return {"Fn::GetAtt": [self.logical, "Arn"]}

    def index(self, name: str) -> dict[str, Any]:
        """``!Sub "${Table.Arn}/index/name"``."""
        return {"Fn::Sub": f"${{{self.logical}.Arn}}/index/{name}"}
