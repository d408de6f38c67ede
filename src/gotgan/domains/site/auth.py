"""Users with their roles, and the tokens that authenticate programs and browsers.

A token is ``gotgan.<user>.<id>.<secret>``: it names its items, so one read checks it. Only a hash
of the secret is stored. Its role never exceeds the current role of its user.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Final, Unpack, get_args
from urllib.parse import quote, unquote

from pydantic import Field

from gotgan.domains.site import messages, params, patterns, resource
from gotgan.domains.site.keys import new_id
from gotgan.domains.site.models import Caller, Role, SignInCode, Token, User, allows, lower_role
from gotgan.errors import (
    BadKeyPart,
    Forbidden,
    NotFound,
    OwnAccount,
    StoreError,
    StoreUnreachable,
    Unauthenticated,
    UsageError,
)
from gotgan.events import emit
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.settings import parsers
from gotgan.store import Page, Ref, Store, Write, attr, raw, writes
from gotgan.texts import Language
from gotgan.verbs import verb

_OWNER_ID: Final = "owner"
_MAX_TOKENS_IN_TRANSACTION: Final = 90


class Users(resource.Resource[User, params.UserFields]):
    """Manage users and their roles."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.user, patterns.all_users)

    @verb(role=None, kind="write")
    def create(self, **fields: Unpack[params.UserFields]) -> User:
        """Create a user; tokens are created separately."""
        return self.add(self.new_record(fields))

    def get_many(self, user_ids: Iterable[str]) -> dict[str, User]:
        """Some users by their ids, without those that are not there."""
        refs: list[Ref[User]] = []
        for user_id in user_ids:
            with suppress(BadKeyPart):  # articles name authors freely, so an id may be no key
                refs.append(patterns.user(user_id))
        return {user.id: user for user in resource.get_many(self._store, refs)}

    def owner(self) -> User:
        """The first admin, made if missing: callers have access to the table itself anyway."""
        found = self._store.first(patterns.admins())
        if found is not None:
            return found
        now = self._store.clock.now()
        owner = User(
            id=_OWNER_ID, display_name="Owner", role="admin", created_at=now, updated_at=now
        )
        made = self._store.put_new(owner)
        if made.item.role != "admin":
            raise NotFound(messages.NO_ADMIN())
        return made.item

    def update(
        self,
        id: params.RecordId,
        changes: params.UserFields,
        *,
        version: params.VersionRequired | None = None,
        by: params.By = None,
    ) -> User:
        """Change fields of a user; you cannot lower your own role."""
        is_own = by is not None and by.user.id == id
        if is_own and changes.get("role", "admin") != "admin":
            raise OwnAccount(messages.OWN_ROLE())
        if by is None or is_own or "role" not in changes:
            return super().update(id, changes, version=version)
        self._expect_known(changes)
        current = self.get(id, consistent=True)
        resource.expect_version(current, version)
        now = self._store.clock.now()
        changed = writes.update(current, **changes, updated_at=now)
        resource.transact(self._store, [changed, *_admin_check(by)])
        return self.get(id, consistent=True)

    def set_preferences(self, user_id: str, changes: params.PreferenceFields) -> User:
        """Set the ``zone`` and ``language`` of the user's pages; None removes a choice."""
        fields: dict[str, Any] = {**changes}
        unknown = fields.keys() - params.PreferenceFields.__annotations__
        if unknown:
            raise UsageError(messages.UNKNOWN_PREFERENCE(name=repr(unknown.pop())))
        if changes.get("zone") is not None:
            try:
                fields["zone"] = parsers.zone(changes["zone"] or "")
            except ValueError as error:
                zone = repr(changes["zone"])
                raise UsageError(messages.UNKNOWN_ZONE(zone=zone, cause=error.args[0])) from None
        if changes.get("language", "en") not in (*get_args(Language), None):
            language = repr(changes["language"])
            raise UsageError(messages.UNKNOWN_LANGUAGE(language=language))
        if not fields:
            return self.get(user_id, consistent=True)
        now = self._store.clock.now()
        return self._store.patch(patterns.user(user_id), **fields, updated_at=now).item

    def delete(
        self, id: params.RecordId, *, version: params.Version | None = None, by: params.By = None
    ) -> None:
        """Delete a user and all their tokens; their posts stay. You cannot delete yourself."""
        if by is not None and by.user.id == id:
            raise OwnAccount(messages.OWN_ACCOUNT())
        current = self.get(id, consistent=True)
        resource.expect_version(current, version)
        tokens = [*self._store.iterate(patterns.tokens_of(id).consistent(), at_most=None)]
        self._store.delete_all(token.key for token in tokens[_MAX_TOKENS_IN_TRANSACTION:])
        gone = writes.delete(current, only_if=raw("id").exists())
        last = [writes.delete(token.key) for token in tokens[:_MAX_TOKENS_IN_TRANSACTION]]
        resource.transact(self._store, [gone, *last, *_admin_check(by)])


