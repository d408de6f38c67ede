"""Whether an answer is one that the document tells of."""

from __future__ import annotations

from typing import Any

import httpx
from fastapi import FastAPI
from jsonschema import Draft202012Validator

__all__ = ["expect_told"]


def expect_told(server: FastAPI, operation: str, answer: httpx.Response) -> None:
    """See that an answer has the schema that its operation gives for its status."""
    document = server.openapi()
    [responses] = [
        told["responses"]
        for methods in document["paths"].values()
        for told in methods.values()
        if told["operationId"] == operation
    ]
    content = responses[str(answer.status_code)]["content"]["application/json"]
    schema: dict[str, Any] = {**content["schema"], "components": document["components"]}
    Draft202012Validator(schema).validate(answer.json())
