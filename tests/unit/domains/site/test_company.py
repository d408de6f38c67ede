"""The company: one item, which two cannot begin and nobody overwrites unseen."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.service import Site
from gotgan.errors import NotFound, UsageError, VersionConflict
from gotgan.items import record_item
from gotgan.store import Store
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Meddling
from tests.unit.domains.site.records import items


def test_there_is_none_until_somebody_writes_it(site: Site) -> None:
    assert site.company.look() is None
    with pytest.raises(NotFound, match="An admin must enter it first"):
        site.company.get()
    with pytest.raises(NotFound):
        site.company.update({"name": "n"}, version=None)


def test_it_is_one_item_under_its_own_key(site: Site, store: Store, clock: FixedClock) -> None:
    first = site.company.replace({"name": "One", "email": "one@example.com"})
    clock.advance(timedelta(hours=1))
    second = site.company.replace({"name": "Two", "email": None}, version=1)
    assert (first.version, second.version) == (1, 2)
    assert (second.created_at, second.updated_at) == (MORNING, MORNING + timedelta(hours=1))
    [key] = [key for key in items(store) if key[0].startswith("CORP")]
    assert key == ("CORP#INFO", "METADATA")
    assert "email" not in items(store)[key]
    assert site.company.get(consistent=True) == second


def test_of_two_who_begin_at_once_one_is_told_what_the_other_wrote(
    site: Site, meddling: Meddling
) -> None:
    meddling.before("PutItem", lambda: site.company.replace({"name": "First"}))
    with pytest.raises(VersionConflict, match="Read it again and repeat") as lost:
        site.company.replace({"name": "Second"})
    assert lost.value.current == site.company.get()
    assert site.company.get().name == "First"


def test_a_change_of_an_old_version_is_refused(site: Site, meddling: Meddling) -> None:
    site.company.replace({"name": "One"})
    current = site.company.update({"fax": "1"}, version=1)
    for act in (site.company.replace, site.company.update):
        with pytest.raises(VersionConflict) as lost:
            act({"name": "Two"}, version=1)
        assert lost.value.current == current
    meddling.before("UpdateItem", lambda: site.company.update({"fax": "2"}, version=2))
    with pytest.raises(VersionConflict):
        site.company.update({"fax": "3"}, version=2)
    assert site.company.get().fax == "2"


def test_additional_attributes_are_kept_beside_the_fields(site: Site, store: Store) -> None:
    first = site.company.replace({"name": "One"}, more={"kakaoTalk": "@one", "blog": "b"})
    assert first.more == {"kakaoTalk": "@one", "blog": "b"}
    changed = site.company.update({"fax": "1"}, more={"blog": None, "since": "1999"}, version=1)
    assert changed.more == {"kakaoTalk": "@one", "since": "1999"}
    item = items(store)["CORP#INFO", "METADATA"]
    assert (item["kakaoTalk"], item["since"], item["fax"]) == ("@one", "1999", "1")
    assert "blog" not in item
    assert site.company.get(consistent=True) == changed
    assert record_item(changed)["kakaoTalk"] == "@one"


def test_an_attribute_that_others_wrote_is_shown_and_stays(site: Site, store: Store) -> None:
    site.company.replace({"name": "One"})
    store.calls.driver.call(
        "UpdateItem",
        {
            "TableName": "FMWebAppTable",
            "Key": {"PK": {"S": "CORP#INFO"}, "SK": {"S": "METADATA"}},
            "UpdateExpression": "SET employees = :n",
            "ExpressionAttributeValues": {":n": {"N": "25"}},
        },
    )
    assert record_item(site.company.update({"fax": "1"}, version=1))["employees"] == 25


@pytest.mark.parametrize(
    "name",
    [
        "PK",
        "sk",
        "Type",
        "id",
        "version",
        "CreatedAt",
        "updated_at",
        "expiresAt",
        "corpNum",
        "Email",
        "",
        "1st",
        "a-b",
        "한글",
        "a" * 51,
    ],
)
def test_a_name_that_means_something_else_is_refused(site: Site, name: str) -> None:
    with pytest.raises(UsageError, match="Additional attribute"):
        site.company.replace({"name": "One"}, more={name: "x"})
    assert site.company.look() is None


def test_additional_attributes_are_bounded(site: Site) -> None:
    values: list[Any] = ["", "x" * 201, 5]
    for value in values:
        with pytest.raises(UsageError, match="1 to 200 characters"):
            site.company.replace({"name": "One"}, more={"since": value})
    many = {f"a{number}": "x" for number in range(50)}
    site.company.replace({"name": "One"}, more=many)
    with pytest.raises(UsageError, match="at most 50"):
        site.company.update({}, more={"b": "x"}, version=1)
    assert len(site.company.update({}, more={"b": "x", "a0": None}, version=1).more) == 50
