"""The table of operations on the page of the engine has every operation, and says what is there."""

from __future__ import annotations

import re

import boto3

from gotgan.store.engine.engine import OPERATIONS
from tests.house.repository import DOCS

ROW = re.compile(r"^\| ((?:[A-Z]\w+(?:, )?)+) \| (yes|no)\b", re.MULTILINE)


def rows() -> dict[str, str]:
    page = (DOCS / "engine.md").read_text(encoding="utf-8")
    section = page.partition("### Operations\n")[2].partition("\n## ")[0]
    return {name: said for names, said in ROW.findall(section) for name in names.split(", ")}


def test_what_the_engine_has_is_in_the_table() -> None:
    assert {name for name, said in rows().items() if said == "yes"} == set(OPERATIONS)


def test_every_operation_that_aws_has_is_in_the_table() -> None:
    known = {
        name
        for service in ("dynamodb", "dynamodbstreams")
        for name in boto3.client(
            service, region_name="us-east-1"
        ).meta.service_model.operation_names
    }
    assert known == set(rows())
