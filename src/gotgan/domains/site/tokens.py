"""Tokens: how programs and browsers prove who they are.

A token is ``gotgan.<user>.<id>.<secret>``: it names the items that decide, so that one read checks
it. Only a hash of its secret is stored. Its role is never greater than its user's of that moment.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Final
from urllib.parse import quote, unquote

from pydantic import Field

from gotgan.domains.site import patterns
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Caller, Token, User
from gotgan.domains.site.params import Days, Line, Reference
from gotgan.domains.site.pointers import SignInCode
from gotgan.domains.site.records import PAGE, carry_out, found, pass_over
from gotgan.domains.site.roles import Role, allows, lesser
from gotgan.errors import BadKeyPart, Forbidden, StoreError, StoreUnreachable, Unauthenticated
from gotgan.events import emit
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.store import Page, Ref, Store, attr, writes
from gotgan.verbs import verb

__all__ = ["CODE_LIFE", "SESSION_COOKIE", "SESSION_LIFE", "IssuedToken", "Tokens"]

SESSION_LIFE: Final = timedelta(hours=12)
CODE_LIFE: Final = timedelta(minutes=15)
SESSION_COOKIE: Final = "gotgan_session"
"""The cookie that holds the token of a browser's session."""
UserId = Annotated[Reference, Field(description="Id of the user.", examples=["u001"])]
TokenId = Annotated[Reference, Field(description="Id of the token.")]
TokenRole = Annotated[Role, Field(description="What it may do; never more than its user.")]
Note = Annotated[Line, Field(description="What it is for.")]
_START: Final = "gotgan"
_SECRET_BYTES: Final = 32
_PARTS: Final = 4
_NOTED_EVERY: Final = timedelta(minutes=5)
"""How exactly it is known when a token was last used; each note is a write."""


@dataclass(frozen=True)
class IssuedToken:
    """A new token."""

    token: Token
    text: str
    """The token itself; only a hash of it is stored, so it is shown this once."""


class Tokens:
    """The tokens of all users: how programs prove who they are."""

    read_by: ClassVar = "admin"
    written_by: ClassVar = "admin"

    def __init__(self, store: Store) -> None:
        self._store = store

    def now(self) -> datetime:
        """The moment that tokens and links expire by."""
        return self._store.clock.now()

    @verb(role=None)
    def list(self, *, limit: Limit = PAGE, cursor: Cursor | None = None) -> Page[Token]:
        """List the tokens of all users, newest first; never their secrets."""
        query = patterns.all_tokens()
        return item_page(self._store, query, Token, limit=limit, cursor=cursor, on_bad=pass_over)

    def of(self, user_id: str) -> Sequence[Token]:
        """The tokens of one user, newest first."""
        query = patterns.tokens_of(user_id).consistent()
        return tuple(self._store.iterate(query, at_most=1_000, on_bad=pass_over))

    @verb(role=None, kind="write")
    def create(
        self,
        *,
        user_id: UserId,
        role: TokenRole,
        note: Note | None = None,
        expires_in_days: Days | None = None,
    ) -> IssuedToken:
        """Create a token for a program of a user; its text is shown this once."""
        user = found(self._store, patterns.user(user_id), consistent=True)
        if not allows(user.role, role):
            raise Forbidden(
                f"{user.id} is {user.role}, and a token's role never exceeds its user's; ask for "
                f"{user.role} or less"
            )
        days = expires_in_days
        return self._issue(user, role, "api", None if days is None else timedelta(days=days), note)

    @verb(role=None, kind="write", path="tokens/{userId}/{tokenId}/revoke")
    def revoke(self, user_id: UserId, token_id: TokenId) -> Token:
        """Revoke a token at once; it stays in the list."""
        token = found(self._store, patterns.token(user_id, token_id), consistent=True)
        if token.revoked_at is not None:
            return token
        now = self.now()
        # By its key alone: that somebody uses the token meanwhile must not keep it alive.
        return self._store.patch(token.key, revoked_at=now, updated_at=now).item

    def authenticate(self, text: str) -> Caller:
        """Who stands behind a token: one strongly consistent read of the token and its user."""
        user_id, token_id, secret = _parts(text)
        user, token = self._behind(user_id, token_id)
        if user is None or token is None or not self._is_valid(user, token, secret):
            raise _refusal()
        self._note_use(token)
        return Caller(user, token, lesser(user.role, token.role))

    def sign_in_code(self, user_id: str) -> str:
        """A code that signs a user in to the console, once, within a quarter of an hour."""
        user = found(self._store, patterns.user(user_id), consistent=True)
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
            raise Unauthenticated(
                "this sign-in link was used or has expired; have a new one made: "
                "gotgan site sign-in"
            )
        user = self._store.get(patterns.user(kept.user_id), consistent=True)
        if user is None or user.created_at != kept.user_since:
            raise _refusal()
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
        carry_out(self._store, [writes.put_new(token), writes.check(user.key)])
        named = quote(user.id, safe="").replace(".", "%2E")
        return IssuedToken(token, f"{_START}.{named}.{token.id}.{secret}")

    def _behind(self, user_id: str, token_id: str) -> tuple[User | None, Token | None]:
        refs: list[Ref[User] | Ref[Token]]
        try:
            refs = [patterns.user(user_id), patterns.token(user_id, token_id)]
        except BadKeyPart:
            raise _refusal() from None
        read = self._store.get_all(refs, consistent=True)
        if read.unread:  # which must not look like a token that is not there
            raise StoreUnreachable("the database is too busy to check this token; try again")
        items = read.items
        user = next((item for item in items if isinstance(item, User)), None)
        return user, next((item for item in items if isinstance(item, Token)), None)

    def _is_valid(self, user: User, token: Token, secret: str) -> bool:
        return (
            hmac.compare_digest(token.secret_hash, _hash(secret))
            and token.revoked_at is None
            and token.user_since == user.created_at
        )

    def _note_use(self, token: Token) -> None:
        """Note the use now and then; a caller is not turned away because the note failed."""
        now, last = self.now(), token.last_used_at
        if last is not None and now - last < _NOTED_EVERY:
            return
        live = attr("revoked_at").missing()
        try:
            self._store.patch(token.key, only_if=live, last_used_at=now)
        except StoreError as error:
            emit("site.token.unnoted", level="warning", reason=error.message)


def _parts(text: str) -> tuple[str, str, str]:
    parts = text.split(".")
    if len(parts) != _PARTS or parts[0] != _START or not all(parts):
        raise _refusal()
    return unquote(parts[1]), parts[2], parts[3]


def _refusal() -> Unauthenticated:
    """One sentence for all that can be wrong: a stranger learns nothing from it."""
    return Unauthenticated("this token is wrong, has expired or was revoked; ask for a new one")


def _hash(secret: str) -> str:
    """Enough for a secret of 256 random bits: there is nothing to guess."""
    return hashlib.sha256(secret.encode()).hexdigest()
