"""Tokens: shown once, stored hashed, and worthless as soon as anything about them is not right."""

from __future__ import annotations

import base64
import hashlib
from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.auth import CODE_LIFE, SESSION_LIFE
from gotgan.domains.site.models import ROLES, Role, Token, lower_role
from gotgan.domains.site.service import Site
from gotgan.errors import Forbidden, ItemMissing, NotFound, StoreError, Unauthenticated
from gotgan.store import Store
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Killed, Meddling
from tests.unit.domains.site.records import caller, items

MINUTE = timedelta(minutes=1)


def current(site: Site, token: Token) -> Token:
    [found] = [each for each in site.tokens.for_user(token.user_id) if each.id == token.id]
    return found


def test_a_token_proves_who_somebody_is(site: Site) -> None:
    issued = site.tokens.create(user_id="u001", role="editor", note="the crawler")
    found = site.tokens.authenticate(issued.text)
    assert (found.user, found.role) == (site.users.get("u001"), "editor")
    assert found.token is not None
    assert (found.token.id, found.token.note) == (issued.token.id, "the crawler")


def test_a_secret_has_256_bits_and_only_its_hash_is_stored(site: Site, store: Store) -> None:
    issued = site.tokens.create(user_id="u001", role="viewer")
    start, user, token_id, secret = issued.text.split(".")
    assert (start, user, token_id) == ("gotgan", "u001", issued.token.id)
    assert len(base64.urlsafe_b64decode(secret + "=")) == 32
    item = items(store)["USER#u001", f"TOKEN#{issued.token.id}"]
    assert item["secretHash"] == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in repr(items(store))
    assert site.tokens.create(user_id="u001", role="viewer").text != issued.text


def test_checking_a_token_is_one_strongly_consistent_read(
    site: Site, store: Store, meddling: Meddling
) -> None:
    text = site.tokens.create(user_id="u001", role="viewer").text
    site.tokens.authenticate(text)
    meddling.seen.clear()
    with store.metered() as measured:
        site.tokens.authenticate(text)
    assert (meddling.seen, measured.cost.reads) == (["BatchGetItem"], 2.0)


@pytest.mark.parametrize("theirs", ROLES)
@pytest.mark.parametrize("asked", ROLES)
def test_a_token_is_never_made_for_more_than_its_user_may(
    site: Site, theirs: Role, asked: Role
) -> None:
    site.users.create(id="u002", display_name="Kim", role=theirs)
    if lower_role(theirs, asked) == asked:
        assert site.tokens.create(user_id="u002", role=asked).token.role == asked
    else:
        with pytest.raises(Forbidden, match=f"role of u002 is {theirs}"):
            site.tokens.create(user_id="u002", role=asked)
        assert not site.tokens.for_user("u002")


@pytest.mark.parametrize("now", ROLES)
@pytest.mark.parametrize("then", ROLES)
def test_a_token_may_what_both_it_and_its_user_of_this_moment_may(
    site: Site, then: Role, now: Role
) -> None:
    site.users.create(id="u002", display_name="Kim", role=then)
    text = site.tokens.create(user_id="u002", role=then).text
    site.users.update("u002", {"role": now}, version=None, by=caller("u001"))
    assert site.tokens.authenticate(text).role == lower_role(then, now)


def test_a_token_ends_when_the_clock_says_so(site: Site, clock: FixedClock) -> None:
    text = site.tokens.create(user_id="u001", role="viewer", expires_in_days=1).text
    forever = site.tokens.create(user_id="u001", role="viewer").text
    clock.advance(timedelta(days=1, seconds=-1))
    assert site.tokens.authenticate(text).user.id == "u001"
    clock.advance(timedelta(seconds=1))
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(text)
    clock.advance(timedelta(days=9_000))
    assert site.tokens.authenticate(forever).user.id == "u001"


def test_a_revoked_token_is_worthless_at_once_and_stays_in_the_list(
    site: Site, clock: FixedClock
) -> None:
    issued, other = (site.tokens.create(user_id="u001", role="viewer") for _ in range(2))
    clock.advance(MINUTE)
    revoked = site.tokens.revoke("u001", issued.token.id)
    assert revoked.revoked_at == MORNING + MINUTE
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(issued.text)
    kept = site.tokens.authenticate(other.text).token
    assert kept is not None
    assert kept.id == other.token.id
    assert revoked in site.tokens.for_user("u001")
    clock.advance(MINUTE)
    assert site.tokens.revoke("u001", issued.token.id) == revoked


