from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .tables import MakeTable, Table, unique_name


def _spec(name: str = "expires", *, enabled: bool = True) -> dict[str, Any]:
    return {"TimeToLiveSpecification": {"AttributeName": name, "Enabled": enabled}}


def _status(table: Table) -> dict[str, Any]:
    description: dict[str, Any] = table.describe_time_to_live()["TimeToLiveDescription"]
    return description


def test_a_new_table_has_no_time_to_live(make_table: MakeTable) -> None:
    assert _status(make_table()) == {"TimeToLiveStatus": "DISABLED"}


def test_enabling_answers_with_the_specification_and_is_described(make_table: MakeTable) -> None:
    table = make_table()
    answer = table.update_time_to_live(**_spec())
    assert answer["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
    status = _status(table)
    assert status["AttributeName"] == "expires"
    assert status["TimeToLiveStatus"] in {"ENABLING", "ENABLED"}


def test_time_to_live_can_be_turned_off_again(make_table: MakeTable) -> None:
    table = make_table()
    table.update_time_to_live(**_spec())
    answer = table.update_time_to_live(**_spec(enabled=False))
    assert answer["TimeToLiveSpecification"]["Enabled"] is False
    assert _status(table)["TimeToLiveStatus"] in {"DISABLING", "DISABLED"}


def test_it_is_not_enabled_twice(make_table: MakeTable) -> None:
    table = make_table()
    table.update_time_to_live(**_spec())
    with refused(INVALID, match="already enabled"):
        table.update_time_to_live(**_spec())


def test_it_is_not_disabled_twice(make_table: MakeTable) -> None:
    with refused(INVALID, match="already disabled"):
        make_table().update_time_to_live(**_spec(enabled=False))


@pytest.mark.parametrize("enabled", [True, False])
def test_the_attribute_does_not_change_while_enabled(make_table: MakeTable, enabled: bool) -> None:
    table = make_table()
    table.update_time_to_live(**_spec("expires"))
    with refused(INVALID):
        table.update_time_to_live(**_spec("other", enabled=enabled))
    assert _status(table)["AttributeName"] == "expires"


@pytest.mark.parametrize("name", ["", "x" * 256])
def test_the_attribute_name_has_1_to_255_characters(make_table: MakeTable, name: str) -> None:
    with refused(INVALID):
        make_table().update_time_to_live(**_spec(name))


def test_a_missing_table_has_no_time_to_live_to_change(client: Any) -> None:
    with refused("ResourceNotFoundException"):
        client.update_time_to_live(TableName=unique_name(), **_spec())


def test_an_item_that_expires_in_the_future_stays(make_table: MakeTable) -> None:
    table = make_table()
    table.update_time_to_live(**_spec())
    table.put(pk="later", expires=32503680000)
    table.put(pk="text", expires="1")
    table.put(pk="never")
    for key in ("later", "text", "never"):
        assert table.get(pk=key) is not None
