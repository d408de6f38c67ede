"""Users: who works on the site, and with which role."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Unpack, get_args

from gotgan.domains.site import patterns
from gotgan.domains.site.models import User
from gotgan.domains.site.params import (
    By,
    PreferenceFields,
    RecordId,
    UserFields,
    Version,
    VersionRequired,
)
from gotgan.domains.site.records import carry_out, found_all, refuse_stale
from gotgan.domains.site.resource import Resource
from gotgan.errors import BadKeyPart, NotFound, OwnAccount, UsageError
from gotgan.settings import parsers
from gotgan.store import Ref, Store, Write, attr, raw, writes
from gotgan.texts import Language
from gotgan.verbs import verb

__all__ = ["Users"]

_OWNER: Final = "owner"
_TOKENS_AT_ONCE: Final = 90


class Users(Resource[User, UserFields]):
    """Users: who works on the site, and with which role."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.user, patterns.all_users)

    @verb(role=None, kind="write")
    def create(self, **fields: Unpack[UserFields]) -> User:
        """Create a user; a token is created apart."""
        return self.add(self.new_record(fields))

    def of(self, user_ids: Iterable[str]) -> dict[str, User]:
        """Some users by their ids, without those that are not there."""
        refs = [ref for user_id in user_ids for ref in _possible(user_id)]
        return {user.id: user for user in found_all(self._store, refs)}

    def owner(self) -> User:
        """The admin who came first; where there is none, one is made.

        Whoever can call this has the table itself, so nobody gets in who could not before.
        """
        found = self._store.first(patterns.admins())
        if found is not None:
            return found
        now = self._store.clock.now()
        owner = User(id=_OWNER, display_name="Owner", role="admin", created_at=now, updated_at=now)
        made = self._store.put_new(owner)
        if made.item.role != "admin":
            raise NotFound("there is no admin; make one: gotgan site users create --role admin")
        return made.item

    def update(
        self,
        id: RecordId,
        changes: UserFields,
        *,
        version: VersionRequired | None = None,
        by: By = None,
    ) -> User:
        """Change fields of a user; you cannot lower your own role."""
        is_own = by is not None and by.user.id == id
        if is_own and changes.get("role", "admin") != "admin":
            raise OwnAccount("nobody makes their own role smaller; ask another admin")
        if by is None or is_own or "role" not in changes:
            return super().update(id, changes, version=version)
        self._expect_known(changes)
        current = self.get(id, consistent=True)
        refuse_stale(current, version)
        now = self._store.clock.now()
        changed = writes.update(current, **changes, updated_at=now)
        carry_out(self._store, [changed, *_still_admin(by)])
        return self.get(id, consistent=True)

    def set_preferences(self, user_id: str, changes: PreferenceFields) -> User:
        """Set the ``zone`` and ``language`` of the user's pages; None removes a choice.

        What is left out stays. The write is by key alone, so that it never conflicts with an admin
        who changes the same user.
        """
        fields: dict[str, Any] = {**changes}
        unknown = fields.keys() - PreferenceFields.__annotations__
        if unknown:
            raise UsageError(f"There is no preference {unknown.pop()!r}. Use zone or language.")
        if changes.get("zone") is not None:
            fields["zone"] = _known_zone(changes["zone"] or "")
        if changes.get("language", "en") not in (*get_args(Language), None):
            raise UsageError(f"Unknown language {changes['language']!r}. Use en or ko.")
        if not fields:
            return self.get(user_id, consistent=True)
        now = self._store.clock.now()
        return self._store.patch(patterns.user(user_id), **fields, updated_at=now).item

    def delete(self, id: RecordId, *, version: Version | None = None, by: By = None) -> None:
        """Delete a user and all tokens; what they wrote stays. You cannot delete yourself."""
        if by is not None and by.user.id == id:
            raise OwnAccount("nobody deletes their own account; ask another admin")
        current = self.get(id, consistent=True)
        refuse_stale(current, version)
        tokens = [*self._store.iterate(patterns.tokens_of(id).consistent(), at_most=None)]
        self._store.delete_all(token.key for token in tokens[_TOKENS_AT_ONCE:])
        gone = writes.delete(current, only_if=raw("id").exists())
        last = [writes.delete(token.key) for token in tokens[:_TOKENS_AT_ONCE]]
        carry_out(self._store, [gone, *last, *_still_admin(by)])


def _possible(user_id: str) -> list[Ref[User]]:
    """The key of a user, where anybody can have this id: articles name authors as they please."""
    try:
        return [patterns.user(user_id)]
    except BadKeyPart:
        return []


def _known_zone(name: str) -> str:
    try:
        return parsers.zone(name)
    except ValueError as error:
        raise UsageError(f"Unknown time zone {name!r}: {error}.") from None


def _still_admin(by: By) -> list[Write[Any]]:
    """That whoever changes another is an admin at that moment: of two who do it one is left."""
    is_admin = attr("role") == "admin"
    return [] if by is None else [writes.check(patterns.user(by.user.id), is_admin)]
