"""The company: one item, which two cannot begin and nobody overwrites unseen."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.service import Site
from gotgan.errors import NotFound, VersionConflict
from gotgan.store import Store
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Meddling
from tests.unit.domains.site.records import items


def test_there_is_none_until_somebody_writes_it(site: Site) -> None:
    assert site.company.look() is None
    with pytest.raises(NotFound, match="an admin writes it first"):
        site.company.get()
    with pytest.raises(NotFound):
        site.company.update({"name": "n"}, expected=None)


def test_it_is_one_item_under_its_own_key(site: Site, store: Store, clock: FixedClock) -> None:
    first = site.company.write({"name": "One", "email": "one@example.com"}, expected=None)
    clock.advance(timedelta(hours=1))
    second = site.company.write({"name": "Two", "email": None}, expected=1)
    assert (first.version, second.version) == (1, 2)
    assert (second.created_at, second.updated_at) == (MORNING, MORNING + timedelta(hours=1))
    [key] = [key for key in items(store) if key[0].startswith("CORP")]
    assert key == ("CORP#INFO", "METADATA")
    assert "email" not in items(store)[key]
    assert site.company.get(consistent=True) == second


def test_of_two_who_begin_at_once_one_is_told_what_the_other_wrote(
    site: Site, meddling: Meddling
) -> None:
    meddling.before("PutItem", lambda: site.company.write({"name": "First"}, expected=None))
    with pytest.raises(VersionConflict, match="read it and repeat") as lost:
        site.company.write({"name": "Second"}, expected=None)
    assert lost.value.current == site.company.get()
    assert site.company.get().name == "First"


def test_a_change_of_an_old_version_is_refused(site: Site, meddling: Meddling) -> None:
    site.company.write({"name": "One"}, expected=None)
    current = site.company.update({"fax": "1"}, expected=1)
    for act in (site.company.write, site.company.update):
        with pytest.raises(VersionConflict) as lost:
            act({"name": "Two"}, expected=1)
        assert lost.value.current == current
    meddling.before("UpdateItem", lambda: site.company.update({"fax": "2"}, expected=2))
    with pytest.raises(VersionConflict):
        site.company.update({"fax": "3"}, expected=2)
    assert site.company.get().fax == "2"