def _admin_check(by: params.By) -> list[Write[Any]]:
    """A check that the caller is still an admin: of two who demote each other, one stays."""
    is_admin = attr("role") == "admin"
    return [] if by is None else [writes.check(patterns.user(by.user.id), is_admin)]


SESSION_LIFE: Final = timedelta(hours=12)
CODE_LIFE: Final = timedelta(minutes=15)
SESSION_COOKIE: Final = "gotgan_session"
"""The cookie that holds the token of a browser's session."""
UserId = Annotated[params.Reference, Field(description="ID of the user.", examples=["u001"])]
TokenId = Annotated[params.Reference, Field(description="ID of the token.")]
TokenRole = Annotated[Role, Field(description="Role of the token; at most that of its user.")]
Note = Annotated[params.Line, Field(description="Purpose of the token.")]
_PREFIX: Final = "gotgan"
_SECRET_BYTES: Final = 32
_TOKEN_PARTS: Final = 4
_USE_NOTE_INTERVAL: Final = timedelta(minutes=5)
"""How exactly it is known when a token was last used; each note is a write."""


@dataclass(frozen=True)
class IssuedToken:
    """A new token."""

    token: Token
    text: str
    """The token itself; only a hash of it is stored, so it is shown this once."""


class Tokens:
    """Manage API tokens of all users."""

    read_by: ClassVar = "admin"
    written_by: ClassVar = "admin"

    def __init__(self, store: Store) -> None:
        self._store = store

    def now(self) -> datetime:
        """The moment that tokens and links expire by."""
        return self._store.clock.now()

    @verb(role=None)
    def list(
        self, *, limit: Limit = resource.DEFAULT_LIMIT, cursor: Cursor | None = None
    ) -> Page[Token]:
        """List the tokens of all users, newest first, without their secrets."""
        query = patterns.all_tokens()
        return item_page(
            self._store, query, Token, limit=limit, cursor=cursor, on_bad=resource.skip_bad_item
        )

    def for_user(self, user_id: str) -> Sequence[Token]:
        """The tokens of one user, newest first."""
        query = patterns.tokens_of(user_id).consistent()
        return tuple(self._store.iterate(query, at_most=1_000, on_bad=resource.skip_bad_item))

    @verb(role=None, kind="write")
    def create(
        self,
        *,
        user_id: UserId,
        role: TokenRole,
        note: Note | None = None,
        expires_in_days: params.Days | None = None,
    ) -> IssuedToken:
        """Create a token for a program of a user; it is shown only once."""
        user = resource.get_existing(self._store, patterns.user(user_id), consistent=True)
        if not allows(user.role, role):
            role_of_user = messages.role_word(user.role)
            raise Forbidden(messages.TOKEN_ROLE(user=user.id, role=role_of_user))
        life = None if expires_in_days is None else timedelta(days=expires_in_days)
        return self._issue(user, role, "api", life, note)

    @verb(role=None, kind="write", path="tokens/{userId}/{tokenId}/revoke")
    def revoke(self, user_id: UserId, token_id: TokenId) -> Token:
        """Revoke a token; it stays in the list."""
        token = resource.get_existing(
            self._store, patterns.token(user_id, token_id), consistent=True
        )
        if token.revoked_at is not None:
            return token
        now = self.now()
        # By its key alone: a use of the token meanwhile must not keep it alive.
        return self._store.patch(token.key, revoked_at=now, updated_at=now).item

    def authenticate(self, text: str) -> Caller:
        """The caller with this token: one strongly consistent read of the token and its user."""
        parts = text.split(".")
        if len(parts) != _TOKEN_PARTS or parts[0] != _PREFIX or not all(parts):
            raise _bad_token()
        user_id, token_id, secret = unquote(parts[1]), parts[2], parts[3]
        refs: list[Ref[User] | Ref[Token]]
        try:
            refs = [patterns.user(user_id), patterns.token(user_id, token_id)]
        except BadKeyPart:
            raise _bad_token() from None
        read = self._store.get_all(refs, consistent=True)
        if read.unread:  # which must not look like a token that is not there
            raise StoreUnreachable(messages.TOKEN_NOT_READ())
        user = next((item for item in read.items if isinstance(item, User)), None)
        token = next((item for item in read.items if isinstance(item, Token)), None)
        if (
            user is None
            or token is None
            or not hmac.compare_digest(token.secret_hash, _hash(secret))
            or token.revoked_at is not None
            or token.user_since != user.created_at
        ):
            raise _bad_token()
        self._note_use(token)
        return Caller(user, token, lower_role(user.role, token.role))

    def sign_in_code(self, user_id: str) -> str:
        """A code that signs a user in to the console, once, within a quarter of an hour."""
        user = resource.get_existing(self._store, patterns.user(user_id), consistent=True)
        code = secrets.token_urlsafe(_SECRET_BYTES)
        until = self.now() + CODE_LIFE
        self._store.put(
            SignInCode(
                digest=_hash(code), user_id=user.id, user_since=user.created_at, expires_at=until
            )
        )
        return code

    def redeem(self, code: str) -> IssuedToken:
        """Trade a code for a session; of two who try, one gets it."""
        kept = self._store.get(patterns.sign_in_code(_hash(code)), consistent=True)
        if kept is None or not self._store.delete(kept.key).existed:
            raise Unauthenticated(messages.LINK_USED())
        user = self._store.get(patterns.user(kept.user_id), consistent=True)
        if user is None or user.created_at != kept.user_since:
            raise _bad_token()
        return self._issue(user, user.role, "session", SESSION_LIFE, None)

    def _issue(
        self,
        user: User,
        role: Role,
        kind: str,
        expires_in: timedelta | None,
        note: str | None,
    ) -> IssuedToken:
        now, secret = self.now(), secrets.token_urlsafe(_SECRET_BYTES)
        token = Token.model_validate(
            {
                "id": new_id(now),
                "user_id": user.id,
                "user_since": user.created_at,
                "role": role,
                "kind": kind,
                "note": note,
                "secret_hash": _hash(secret),
                "expires_at": None if expires_in is None else now + expires_in,
                "created_at": now,
                "updated_at": now,
            }
        )
        resource.transact(self._store, [writes.put_new(token), writes.check(user.key)])
        named = quote(user.id, safe="").replace(".", "%2E")
        return IssuedToken(token, f"{_PREFIX}.{named}.{token.id}.{secret}")

    def _note_use(self, token: Token) -> None:
        """Note the use now and then; a caller is not turned away because the note failed."""
        now, last = self.now(), token.last_used_at
        if last is not None and now - last < _USE_NOTE_INTERVAL:
            return
        live = attr("revoked_at").missing()
        try:
            self._store.patch(token.key, only_if=live, last_used_at=now)
        except StoreError as error:
            emit("site.token.unnoted", level="warning", reason=error.message)


def _bad_token() -> Unauthenticated:
    """One sentence for all that can be wrong: a stranger learns nothing from it."""
    return Unauthenticated(messages.BAD_TOKEN())


def _hash(secret: str) -> str:
    """Enough for a secret of 256 random bits: there is nothing to guess."""
    return hashlib.sha256(secret.encode()).hexdigest()
