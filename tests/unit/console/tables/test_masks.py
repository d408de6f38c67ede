"""Secrets on no page: neither hashes of tokens nor digests of codes, however they are asked for."""

from __future__ import annotations

from base64 import b64decode
from urllib.parse import urlencode

import pytest

from gotgan.console.tables.masks import MASK, has_secret_key, masked, secret_attributes
from gotgan.domains.site.keys import SITE
from tests.unit.console.tables.conftest import House, Visitor
from tests.unit.console.tables.filling import is_code

TABLE = "/tables/FMWebAppTable"
WAYS = [
    {"scan": "yes", "limit": "500"},
    {"scan": "yes", "limit": "500", "only": "secretHash, digest, userId"},
    {"scan": "yes", "limit": "500", "filters": "PK^SIGN_IN#"},
    {"pk": "USER#a"},
    {"index": "Type_CreatedAt", "pk": "Token"},
]


def assert_bare(house: House, admin: Visitor, text: str) -> None:
    """None of the secrets that are there now, with those of whoever looks."""
    items = house.app.store.calls.driver.call("Scan", {"TableName": SITE.name})["Items"]
    hashes = [item["secretHash"]["S"] for item in items if "secretHash" in item]
    session = admin.client.cookies["gotgan_session"].rpartition(".")[2]
    assert len(session) > 20
    assert [secret for secret in (*house.filled.secrets, *hashes, session) if secret in text] == []


@pytest.mark.parametrize("asked", WAYS)
@pytest.mark.parametrize("ending", ["", ".json", ".csv"])
def test_no_query_shows_a_secret(
    house: House, admin: Visitor, asked: dict[str, str], ending: str
) -> None:
    page = admin.open(f"{TABLE}{ending}?{urlencode(asked)}")
    assert admin.answer.status_code == 200
    assert MASK in page
    assert_bare(house, admin, page)


@pytest.mark.parametrize("pattern", ["all_tokens", "tokens_of?arg.user_id=a"])
def test_no_pattern_shows_a_secret(house: House, admin: Visitor, pattern: str) -> None:
    page = admin.open(f"{TABLE}/patterns/{pattern}")
    assert MASK in page
    assert_bare(house, admin, page)


def test_a_token_is_shown_without_its_hash(house: House, admin: Visitor) -> None:
    key = {"pk": "USER#a", "sk": f"TOKEN#{house.filled.names['token_id']}"}
    for ending in ("", ".json"):
        page = admin.open(f"{TABLE}/item{ending}?{urlencode(key)}")
        assert admin.answer.status_code == 200
        assert "reader" in page
        assert MASK in page
        assert_bare(house, admin, page)


def test_no_page_of_a_scan_tells_the_key_of_a_code(house: House, admin: Visitor) -> None:
    """A cursor names the key that it stands behind."""
    cursor, keys = "", []
    while True:
        query = urlencode({"scan": "yes", "limit": "1", "cursor": cursor})
        assert_bare(house, admin, admin.open(f"{TABLE}?{query}"))
        found = admin.file(f"{TABLE}.json?{query}")
        keys += [(item["PK"], item["SK"]) for item in found["items"]]
        cursor = found["cursor"]
        if cursor is None:
            break
        assert "SIGN_IN" not in bytes_of(cursor)
    whole = admin.file(f"{TABLE}.json?scan=yes&limit=500")["items"]
    assert keys == [(item["PK"], item["SK"]) for item in whole]


def bytes_of(cursor: str) -> str:
    """What a cursor says."""
    return b64decode(cursor).decode()


@pytest.mark.parametrize(
    "asked",
    [
        {"filters": "secretHash^0"},
        {"expression": "contains(secretHash, :x)", "values": ":x=0"},
        {"expression": "size(#s) > :x", "values": "#s=secretHash\n:x=0"},
    ],
)
def test_nothing_is_filtered_by_a_secret(admin: Visitor, asked: dict[str, str]) -> None:
    """Whoever could would guess it letter by letter."""
    page = admin.open(f"{TABLE}?{urlencode({'pk': 'USER#a', **asked})}")
    assert admin.answer.status_code == 422
    assert "This attribute is secret" in page


def test_an_item_keyed_by_a_secret_has_no_link(house: House, admin: Visitor) -> None:
    page = admin.open(f"{TABLE}?scan=yes&limit=500")
    assert page.count(f"SIGN_IN#{MASK}") == 3
    assert "item?pk=SIGN_IN" not in page
    items = house.app.store.calls.driver.call("Scan", {"TableName": SITE.name})["Items"]
    code = next(item for item in items if is_code(item))
    assert has_secret_key(SITE, code)
    assert masked(SITE, code)["PK"] == {"S": f"SIGN_IN#{MASK}"}


def test_the_secrets_of_the_site_are_known() -> None:
    assert secret_attributes(SITE) >= {"secretHash"}
