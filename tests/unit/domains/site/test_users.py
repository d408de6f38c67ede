"""Users: made, changed and deleted with all their tokens, but never by themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.models import User
from gotgan.domains.site.params import PreferenceFields, UserFields
from gotgan.domains.site.service import Site
from gotgan.errors import (
    ConditionFailed,
    IdTaken,
    ItemMissing,
    NotFound,
    OwnAccount,
    Unauthenticated,
    UsageError,
    VersionConflict,
)
from gotgan.store import Store
from tests.unit.domains.site.meddling import Killed, Meddling
from tests.unit.domains.site.records import a_post, caller, items, put_raw


@pytest.fixture
def kim(site: Site) -> User:
    return site.users.create(id="u002", display_name="Kim", role="editor")


def test_a_user_is_made_under_an_id_of_choice_or_a_new_one(site: Site, kim: User) -> None:
    assert site.users.get("u002") == kim
    other = site.users.create(display_name="Lee", role="viewer")
    assert site.users.get(other.id, consistent=True) == other


def test_an_id_is_taken_once(site: Site, kim: User) -> None:
    with pytest.raises(IdTaken, match="u002"):
        site.users.create(id="u002", display_name="Lee", role="admin")
    assert site.users.get("u002") == kim


def test_users_come_newest_first(site: Site, clock: FixedClock) -> None:
    clock.advance(timedelta(minutes=1))
    later = site.users.create(display_name="Lee", role="viewer")
    assert [user.id for user in site.users.list()] == [later.id, "u001"]


@pytest.mark.usefixtures("kim")
def test_a_change_is_for_one_version(site: Site) -> None:
    changed = site.users.update("u002", {"display_name": "Lee"}, version=1, by=caller("u001"))
    assert (changed.display_name, changed.role, changed.version) == ("Lee", "editor", 2)
    with pytest.raises(VersionConflict) as lost:
        site.users.update("u002", {"role": "viewer"}, version=1, by=caller("u001"))
    assert lost.value.current == changed
    with pytest.raises(NotFound):
        site.users.update("u009", {"role": "viewer"}, version=None, by=caller("u001"))


@pytest.mark.usefixtures("kim")
def test_of_two_changes_at_once_one_is_lost_and_told(site: Site, meddling: Meddling) -> None:
    meddling.before(
        "TransactWriteItems",
        lambda: site.users.update("u002", {"role": "viewer"}, version=1, by=caller("u001")),
    )
    with pytest.raises(VersionConflict):
        site.users.update("u002", {"role": "admin"}, version=1, by=caller("u001"))
    assert site.users.get("u002").role == "viewer"


def test_a_zone_and_a_language_are_set_and_removed_one_by_one(site: Site, kim: User) -> None:
    assert (kim.zone, kim.language) == (None, None)
    site.users.set_preferences("u002", {"zone": "Europe/Berlin", "language": "ko"})
    assert site.users.set_preferences("u002", {"zone": None}).version == 3
    assert site.users.set_preferences("u002", {}).version == 3
    kept = site.users.get("u002", consistent=True)
    assert (kept.zone, kept.language, kept.role) == (None, "ko", "editor")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"zone": "Mars/Phobos"}, "Unknown time zone 'Mars/Phobos': Use a time zone"),
        ({"zone": "/etc/localtime"}, "Unknown time zone"),
        ({"zone": ""}, "Unknown time zone ''"),
        ({"language": "de"}, "Unknown language 'de'. Use en or ko."),
        ({"role": "admin"}, "no preference 'role'. Use zone or language."),
        ({"role": None}, "no preference 'role'"),
    ],
)
def test_an_unknown_preference_is_refused(
    site: Site, kim: User, changes: PreferenceFields, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        site.users.set_preferences("u002", {"language": "en", **changes})
    assert site.users.get("u002", consistent=True) == kim


@pytest.mark.usefixtures("kim")
def test_a_preference_never_conflicts_with_an_admin(site: Site, meddling: Meddling) -> None:
    meddling.before(
        "UpdateItem",
        lambda: site.users.update("u002", {"display_name": "Lee"}, version=1, by=caller("u001")),
    )
    site.users.set_preferences("u002", {"zone": "Asia/Seoul"})
    kept = site.users.get("u002", consistent=True)
    assert (kept.display_name, kept.zone) == ("Lee", "Asia/Seoul")


def test_a_preference_does_not_bring_a_deleted_user_back(site: Site, store: Store) -> None:
    before = items(store)
    with pytest.raises(ItemMissing):
        site.users.set_preferences("u009", {"zone": "Asia/Seoul"})
    assert items(store) == before


def test_a_user_of_another_tool_stays_readable_and_keeps_what_it_has(
    site: Site, store: Store
) -> None:
    texts = {
        "id": "u7",
        "displayName": "Ada",
        "role": "viewer",
        "CreatedAt": "2025-11-15T09:00:00Z",
    }
    key = {"PK": "USER#u7", "SK": "METADATA", "Type": "User"}
    item = {name: {"S": value} for name, value in {**key, **texts}.items()}
    put_raw(store, {**item, "zone": {"N": "7"}, "language": {"L": []}, "shoe": {"N": "44"}})
    assert "u7" in [user.id for user in site.users.list()]
    assert site.users.get("u7").zone is None
    site.users.set_preferences("u7", {"language": "ko"})
    kept = items(store)["USER#u7", "METADATA"]
    assert (kept["zone"], kept["language"], kept["shoe"]) == (7, "ko", 44)


def test_nobody_deletes_their_own_account(site: Site, store: Store) -> None:
    before = items(store)
    with pytest.raises(OwnAccount, match="Ask another admin"):
        site.users.delete("u001", by=caller("u001"))
    assert items(store) == before


def test_nobody_makes_their_own_role_smaller(site: Site) -> None:
    with pytest.raises(OwnAccount, match="Ask another admin"):
        site.users.update("u001", {"role": "editor"}, version=None, by=caller("u001"))
    same: UserFields = {"role": "admin", "display_name": "New"}
    assert site.users.update("u001", same, version=1, by=caller("u001")).display_name == "New"


@pytest.mark.parametrize("number", [0, 1, 90, 95])
@pytest.mark.usefixtures("kim")
def test_a_user_goes_with_all_tokens_and_what_they_wrote_stays(
    site: Site, store: Store, number: int
) -> None:
    post = a_post(site, author_id="u002")
    mine = site.tokens.create(user_id="u001", role="admin")
    theirs = [site.tokens.create(user_id="u002", role="viewer") for _ in range(number)]
    site.users.delete("u002", by=caller("u001"))
    assert [key for key in items(store) if key[0] == "USER#u002"] == []
    assert site.posts.get(post.id).author_id == "u002"
    assert site.tokens.authenticate(mine.text).role == "admin"
    for issued in theirs[:3]:
        with pytest.raises(Unauthenticated):
            site.tokens.authenticate(issued.text)


@pytest.mark.usefixtures("kim")
def test_a_user_is_deleted_only_as_the_version_that_was_meant(
    site: Site, meddling: Meddling
) -> None:
    token = site.tokens.create(user_id="u002", role="viewer")
    site.users.update("u002", {"display_name": "Lee"}, version=1, by=caller("u001"))
    with pytest.raises(VersionConflict):
        site.users.delete("u002", version=1, by=caller("u001"))
    meddling.before(
        "TransactWriteItems",
        lambda: site.users.update("u002", {"display_name": "Cho"}, version=2, by=caller("u001")),
    )
    with pytest.raises(VersionConflict):
        site.users.delete("u002", version=2, by=caller("u001"))
    assert site.tokens.authenticate(token.text).user.display_name == "Cho"


def test_a_removal_that_was_cut_off_can_be_repeated(
    site: Site, kim: User, store: Store, meddling: Meddling
) -> None:
    for _ in range(95):
        site.tokens.create(user_id="u002", role="viewer")
    meddling.dies_after("BatchWriteItem")
    with pytest.raises(Killed):
        site.users.delete("u002", by=caller("u001"))
    assert site.users.get("u002") == kim
    site.users.delete("u002", by=caller("u001"))
    assert [key for key in items(store) if key[0] == "USER#u002"] == []


def test_removing_who_is_not_there_says_so(site: Site) -> None:
    with pytest.raises(NotFound):
        site.users.delete("u009", by=caller("u001"))


def test_the_owner_is_the_admin_who_came_first(site: Site, clock: FixedClock) -> None:
    clock.advance(timedelta(minutes=1))
    site.users.create(id="u000", display_name="Later", role="admin")
    assert site.users.owner().id == "u001"


def test_where_there_is_nobody_an_owner_is_made_once(site: Site) -> None:
    site.users.delete("u001", by=None)
    owner = site.users.owner()
    assert owner.role == "admin"
    assert site.users.owner() == owner
    assert site.users.list().items == (owner,)


@pytest.mark.usefixtures("kim")
def test_where_there_are_users_but_no_admin_an_owner_is_made(site: Site) -> None:
    site.users.delete("u001", by=None)
    assert site.users.owner().role == "admin"


def test_an_owner_who_is_no_admin_any_more_stays_as_they_are(site: Site) -> None:
    site.users.create(id="owner", display_name="Owner", role="viewer")
    site.users.delete("u001", by=None)
    with pytest.raises(NotFound, match="no admin"):
        site.users.owner()


def test_of_two_admins_who_remove_each_other_one_is_left(site: Site, meddling: Meddling) -> None:
    site.users.create(id="u002", display_name="Lee", role="admin")
    meddling.before("TransactWriteItems", lambda: site.users.delete("u001", by=caller("u002")))
    with pytest.raises(ConditionFailed):
        site.users.delete("u002", by=caller("u001"))
    assert [user.id for user in site.users.list()] == ["u002"]


def test_of_two_admins_who_demote_each_other_one_is_left(site: Site, meddling: Meddling) -> None:
    site.users.create(id="u002", display_name="Lee", role="admin")
    less: UserFields = {"role": "viewer"}
    meddling.before(
        "TransactWriteItems",
        lambda: site.users.update("u001", less, version=None, by=caller("u002")),
    )
    with pytest.raises(ConditionFailed):
        site.users.update("u002", less, version=None, by=caller("u001"))
    assert site.users.get("u002").role == "admin"


def test_users_are_found_by_ids_and_an_id_that_nobody_can_have_finds_nobody(
    site: Site, kim: User
) -> None:
    assert site.users.get_many(["u002", "", "none", "a#b", "u002"]) == {"u002": kim}
