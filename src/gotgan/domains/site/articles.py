"""What posts and drafts share: pointers to their ids, and moves between categories.

A pointer for each id that an article ever had says in which category it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, Literal, TypeVar, Unpack

from gotgan.domains.site import messages, patterns, resource
from gotgan.domains.site.auth import Users
from gotgan.domains.site.models import Category, Post, PostPointer, SiteArticle
from gotgan.domains.site.params import (
    ArticleFields,
    By,
    Consistent,
    Html,
    RecordId,
    Version,
    VersionRequired,
)
from gotgan.domains.site.resources import arrival_writes
from gotgan.errors import Forbidden, ItemMissing, NotFound, TransactionFailed
from gotgan.store import Query, Ref, Store, Write, raw, writes
from gotgan.verbs import verb

Kind = Literal["post", "draft"]
A = TypeVar("A", bound=SiteArticle)
Locate = Callable[[str, str], Ref[A]]
"""The key of an article, by its category and its id."""


class Articles(resource.Resource[A, ArticleFields], Generic[A]):
    """Posts or drafts."""

    filled_in = frozenset({"id", "author_id"})
    kind: ClassVar[Kind]

    def __init__(
        self, store: Store, users: Users, locate: Locate[A], every: Callable[[], Query[A]]
    ) -> None:
        super().__init__(store, lambda record_id: locate("", record_id), every)
        self._users = users
        self._locate = locate

    def get(self, id: RecordId, *, html: Html = False, consistent: Consistent = False) -> A:
        """Show a record by its current ID or any former one."""
        article = find_article(self._store, id, self.kind, self._locate, consistent=consistent)
        if article is not None:
            return article.with_html() if html else article
        # Until all records were read once, another tool may have written it: one read, no scan.
        place = self._store.get(patterns.adoption())
        is_adopted = place is not None and place.finished_at is not None
        template = messages.NOT_FOUND if is_adopted else messages.NOT_ADOPTED
        raise NotFound(template(what=messages.kind_word(self.entity)))

    def find(self, id: str) -> A | None:
        """A record by its current or old ID, or None."""
        return find_article(self._store, id, self.kind, self._locate, consistent=False)

    @verb(role=None, kind="write")
    def create(self, *, by: By = None, **fields: Unpack[ArticleFields]) -> A:
        """Create a record.

        The author is the calling user; an admin can name another. From the command line and in the
        library, the author is the first admin.
        """
        if by is None:
            author = fields.get("author_id") or self._users.owner().id
        else:
            author = fields.get("author_id") or by.user.id
            self._expect_author(author, by, before=by.user.id)
        article = self.new_record({**fields, "author_id": author})
        add_article(self._store, article)
        return article

    def update(
        self,
        id: RecordId,
        changes: ArticleFields,
        *,
        version: VersionRequired | None = None,
        by: By = None,
    ) -> A:
        """Change fields of a record; a new category moves it.

        Omitted fields are kept. Null clears a field, and so does an empty value on the command
        line.
        """
        self._expect_known(changes)
        with follow_moves(lambda: self.get(id, consistent=True)) as current:
            if by is not None and "author_id" in changes:
                self._expect_author(changes["author_id"], by, before=current.author_id)
            return change_article(self._store, current, changes, version)

    def delete(self, id: RecordId, *, version: Version | None = None, by: By = None) -> None:
        """Delete a record and its pointers."""
        with follow_moves(lambda: self.get(id, consistent=True)) as current:
            resource.expect_version(current, version)
            now = self._store.clock.now()
            # One that was moved meanwhile is not here any more, and must keep its pointers.
            gone: list[Write[Any]] = [writes.delete(current, only_if=raw("id").exists())]
            for pointer in article_pointers(current):
                if pointer.asked == current.legacy_id:  # it stays and says that it is gone
                    gone.append(writes.put(pointer.model_copy(update={"deleted_at": now})))
                else:
                    gone.append(writes.delete(pointer.key))
            resource.transact(self._store, gone)

    def _expect_author(self, author: str, by: By, *, before: str) -> None:
        """Refuse an author who does not exist, or whom the caller may not name."""
        if by is None or author == before:
            return
        if by.role != "admin" and author != by.user.id:
            raise Forbidden(messages.OTHER_AUTHOR(author=author, user=by.user.id))
        self._users.get(author)


def find_article(
    store: Store, asked: str, kind: Kind, locate: Locate[A], *, consistent: bool
) -> A | None:
    """An article by its current or old ID (two reads), or None."""
    article = None
    # It may be moved between the two reads, or the second one may see an older state.
    for is_sure in (consistent, True):
        pointer = store.get(patterns.post_pointer(asked), consistent=is_sure)
        if pointer is None or pointer.deleted_at is not None or pointer.kind != kind:
            return None
        article = store.get(locate(pointer.category_id, pointer.id), consistent=is_sure)
        if article is not None:
            break
    return article


@contextmanager
def follow_moves(read: Callable[[], A]) -> Iterator[A]:
    """An article as it is now; a change that misses it because it moved on is a lost update."""
    current = read()
    try:
        yield current
    except ItemMissing:
        resource.expect_version(read(), current.version)
        raise


def add_article(store: Store, article: SiteArticle) -> None:
    """Write a new article with its pointers, into a category that is there."""
    resource.expect_future(article.expires_at, store.clock.now())
    arriving = arrival_writes(article.category_id)
    commit(store, [writes.put_new(article), *pointer_writes(article), *arriving])


def change_article(store: Store, current: A, changes: Mapping[str, Any], version: int | None) -> A:
    """Change fields; another category moves the article there, all in one transaction."""
    resource.expect_version(current, version)
    resource.expect_future(changes.get("expires_at"), store.clock.now())
    stamped = {**changes, "updated_at": store.clock.now().replace(microsecond=0)}
    new: A = current.model_copy(update=stamped)
    if new.category_id != current.category_id:
        move: list[Write[Any]] = writes.move(current, **stamped)
        commit(store, [*move, *pointer_writes(new), *arrival_writes(new.category_id)])
        return _with_next_version(new, current)
    stamped.pop("category_id", None)  # it is part of the key, and stays
    if new.expires_at != current.expires_at:
        commit(store, [writes.update(current, **stamped), *pointer_writes(new)])
        return _with_next_version(new, current)
    return store.update(current, **stamped).item


def pointer_writes(article: SiteArticle) -> list[Write[Any]]:
    """The writes that make all pointers of an article tell where it is."""
    return [writes.put(pointer) for pointer in article_pointers(article)]


def commit(store: Store, planned: list[Write[Any]]) -> None:
    """Carry out a transaction that brings an article into a category."""
    try:
        store.transact(planned)
    except TransactionFailed as failure:
        for reason in failure.reasons:
            if isinstance(reason.error, ItemMissing) and reason.write.ref.entity is Category:
                raise NotFound(messages.CATEGORY_MISSING()) from failure
        raise resource.main_error(failure) from failure


def _with_next_version(new: A, current: A) -> A:
    """What a transaction wrote, which tells nothing itself; reading it again might find another."""
    return new.model_copy(update={"version": current.version + 1})


def article_pointers(article: SiteArticle) -> list[PostPointer]:
    """What tells where an article is, by each of its ids."""
    kind: Kind = "post" if isinstance(article, Post) else "draft"
    drafted = article.draft_id if isinstance(article, Post) else None
    known = {article.id, article.legacy_id, drafted} - {None}
    return [
        PostPointer(
            asked=asked,
            id=article.id,
            category_id=article.category_id,
            kind=kind,
            # An old id is known for good: a migration must not bring back what has expired.
            ends_at=article.expires_at if asked == article.legacy_id else None,
            expires_at=None if asked == article.legacy_id else article.expires_at,
        )
        for asked in sorted(filter(None, known))
    ]
