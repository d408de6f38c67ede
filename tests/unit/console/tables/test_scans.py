"""A scan is never hidden: it must be asked for, and says what it costs before and after."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from gotgan.store import Cost
from tests.unit.console.tables.conftest import House, Visitor

SITE = "/tables/FMWebAppTable"


def browsed(house: House) -> float:
    """How many units the pages of the tables took so far."""
    return house.app.store.calls.meter.total().by_verb().get("browse", Cost()).reads


@pytest.mark.parametrize(
    "asked", [{"scan": "ask"}, {"filters": "role=admin"}, {"limit": "7"}, {"cursor": "x"}]
)
def test_a_scan_says_first_what_it_will_cost(
    house: House, admin: Visitor, asked: dict[str, str]
) -> None:
    before = browsed(house)
    page = admin.open(f"{SITE}?{urlencode(asked)}")
    assert admin.answer.status_code == 200
    assert "A scan reads all partitions" in page
    assert "Scan now, for about $0.0000" in page
    for ending in (".json", ".csv"):
        assert admin.client.get(f"{SITE}{ending}?{urlencode(asked)}").status_code == 422
    assert browsed(house) == before


def test_a_scan_is_made_when_it_is_agreed_to_and_costs_what_was_forecast(
    house: House, admin: Visitor
) -> None:
    page = admin.ask(SITE, scan="ask", limit="500")
    units = re.search(r"about ([\d.]+) read units, (\$[\d.]+)\.", page)
    button = re.search(r'class="button danger" href="([^"]+)"', page)
    assert units
    assert button
    before = browsed(house)
    page = admin.open(button[1].replace("&amp;", "&"))
    assert f"{units[1]} read units, {units[2]}" in page
    assert browsed(house) == before + float(units[1])


def test_a_page_of_a_scan_is_forecast_by_what_it_reads(admin: Visitor) -> None:
    page = admin.open(f"{SITE}?scan=ask&limit=3")
    assert "This page reads up to 3 items: about 0.5 read units" in page
    page = admin.open(f"{SITE}?scan=ask&limit=3&filters=role%3Dadmin")
    found = re.search(r"This page reads up to (\d+) items", page)
    assert found
    assert int(found[1]) > 20


def test_what_was_read_is_booked_like_everything(house: House, admin: Visitor) -> None:
    before = browsed(house)
    cost = admin.file(f"{SITE}.json?scan=yes&limit=500")["cost"]["reads"]
    assert cost > 0
    assert browsed(house) == before + cost


def test_an_index_is_scanned_alone(admin: Visitor) -> None:
    page = admin.open(f"{SITE}?index=Type_CreatedAt&scan=yes&limit=500")
    assert "Scan" not in re.findall(r"<h2[^>]*>(.*?)</h2>", page)
    assert "--index-name Type_CreatedAt" in page
    assert "aws dynamodb scan" in page
