"""Resolves references of old rows: the category and the author of a post, the company's name."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gotgan.domains.site import patterns
from gotgan.domains.site.migration import messages
from gotgan.domains.site.migration.rows import Note, OldRow
from gotgan.domains.site.migration.state import MigrationState
from gotgan.domains.site.models import Category, User
from gotgan.domains.site.resource import skip_bad_item
from gotgan.domains.site.resources import slug_writes
from gotgan.errors import MigrationError, TransactionFailed
from gotgan.store import Store, writes

ORPHANS: Final = "orphans-of-migration"
"""The category of posts whose own is not there: a name that is not in use elsewhere."""
UNKNOWN_AUTHOR: Final = "author-unknown"
DEFAULT_COMPANY_NAME: Final = "(company name)"
"""The name of the company where none is given."""
_MAX_SLUG_NUMBER: Final = 10_000
_DEFAULT_AUTHOR_NAME: Final = "(unknown author)"


def slug_candidates(wanted: str) -> Iterator[str]:
    """A slug, and the ones to use if another category has it."""
    yield wanted
    for number in range(2, _MAX_SLUG_NUMBER):
        yield f"{wanted}-{number}"


class CategoryResolver:
    """Where posts go: a word is a slug, else a name, else an id, of the old tables or of this."""

    def __init__(
        self, store: Store, olds: Iterable[OldRow], there: Collection[str], *, dry_run: bool
    ) -> None:
        self._store = store
        self._dry_run = dry_run
        self._has_orphanage = False
        self._slugs: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._ids: set[str] = set()
        for old in olds:
            if old.old_id in there:
                self._add(old.old_id, old.fields["slug"], old.fields["title"])
        found = store.iterate(patterns.all_categories(), at_most=None, on_bad=skip_bad_item)
        for category in sorted(found, key=lambda each: (each.created_at, each.id)):
            self._add(category.id, category.slug, category.title)

    def find(self, word: str | None) -> str | None:
        """The category that a word means; None where it means none."""
        if word is None:
            return None
        found = self._slugs.get(word) or self._names.get(word)
        return found or (word if word in self._ids else None)

    def forget(self, category_id: str) -> None:
        """A category was deleted: nothing goes there any more."""
        self._ids.discard(category_id)
        self._slugs = _without(self._slugs, category_id)
        self._names = _without(self._names, category_id)
        self._has_orphanage = self._has_orphanage and category_id != ORPHANS

    def orphanage(self) -> str:
        """The category for orphans, made if it is not there."""
        if not self._has_orphanage and not self._dry_run and not self._is_open():
            self._open()
        self._has_orphanage = True
        return ORPHANS

    def _add(self, category_id: str, slug: str | None, name: str) -> None:
        self._ids.add(category_id)
        if slug:
            self._slugs.setdefault(slug, category_id)
        self._names.setdefault(name, category_id)

    def _open(self) -> None:
        now = self._store.clock.now()
        made = Category(id=ORPHANS, title="Orphans", slug=ORPHANS, created_at=now, updated_at=now)
        try:
            self._store.transact([writes.put_new(made), *slug_writes(made)])
        except TransactionFailed:
            if not self._is_open():  # else another run was faster
                guard = self._store.get(patterns.slug_guard(ORPHANS), consistent=True)
                if guard is not None and guard.category_id != ORPHANS:
                    raise MigrationError(messages.ORPHANS_SLUG_IN_USE(slug=repr(ORPHANS))) from None
                raise

    def _is_open(self) -> bool:
        return self._store.get(patterns.category(ORPHANS), consistent=True) is not None


def _without(words: dict[str, str], category_id: str) -> dict[str, str]:
    return {word: found for word, found in words.items() if found != category_id}


@dataclass
class AuthorResolver:
    """Which user an author's name is; one is made where there is none, without any access."""

    store: Store
    state: MigrationState
    dry_run: bool
    notes: list[Note] = field(default_factory=list)
    """Decisions since the last call."""
    _found: dict[str | None, str] = field(default_factory=dict)
    _staff: dict[str, str] | None = None

    def user_id(self, name: str | None) -> str:
        """The user that an author is."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str | None) -> str:
        label = _DEFAULT_AUTHOR_NAME if name is None else name
        noted = self.state.author(label)
        if noted is not None:
            return noted
        made = UNKNOWN_AUTHOR
        if name is not None:
            made = f"author-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
        if self.store.get(patterns.user(made), consistent=True) is not None:
            found = made
        else:
            if self._staff is None:
                users = self.store.iterate(patterns.all_users(), at_most=None, on_bad=skip_bad_item)
                newest = sorted(users, key=lambda each: (each.created_at, each.id), reverse=True)
                self._staff = {each.display_name: each.id for each in newest}
            found = self._staff.get(label) or self._make(made, label)
        if not self.dry_run:
            self.state.note_author(label, found)
        if found != made:
            self.notes.append(Note(messages.AUTHOR_FOUND(), f"{label} → {found}"))
        return found

    def _make(self, user_id: str, label: str) -> str:
        now = self.store.clock.now()
        user = User(id=user_id, display_name=label, role="viewer", created_at=now, updated_at=now)
        if not self.dry_run:
            self.store.put_new(user)
        self.notes.append(Note(messages.AUTHOR_CREATED(), f"{label} → {user_id}"))
        return user_id


def newest(olds: Sequence[OldRow]) -> OldRow | None:
    """The row about the company that counts."""
    return max(olds, key=lambda old: (old.updated_at, old.old_id), default=None)


def company_name(store: Store, old: OldRow | None, given: str | None) -> str:
    """The name of the company: the given one, that of the old row, that here, or a placeholder."""
    here = store.get(patterns.company(), consistent=True)
    names = given, None if old is None else old.fields["name"], None if here is None else here.name
    return next(filter(None, names), DEFAULT_COMPANY_NAME)