def test_a_token_that_is_used_while_it_is_revoked_is_revoked(
    site: Site, meddling: Meddling
) -> None:
    issued = site.tokens.create(user_id="u001", role="viewer")
    meddling.before("UpdateItem", lambda: site.tokens.authenticate(issued.text))
    assert site.tokens.revoke("u001", issued.token.id).revoked_at == MORNING
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(issued.text)


def test_a_note_of_use_does_not_bring_back_a_token_that_was_revoked_or_deleted_meanwhile(
    site: Site, store: Store, meddling: Meddling
) -> None:
    site.users.create(id="u002", display_name="Kim", role="viewer")
    revoked, deleted = (
        site.tokens.create(user_id=each, role="viewer") for each in ("u001", "u002")
    )
    meddling.before("UpdateItem", lambda: site.tokens.revoke("u001", revoked.token.id))
    site.tokens.authenticate(revoked.text)
    assert current(site, revoked.token).last_used_at is None
    meddling.before("UpdateItem", lambda: site.users.delete("u002", by=caller("u001")))
    site.tokens.authenticate(deleted.text)
    assert [key for key in items(store) if key[0] == "USER#u002"] == []


def test_a_revocation_finds_only_what_is_there(site: Site) -> None:
    token = site.tokens.create(user_id="u001", role="viewer").token
    for user_id, token_id in (("u001", "nothing"), ("u002", token.id)):
        with pytest.raises(NotFound):
            site.tokens.revoke(user_id, token_id)


def test_when_a_token_was_last_used_is_noted_every_five_minutes(
    site: Site, clock: FixedClock, meddling: Meddling
) -> None:
    issued = site.tokens.create(user_id="u001", role="viewer")
    noted = []
    for _ in range(11):
        site.tokens.authenticate(issued.text)
        noted.append(current(site, issued.token).last_used_at)
        clock.advance(MINUTE)
    minutes = [(moment - MORNING) // MINUTE for moment in noted if moment is not None]
    assert minutes == [0] * 5 + [5] * 5 + [10]
    assert meddling.seen.count("UpdateItem") == 3


def test_a_caller_is_let_in_although_the_use_could_not_be_noted(
    site: Site, meddling: Meddling
) -> None:
    issued = site.tokens.create(user_id="u001", role="viewer")

    def fail() -> None:
        raise StoreError("the database has had enough")

    meddling.before("UpdateItem", fail)
    assert site.tokens.authenticate(issued.text).role == "viewer"
    assert current(site, issued.token).last_used_at is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "",
        lambda _: "gotgan",
        lambda text: text + "x",
        lambda text: text[:-1],
        lambda text: text + ".x",
        lambda text: text.rpartition(".")[0] + ".",
        lambda text: text.rpartition(".")[0] + "." + "A" * 43,
        lambda text: text.replace("gotgan.", "other."),
        lambda text: text.replace("u001", "u002"),
        lambda text: text.replace("u001", ""),
        lambda text: text.replace("u001", "%"),
        lambda text: text.replace("u001", "%23" * 40),
        lambda text: text.replace("u001", "u" * 2000),
        lambda text: ".".join(["gotgan", "u001", "METADATA", text.rpartition(".")[2]]),
        lambda text: ".".join(["gotgan", "u001", "t" * 2000, text.rpartition(".")[2]]),
        lambda text: text.upper(),
        lambda text: " " + text,
        lambda _: "gotgan.u001.\ud800.x",
        lambda _: "한.글.토.큰",
    ],
)
def test_whatever_else_is_sent_is_refused_with_one_sentence(site: Site, spoil: Any) -> None:
    site.users.create(id="u002", display_name="Kim", role="viewer")
    text = site.tokens.create(user_id="u001", role="admin").text
    with pytest.raises(Unauthenticated, match="wrong, expired or revoked"):
        site.tokens.authenticate(spoil(text))


def test_a_stored_hash_is_no_secret(site: Site) -> None:
    """Who has read the table has no token yet."""
    issued = site.tokens.create(user_id="u001", role="admin")
    stolen = issued.text.rpartition(".")[0] + "." + issued.token.secret_hash
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(stolen)


def test_the_secret_of_another_token_of_the_same_user_does_not_fit(site: Site) -> None:
    one, other = (
        site.tokens.create(user_id="u001", role=role).text for role in ("viewer", "admin")
    )
    mixed = ".".join([*other.split(".")[:3], one.split(".")[3]])
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(mixed)


def test_a_token_outlives_neither_its_user_nor_serves_a_later_one_of_that_id(
    site: Site, store: Store, clock: FixedClock
) -> None:
    site.users.create(id="u002", display_name="Kim", role="admin")
    issued = site.tokens.create(user_id="u002", role="admin")
    left_over = store.get(patterns.token("u002", issued.token.id))
    assert left_over is not None
    site.users.delete("u002", by=caller("u001"))
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(issued.text)
    clock.advance(MINUTE)
    site.users.create(id="u002", display_name="Lee", role="admin")
    store.put_new(left_over)  # as if its deletion had been lost
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(issued.text)


