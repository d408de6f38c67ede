"""Adopting records that others put into the table: what finds and guards them is added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gotgan.domains.site import patterns
from gotgan.domains.site.articles import pointers_of
from gotgan.domains.site.pointers import PostPointer, SlugGuard
from gotgan.domains.site.records import pass_over
from gotgan.store import PutNewReport, Store

__all__ = ["Adopted", "adopt"]


@dataclass(frozen=True)
class Adopted:
    """What was missing, and is there now."""

    pointers: PutNewReport[PostPointer]
    """Without them a post is in every list, and is not found by its id."""
    slugs: PutNewReport[SlugGuard]
    """Without them two categories can have one slug; those that have are told as failed."""


def adopt(store: Store) -> Adopted:
    """Write the pointers and guards that are missing; what is there stays as it is."""
    return Adopted(
        pointers=store.put_new_all(_pointers(store)), slugs=store.put_new_all(_slugs(store))
    )


def _pointers(store: Store) -> Iterator[PostPointer]:
    for article in store.iterate(
        patterns.all_posts() + patterns.all_drafts(), at_most=None, on_bad=pass_over
    ):
        yield from pointers_of(article)


def _slugs(store: Store) -> Iterator[SlugGuard]:
    for category in store.iterate(patterns.all_categories(), at_most=None, on_bad=pass_over):
        if category.slug is not None:
            yield SlugGuard(slug=category.slug, category_id=category.id)
