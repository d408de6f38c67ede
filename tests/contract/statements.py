"""PartiQL in the tests: statements in which ``$t`` stands for the table."""

from __future__ import annotations

from typing import Any

from .shapes import plain, value
from .tables import Table

__all__ = ["entry", "execute", "found", "item_pages"]

Answer = dict[str, Any]


def entry(table: Table, statement: str, *parameters: object, **members: Any) -> dict[str, Any]:
    """A statement as a request, a batch and a transaction take it."""
    request: dict[str, Any] = {"Statement": statement.replace("$t", f'"{table.name}"'), **members}
    if parameters:
        request["Parameters"] = [value(parameter) for parameter in parameters]
    return request


def execute(table: Table, statement: str, *parameters: object, **members: Any) -> Answer:
    """Run one statement."""
    request = entry(table, statement, *parameters, **members)
    answer: Answer = table.client.execute_statement(**request)
    return answer


def found(
    table: Table, statement: str, *parameters: object, **members: Any
) -> list[dict[str, Any]]:
    """The items that a statement returns, as plain Python values."""
    return [plain(item) for item in execute(table, statement, *parameters, **members)["Items"]]


def item_pages(
    table: Table, statement: str, *parameters: object, **members: Any
) -> list[list[dict[str, Any]]]:
    """The items of every page, following NextToken to the end."""
    pages: list[list[dict[str, Any]]] = []
    while True:
        answer = execute(table, statement, *parameters, **members)
        pages.append([plain(item) for item in answer["Items"]])
        if "NextToken" not in answer:
            return pages
        members["NextToken"] = answer["NextToken"]
