"""Whatever several clients do, in any order and with stale copies: no index key goes stale.

Also: a lifecycle moves only along its moves, what was counted stays counted, and what no entity
knows survives all but a delete.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
)

from gotgan.clock import FixedClock
from gotgan.errors import ConditionFailed, NotRead, StaleIndexKey, UsageError
from gotgan.lifecycle import Claim, State
from gotgan.store import Ref, Store, append, increment
from gotgan.store.attributes import decode_item
from tests.store.parcels import LEASE, PARCELS, Letter, Parcel, Post, followers
from tests.store.stored import everything, scribble

REFUSALS = (ConditionFailed, NotRead, StaleIndexKey, UsageError)
FOLLOWERS = {"slug", "line", "country_key", "city_key", "weight_key"}

# One item is enough to be at odds over, and few values let stale copies often nearly fit.
words = st.sampled_from(["One", "two"])
values = st.one_of(
    st.fixed_dictionaries({"country": st.none() | words}),
    st.fixed_dictionaries({"city": st.none() | words}),
    st.fixed_dictionaries({"weight": st.integers(0, 2)}),
    st.fixed_dictionaries({"name": words}),
    st.fixed_dictionaries({"name": words, "weight": st.integers(0, 2), "city": words}),
    st.fixed_dictionaries(
        {"country": words, "city": words, "weight": st.integers(0, 2), "name": words}
    ),
)
changes = st.one_of(
    values,
    st.sampled_from(["stamps", "weight"]).map(lambda name: {name: increment()}),
    st.just({"notes": append("x")}),
)


class PostOffice(RuleBasedStateMachine):
    """Clients of one store, who read, hold on to what they read, and write."""

    kind: type[Post] = Letter
    copies: Bundle[Post] = Bundle("copies")
    claims: Bundle[Claim[Post]] = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.clock = FixedClock(datetime(2030, 1, 1, tzinfo=UTC))
        self.store = Store.in_memory(clock=self.clock)
        self.store.create(PARCELS)
        self.state: tuple[str, int] | None = None
        """The sort key and the fence, as the last move left them; None without an item."""
        self.colour: int | None = None
        self.version: int | None = None

    def teardown(self) -> None:
        self.store.close()

    # Reading

    @rule(target=copies)
    def read(self) -> Any:
        found = self.store.get(self._ref)
        return multiple() if found is None else found

    @rule(target=copies, country=words)
    def read_in_part(self, country: str) -> Any:
        lifecycle = self.kind.work
        query = lifecycle.never(country) + lifecycle.in_progress(country) + lifecycle.done(country)
        return multiple(*self.store.query(query))

    # Writing

    @initialize(target=copies, fields=values)
    def begin(self, fields: dict[str, Any]) -> Any:
        return self.put_new(fields)

    @rule(target=copies, fields=values)
    def put_new(self, fields: dict[str, Any]) -> Any:
        return self._put_new(self.kind(id="a", **fields))

    @rule(target=copies, given=copies)
    def put_back(self, given: Post) -> Any:
        try:
            return self._put_new(given)
        except (NotRead, UsageError):  # a part is not the whole
            return multiple()

    def _put_new(self, given: Post) -> Post:
        result = self.store.put_new(given)
        if result.new:
            self._learn()
        return result.item

    @rule(target=copies, given=copies, fields=values)
    def put(self, given: Post, fields: dict[str, Any]) -> Any:
        try:
            written = self.store.put(given.model_copy(update=fields)).item
        except REFUSALS:
            return multiple()
        if given.origin is not None:
            return self._counted(written)
        self._learn()
        return written

    @rule(target=copies, given=copies, fields=changes)
    def update(self, given: Post, fields: dict[str, Any]) -> Any:
        try:
            written = self.store.update(given, **fields)
        except REFUSALS:
            return multiple()
        return self._counted(written.item) if written.cost.writes else written.item

    @rule(target=copies, given=copies, fields=values, more=changes)
    def update_a_copy(self, given: Post, fields: dict[str, Any], more: dict[str, Any]) -> Any:
        return self.update(given.model_copy(update=fields), more)

    @rule(target=copies, fields=changes)
    def patch(self, fields: dict[str, Any]) -> Any:
        try:
            return self._counted(self.store.patch(self._ref, **fields).item)
        except REFUSALS:
            return multiple()

    @rule(given=copies, by_key=st.booleans())
    def delete(self, given: Post, by_key: bool) -> None:
        try:
            self.store.delete(given.key if by_key else given)
        except REFUSALS:
            return
        self.state = self.colour = self.version = None

    @rule(number=st.integers(0, 9))
    def write_behind_the_stores_back(self, number: int) -> None:
        if self.state is not None:
            scribble(self.store, self._ref, colour=number)
            self.colour = number

    # Moving

    @rule(target=claims, given=copies)
    def claim(self, given: Post) -> Any:
        try:
            claim = self.kind.work.claim(self.store, given)
        except REFUSALS:
            return multiple()
        before, fence = self.state or ("", 0)
        if before.startswith("PROGRESS#"):
            assert self.clock.now() >= self._lease_until
        assert claim.fence == fence + 1
        return self._hold(claim)

    @rule(target=claims, claim=claims)
    def renew(self, claim: Claim[Post]) -> Any:
        try:
            renewed = self.kind.work.renew(self.store, claim)
        except REFUSALS:
            return multiple()
        self._is_current(claim)
        return self._hold(renewed)

    @rule(target=copies, claim=claims, fields=changes)
    def finish(self, claim: Claim[Post], fields: dict[str, Any]) -> Any:
        try:
            done = self.kind.work.finish(self.store, claim, **fields)
        except REFUSALS:
            return multiple()
        self._is_current(claim)
        self.state = (State.DONE.sort_key(self.clock.now()), claim.fence)
        return self._counted(done)

    @rule(target=copies, claim=claims)
    def release(self, claim: Claim[Post]) -> Any:
        try:
            free = self.kind.work.release(self.store, claim)
        except REFUSALS:
            return multiple()
        self._is_current(claim)
        self.state = (claim.position.previous or "NEVER#", claim.fence)
        return free

    @rule(given=copies)
    def release_what_is_stuck(self, given: Post) -> None:
        try:
            self.kind.work.release(self.store, given)
        except REFUSALS:
            return
        assert self.clock.now() >= self._lease_until
        position = self.kind.work.position(given)
        self.state = (position.previous or "NEVER#", position.fence)

    @rule(minutes=st.sampled_from([0, 1, 6, 11]))
    def time_passes(self, minutes: int) -> None:
        self.clock.advance(timedelta(minutes=minutes))

    # What always holds

    @invariant()
    def no_key_is_stale(self) -> None:
        for item in self._items():
            kept = {name: item[name] for name in FOLLOWERS & item.keys()}
            assert kept == followers(item)

    @invariant()
    def the_rest_is_as_it_was_left(self) -> None:
        kept = [
            (self._state(item), item.get("colour"), item.get("version")) for item in self._items()
        ]
        assert kept == ([] if self.state is None else [(self.state, self.colour, self.version)])

    # How

    @property
    def _ref(self) -> Ref[Post]:
        return self.kind(id="a").key

    def _items(self) -> list[dict[str, Any]]:
        return [decode_item(item) for item in everything(self.store, PARCELS)]

    def _state(self, item: dict[str, Any]) -> tuple[str, int]:
        return item["state"], item.get("work_fence", 0)

    def _learn(self) -> None:
        """Take the item for what it is: it was put anew, with what its instance brought along."""
        [item] = self._items()
        self.state, self.colour = self._state(item), item.get("colour")
        self.version = item.get("version")
        self._lease_until = datetime.fromisoformat(
            item.get("work_lease_until", "2000-01-01T00:00:00Z")
        )

    def _counted(self, written: Post) -> Post:
        """A change was made: with versions, it is the next one."""
        if self.version is not None and written.origin is not None:
            self.version += 1
            assert written.origin.item["version"] == {"N": str(self.version)}
        return written

    def _hold(self, claim: Claim[Post]) -> Claim[Post]:
        self.state = (str(claim.position.sort_key), claim.fence)
        self._lease_until = self.clock.now() + LEASE
        return claim

    def _is_current(self, claim: Claim[Post]) -> None:
        assert self.state == (claim.position.sort_key, claim.fence)


class RegisteredPostOffice(PostOffice):
    """The same with versions."""

    kind = Parcel


FEW = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestLetters = PostOffice.TestCase
TestLetters.settings = FEW
TestParcels = RegisteredPostOffice.TestCase
TestParcels.settings = FEW
