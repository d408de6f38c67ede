"""Users: who works on the site, and with which role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from gotgan.domains.site import patterns
from gotgan.domains.site.bodies import PreferencesBody, checked, patch_of
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import User
from gotgan.domains.site.records import Records, carry_out, found_all, refuse_stale
from gotgan.domains.site.roles import Role
from gotgan.errors import BadKeyPart, NotFound, OwnAccount, UsageError
from gotgan.settings import parsers
from gotgan.store import Ref, Store, Write, attr, raw, writes

__all__ = ["Users"]

_OWNER: Final = "owner"
_TOKENS_AT_ONCE: Final = 90


class Users(Records[User]):
    """The users of the site; ``by`` is the id of the user who changes another one."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.user, patterns.all_users)

    def create(self, *, display_name: str, role: Role, user_id: str | None = None) -> User:
        """Make a user."""
        now = self._store.clock.now()
        made = user_id or new_id(now)
        return self.add(
            User(id=made, display_name=display_name, role=role, created_at=now, updated_at=now)
        )

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
            raise NotFound("there is no admin; make one: gotgan site user create --role admin")
        return made.item

    def change(
        self, user_id: str, changes: Mapping[str, Any], *, expected: int | None, by: str | None
    ) -> User:
        """Change fields; nobody makes their own role smaller."""
        if by == user_id and changes.get("role", "admin") != "admin":
            raise OwnAccount("nobody makes their own role smaller; ask another admin")
        if by in (None, user_id) or "role" not in changes:
            return self.update(user_id, changes, expected=expected)
        current = self.get(user_id, consistent=True)
        refuse_stale(current, expected)
        now = self._store.clock.now()
        changed = writes.update(current, **changes, updated_at=now)
        carry_out(self._store, [changed, *_still_admin(by)])
        return self.get(user_id, consistent=True)

    def set_preferences(self, user_id: str, changes: Mapping[str, str | None]) -> User:
        """Set the ``zone`` and ``language`` of the user's pages; None removes a choice.

        What is left out stays. The write is by key alone, so that it never conflicts with an admin
        who changes the same user.
        """
        fields = checked(patch_of(PreferencesBody), changes).fields()
        if fields.get("zone") is not None:
            fields["zone"] = _known_zone(fields["zone"])
        if not fields:
            return self.get(user_id, consistent=True)
        now = self._store.clock.now()
        return self._store.patch(patterns.user(user_id), **fields, updated_at=now).item

    def remove(self, user_id: str, *, expected: int | None = None, by: str | None) -> None:
        """Delete a user and all tokens; what they wrote stays."""
        if by == user_id:
            raise OwnAccount("nobody deletes their own account; ask another admin")
        current = self.get(user_id, consistent=True)
        refuse_stale(current, expected)
        tokens = list(self._store.iterate(patterns.tokens_of(user_id).consistent(), at_most=None))
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


def _still_admin(by: str | None) -> list[Write[Any]]:
    """That whoever changes another is an admin at that moment: of two who do it one is left."""
    return [] if by is None else [writes.check(patterns.user(by), attr("role") == "admin")]
