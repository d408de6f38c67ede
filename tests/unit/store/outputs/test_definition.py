"""CreateTable and UpdateTimeToLive, as a declaration gives them."""

from __future__ import annotations

from gotgan.store.outputs.definition import create_request, index_request, ttl_request
from gotgan.store.tables import Names, Table

from .declared import everything, plain, shops, site


def test_a_table_with_one_key_is_a_short_request_on_demand() -> None:
    assert create_request(plain()) == {
        "TableName": "plain",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }


def test_everything_that_can_be_declared_is_in_the_request() -> None:
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 3}
    assert create_request(everything()) == {
        "TableName": "every-thing",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "title", "AttributeType": "S"},
            {"AttributeName": "author", "AttributeType": "S"},
            {"AttributeName": "year", "AttributeType": "N"},
            {"AttributeName": "kind", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "BillingMode": "PROVISIONED",
        "ProvisionedThroughput": units,
        "LocalSecondaryIndexes": [
            {
                "IndexName": "by_title",
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "title", "KeyType": "RANGE"},
                ],
                "Projection": {
                    "ProjectionType": "INCLUDE",
                    "NonKeyAttributes": ["author", "year"],
                },
            }
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by_author",
                "KeySchema": [
                    {"AttributeName": "author", "KeyType": "HASH"},
                    {"AttributeName": "year", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
                "ProvisionedThroughput": units,
            },
            {
                "IndexName": "by_kind",
                "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
                "ProvisionedThroughput": units,
            },
        ],
        "StreamSpecification": {
            "StreamEnabled": True,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    }


def test_the_names_are_those_of_the_place() -> None:
    names = Names(
        tables={"aura-historia-data": "shops-prod"},
        indexes={("aura-historia-data", "GSI2"): "CountryLastCrawledIndex"},
    )
    request = create_request(shops(), names)
    assert request["TableName"] == "shops-prod"
    called = [index["IndexName"] for index in request["GlobalSecondaryIndexes"]]
    assert called == ["GSI1", "CountryLastCrawledIndex", "GSI3", "GSI4"]


def test_an_index_that_holds_no_attributes_holds_the_keys() -> None:
    table = Table("books", pk="pk")
    table.index("nothing", pk="kind", project=())
    [index] = create_request(table)["GlobalSecondaryIndexes"]
    assert index["Projection"] == {"ProjectionType": "KEYS_ONLY"}


def test_an_index_is_added_with_the_types_of_its_own_keys() -> None:
    request = index_request(everything().indexes["by_author"])
    assert request["AttributeDefinitions"] == [
        {"AttributeName": "author", "AttributeType": "S"},
        {"AttributeName": "year", "AttributeType": "N"},
    ]
    [change] = request["GlobalSecondaryIndexUpdates"]
    assert change["Create"]["IndexName"] == "by_author"


def test_expiry_is_asked_for_where_it_is_declared() -> None:
    names = Names(tables={"FMWebAppTable": "site-prod"})
    assert ttl_request(site(), names) == {
        "TableName": "site-prod",
        "TimeToLiveSpecification": {"AttributeName": "expiresAt", "Enabled": True},
    }
    assert ttl_request(plain()) is None
