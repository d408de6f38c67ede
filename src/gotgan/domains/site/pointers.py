"""Items that help to find and to guard others; they carry no ``Type``, so the index has none."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from gotgan.domains.site.keys import SITE
from gotgan.store import Entity, Epoch, FewValues, Id, Key, KeyOnly, Timestamp, camel_case

__all__ = [
    "Adoption",
    "CategoryGuard",
    "Outgoing",
    "PostPointer",
    "RateCounter",
    "SignInCode",
    "SlugGuard",
]

_FEW_MAILS: Final = FewValues(
    "visitors leave a few messages a day, and who leaves too many is refused; what was sent is gone"
)


class Adoption(Entity, table=SITE, names=camel_case):
    """How far the records of other tools were adopted."""

    key = Key("ADOPTION", "METADATA", acknowledge=[FewValues("there is one such item")])

    cursor: str | None = None
    """Where the next run continues; none when it starts at the beginning."""
    finished_at: Timestamp | None = None
    """When all records were last read."""


class PostPointer(Entity, table=SITE, names=camel_case):
    """Where a post or a draft is, by any id that it ever had."""

    key = Key("POST#{asked}", "METADATA")

    asked: Annotated[Id, KeyOnly()]
    id: Id
    category_id: Id
    kind: Literal["post", "draft"]
    deleted_at: Timestamp | None = None
    """Of an old id whose post was deleted: a migration must not bring it back."""
    ends_at: Timestamp | None = None
    """Of an old id whose post ends by itself: from then on it counts as deleted, too."""
    expires_at: Epoch | None = None


class SlugGuard(Entity, table=SITE, names=camel_case, identity="category_id"):
    """Which category has a slug."""

    key = Key("SLUG#{slug}", "METADATA")

    slug: Annotated[Id, KeyOnly()]
    category_id: Id


class CategoryGuard(Entity, table=SITE, names=camel_case):
    """Counts what came into a category: one that is being deleted sees that a post got in."""

    key = Key("CATEGORY_GUARD#{category_id}", "METADATA")

    category_id: Annotated[Id, KeyOnly()]
    changes: int = 0


class Outgoing(Entity, table=SITE, names=camel_case):
    """A mail that is still to be sent, at the moment from which somebody may take it.

    Who takes it puts that moment off: that is the claim, and its lease.
    """

    key = Key("OUTBOX", "{due_at}#{mail_id}", acknowledge=[_FEW_MAILS])

    due_at: Annotated[Timestamp, KeyOnly()]
    mail_id: Annotated[Id, KeyOnly()]


class RateCounter(Entity, table=SITE, names=camel_case):
    """How often somebody wrote within a stretch of time."""

    key = Key("RATE#{who}#{window}", "METADATA")

    who: Annotated[Id, KeyOnly()]
    window: Annotated[Timestamp, KeyOnly()]
    count: int = 0
    expires_at: Epoch


class SignInCode(Entity, table=SITE, names=camel_case):
    """A code that signs a user in, once."""

    key = Key("SIGN_IN#{digest}", "METADATA")
    hidden: ClassVar[frozenset[str]] = frozenset({"digest"})
    """As of every entity of the site: fields that nobody is shown."""

    digest: Annotated[Id, KeyOnly()]
    user_id: Id
    user_since: Timestamp
    """When the user was made: it does not sign in a later user with the same id."""
    expires_at: Epoch
