"""Banners: listed newest first until they end, and changed by one hand at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.models import Banner
from gotgan.domains.site.service import Site
from gotgan.errors import IdTaken, NotFound, VersionConflict
from gotgan.store import Store
from gotgan.store.attributes import encode
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Meddling
from tests.unit.domains.site.records import items, put_raw

IMAGE = "https://cdn.example.com/banner/bn001.png"
DAY = timedelta(days=1)


@pytest.fixture
def banner(site: Site) -> Banner:
    return site.banners.create(id="bn001", title="t", desc="d", img_uri=IMAGE)


def test_a_banner_is_made_read_changed_and_deleted(site: Site, banner: Banner) -> None:
    assert site.banners.get("bn001") == banner
    changed = site.banners.update("bn001", {"title": "New", "desc": None}, version=1)
    assert (changed.title, changed.desc, changed.version) == ("New", None, 2)
    site.banners.delete("bn001", version=2)
    for act in (
        lambda: site.banners.get("bn001"),
        lambda: site.banners.update("bn001", {"title": "t"}, version=None),
        lambda: site.banners.delete("bn001"),
    ):
        with pytest.raises(NotFound, match="no banner"):
            act()


def test_an_id_is_taken_once_and_else_a_new_one_is_made(site: Site, banner: Banner) -> None:
    with pytest.raises(IdTaken):
        site.banners.create(id="bn001", title="Other", img_uri=IMAGE)
    assert site.banners.get("bn001") == banner
    assert site.banners.create(title="Other", img_uri=IMAGE).id != "bn001"


def test_banners_come_newest_first_and_a_spoilt_one_is_left_out(
    site: Site, banner: Banner, store: Store, clock: FixedClock
) -> None:
    clock.advance(DAY)
    later = site.banners.create(title="Later", img_uri=IMAGE)
    texts = {"PK": "BANNER#bad", "SK": "METADATA", "Type": "Banner", "id": "bad"}
    put_raw(store, {k: {"S": v} for k, v in {**texts, "CreatedAt": "2025-11-30"}.items()})
    assert site.banners.list().items == (later, banner)
    page = site.banners.list(limit=1)
    assert site.banners.list(limit=5, cursor=page.cursor).items == (banner,)


def test_a_banner_is_hidden_from_the_moment_at_which_it_ends(
    site: Site, store: Store, clock: FixedClock
) -> None:
    site.banners.create(id="b", title="t", img_uri=IMAGE, expires_at=MORNING + DAY)
    assert items(store)["BANNER#b", "METADATA"]["expiresAt"] == 1762851600
    clock.advance(DAY - timedelta(seconds=1))
    assert len(site.banners.list()) == 1
    clock.advance(timedelta(seconds=1))
    assert site.banners.list().items == ()
    with pytest.raises(NotFound):
        site.banners.get("b")


@pytest.mark.usefixtures("banner")
def test_what_another_hand_changed_meanwhile_is_a_lost_update(
    site: Site, meddling: Meddling
) -> None:
    meddling.before("UpdateItem", lambda: site.banners.update("bn001", {"title": "1"}, version=1))
    with pytest.raises(VersionConflict) as lost:
        site.banners.update("bn001", {"title": "2"}, version=1)
    assert lost.value.current == site.banners.get("bn001")
    meddling.before("DeleteItem", lambda: site.banners.update("bn001", {"title": "3"}, version=2))
    with pytest.raises(VersionConflict):
        site.banners.delete("bn001", version=2)
    assert (site.banners.get("bn001").title, site.banners.get("bn001").version) == ("3", 3)
    with pytest.raises(VersionConflict, match="version 3, but the change is for version 1"):
        site.banners.delete("bn001", version=1)


@pytest.mark.parametrize(
    "spoilt",
    [{"CreatedAt": "2026-99-01T00:00:00Z"}, {"expiresAt": 99_999_999_999_999}],
)
def test_a_record_that_somebody_spoilt_is_left_out(
    site: Site, store: Store, spoilt: dict[str, Any]
) -> None:
    kept = site.banners.create(id="kept", title="t", img_uri="/a.png")
    record = items(store)["BANNER#kept", "METADATA"]
    put_raw(store, encode({**record, "PK": "BANNER#bad", "id": "bad", **spoilt})["M"])
    assert list(site.banners.list()) == [kept]
