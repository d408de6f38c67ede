"""Templates that CloudFormation takes, and that lose nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gotgan.store.outputs.cloudformation import template
from gotgan.store.outputs.definition import create_request
from gotgan.store.outputs.yaml_text import to_yaml
from gotgan.store.tables import Names, Provisioned, Table

from .declared import DOCUMENTS, everything, news, plain, shops, site
from .templates import complaints, read

ALL = (plain, everything, *DOCUMENTS)


def _provisioned() -> Table:
    return Table("paid", pk="pk", billing=Provisioned(read=1, write=1))


def _properties(table: Table, names: Names | None = None) -> dict[str, Any]:
    [resource] = template([table], names or Names())["Resources"].values()
    properties: dict[str, Any] = resource["Properties"]
    return properties


@pytest.mark.parametrize("declare", [*ALL, _provisioned])
def test_cfn_lint_finds_nothing_to_complain_about(declare: Callable[[], Table]) -> None:
    assert complaints(to_yaml(template([declare()]))) == []


def test_cfn_lint_finds_nothing_in_many_tables_at_once_in_yaml_or_json() -> None:
    made = template([declare() for declare in ALL])
    assert complaints(to_yaml(made)) == []
    assert complaints(json.dumps(made)) == []


def test_cfn_lint_would_find_something() -> None:
    made = template([plain()])
    made["Resources"]["PlainTable"]["Properties"]["KeySchema"] = []
    assert complaints(to_yaml(made)) != []


def test_the_yaml_says_what_the_template_says() -> None:
    made = template([declare() for declare in ALL])
    assert read(to_yaml(made)) == made


@pytest.mark.parametrize("declare", DOCUMENTS)
def test_a_template_makes_the_table_that_create_would_make(declare: Callable[[], Table]) -> None:
    request, properties = create_request(declare()), _properties(declare())
    assert {**properties, "TableName": request["TableName"]}.items() >= request.items()


def test_a_table_outlives_its_stack_and_can_be_restored() -> None:
    resource = template([news()])["Resources"]["NewsItemsTable"]
    assert resource["DeletionPolicy"] == "Retain"
    assert resource["UpdateReplacePolicy"] == "Retain"
    assert resource["Properties"]["DeletionProtectionEnabled"] is True
    assert resource["Properties"]["PointInTimeRecoverySpecification"] == {
        "PointInTimeRecoveryEnabled": True
    }


def test_the_name_is_a_parameter_with_a_suffix_for_the_environment() -> None:
    made = template([site()], Names(tables={"FMWebAppTable": "site"}))
    assert made["Parameters"]["FMWebAppTableName"]["Default"] == "site"
    assert made["Parameters"]["Suffix"]["Default"] == ""
    properties = made["Resources"]["FMWebAppTable"]["Properties"]
    assert properties["TableName"] == {"Fn::Sub": "${FMWebAppTableName}${Suffix}"}


def test_expiry_and_streams_are_in_the_template_where_they_are_declared() -> None:
    properties = _properties(everything())
    assert properties["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
    assert properties["StreamSpecification"] == {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert not {"TimeToLiveSpecification", "StreamSpecification"} & set(_properties(plain()))


def test_name_and_arns_are_handed_on() -> None:
    assert template([everything()])["Outputs"].keys() == {
        "EveryThingTableName",
        "EveryThingTableArn",
        "EveryThingTableStreamArn",
        "GotganTables",
    }
    assert "PlainTableStreamArn" not in template([plain()])["Outputs"]


def test_the_stack_says_how_a_program_finds_its_tables() -> None:
    indexes = {
        ("aura-historia-data", "GSI2"): "CountryLastCrawledIndex",
        ("elsewhere", "GSI1"): "Other",
    }
    names = Names(indexes=indexes)
    output = template([site(), shops()], names)["Outputs"]["GotganTables"]
    assert output["Value"] == {
        "Fn::Sub": "FMWebAppTable=${FMWebAppTable},aura-historia-data=${AuraHistoriaDataTable},"
        "aura-historia-data:GSI2=CountryLastCrawledIndex"
    }


def test_two_tables_never_share_a_resource() -> None:
    tables = [plain("news-items"), plain("news_items"), plain("news.items")]
    made = template(tables)
    assert list(made["Resources"]) == ["NewsItemsTable", "NewsItemsTable2", "NewsItemsTable3"]
    assert complaints(to_yaml(made)) == []