def test_no_token_is_made_for_somebody_who_is_gone(site: Site, meddling: Meddling) -> None:
    with pytest.raises(NotFound):
        site.tokens.create(user_id="nobody", role="viewer")
    site.users.create(id="u002", display_name="Kim", role="viewer")
    meddling.before("TransactWriteItems", lambda: site.users.delete("u002", by=caller("u001")))
    with pytest.raises(ItemMissing, match="User"):
        site.tokens.create(user_id="u002", role="viewer")
    assert not site.tokens.for_user("u002")


def test_an_id_with_odd_letters_fits_into_a_token(site: Site) -> None:
    site.users.create(id="a.b/ö %2E", display_name="Kim", role="viewer")
    issued = site.tokens.create(user_id="a.b/ö %2E", role="viewer")
    assert issued.text.count(".") == 3
    assert site.tokens.authenticate(issued.text).user.id == "a.b/ö %2E"


def test_tokens_are_listed_newest_first(site: Site, clock: FixedClock) -> None:
    made = []
    for user_id in ("u001", "u002"):
        clock.advance(MINUTE)
        if user_id != "u001":
            site.users.create(id=user_id, display_name="Kim", role="viewer")
        made.append(site.tokens.create(user_id=user_id, role="viewer").token)
    assert site.tokens.list().items == tuple(reversed(made))
    page = site.tokens.list(limit=1)
    assert site.tokens.list(limit=1, cursor=page.cursor).items == (made[0],)
    assert site.tokens.for_user("u002") == (made[1],)


def test_a_code_signs_in_once_for_twelve_hours(site: Site, clock: FixedClock) -> None:
    issued = site.tokens.redeem(site.tokens.sign_in_code("u001"))
    assert (issued.token.kind, issued.token.role) == ("session", "admin")
    assert issued.token.expires_at == MORNING + SESSION_LIFE == MORNING + timedelta(hours=12)
    assert site.tokens.authenticate(issued.text).user.id == "u001"
    clock.advance(SESSION_LIFE)
    with pytest.raises(Unauthenticated):
        site.tokens.authenticate(issued.text)


def test_a_code_is_good_once_and_for_a_quarter_of_an_hour(site: Site, clock: FixedClock) -> None:
    assert timedelta(minutes=15) == CODE_LIFE
    used, late, last = (site.tokens.sign_in_code("u001") for _ in range(3))
    site.tokens.redeem(used)
    clock.advance(CODE_LIFE - timedelta(seconds=1))
    site.tokens.redeem(last)
    clock.advance(timedelta(seconds=1))
    for code in (used, late, last, "", "made up"):
        with pytest.raises(Unauthenticated, match="Ask for a new one"):
            site.tokens.redeem(code)
    assert len(site.tokens.for_user("u001")) == 2


def test_of_two_who_redeem_a_code_at_once_one_gets_a_session(
    site: Site, meddling: Meddling
) -> None:
    code = site.tokens.sign_in_code("u001")
    won: list[str] = []
    meddling.before("DeleteItem", lambda: won.append(site.tokens.redeem(code).text))
    with pytest.raises(Unauthenticated):
        site.tokens.redeem(code)
    assert len(won) == len(site.tokens.for_user("u001")) == 1


def test_a_program_that_ends_while_it_redeems_leaves_no_second_use(
    site: Site, meddling: Meddling
) -> None:
    code = site.tokens.sign_in_code("u001")
    meddling.dies_after("DeleteItem")
    with pytest.raises(Killed):
        site.tokens.redeem(code)
    with pytest.raises(Unauthenticated):
        site.tokens.redeem(code)


def test_a_code_of_somebody_who_is_gone_signs_nobody_in(site: Site) -> None:
    site.users.create(id="u002", display_name="Kim", role="viewer")
    code = site.tokens.sign_in_code("u002")
    site.users.delete("u002", by=caller("u001"))
    with pytest.raises(Unauthenticated):
        site.tokens.redeem(code)
    with pytest.raises(NotFound):
        site.tokens.sign_in_code("u002")


def test_a_code_is_stored_as_its_hash_and_expires(site: Site, store: Store) -> None:
    code = site.tokens.sign_in_code("u001")
    digest = hashlib.sha256(code.encode()).hexdigest()
    kept = items(store)[f"SIGN_IN#{digest}", "METADATA"]
    assert (kept["userId"], kept["expiresAt"]) == ("u001", 1762766100)
    assert code not in repr(items(store))
