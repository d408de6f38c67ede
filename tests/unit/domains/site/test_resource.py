"""Records of all kinds: wrong arguments are named, and a replacement is whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gotgan.domains.site.service import Site
from gotgan.errors import ConditionFailed, NotFound, UsageError, VersionConflict
from gotgan.store import Store
from tests.unit.domains.site.records import a_draft, a_post, caller, items

NEW: dict[str, dict[str, Any]] = {
    "posts": {"category_id": "c001", "author_id": "u001", "title": "t", "contents": "c"},
    "drafts": {"category_id": "c001", "author_id": "u001", "title": "t", "contents": "c"},
    "categories": {"title": "t"},
    "banners": {"title": "t", "img_uri": "/a.png"},
    "users": {"display_name": "n", "role": "viewer"},
}
"""What a new record of each kind needs."""
WRONG: dict[str, dict[str, Any]] = {
    "posts": {"title": None},
    "drafts": {"contents_format": "word"},
    "categories": {"order": "first"},
    "banners": {"expires_at": "soon"},
    "users": {"role": "king"},
}


def _made(site: Site, kind: str) -> Any:
    return getattr(site, kind).create(**NEW[kind])


@pytest.mark.parametrize("kind", NEW)
def test_an_unknown_field_is_named_with_those_that_there_are(
    site: Site, store: Store, kind: str
) -> None:
    records, record = getattr(site, kind), _made(site, kind)
    before = items(store)
    acts: list[Callable[[], Any]] = [
        lambda: records.create(**NEW[kind], colour="red"),
        lambda: records.update(record.id, {"colour": "red"}),
        lambda: records.replace(record.id, {**NEW[kind], "colour": "red"}),
    ]
    for act in acts:
        with pytest.raises(UsageError, match=r"has no field 'colour'\. Use .*(title|display_name)"):
            act()
    assert items(store) == before


@pytest.mark.parametrize("kind", NEW)
def test_missing_fields_are_named(site: Site, store: Store, kind: str) -> None:
    records, record = getattr(site, kind), _made(site, kind)
    before = items(store)
    for name in set(NEW[kind]) - {"author_id"}:
        some = {each: value for each, value in NEW[kind].items() if each != name}
        with pytest.raises(UsageError, match=f"needs {name}"):
            records.create(**some)
        with pytest.raises(UsageError, match=f"needs {name}"):
            records.replace(record.id, some)
    assert items(store) == before


@pytest.mark.parametrize("kind", NEW)
def test_a_wrong_value_is_named(site: Site, store: Store, kind: str) -> None:
    records, record = getattr(site, kind), _made(site, kind)
    before = items(store)
    (name,) = WRONG[kind]
    acts: list[Callable[[], Any]] = [
        lambda: records.create(**{**NEW[kind], **WRONG[kind]}),
        lambda: records.update(record.id, WRONG[kind]),
        lambda: records.replace(record.id, {**NEW[kind], **WRONG[kind]}),
    ]
    for act in acts:
        with pytest.raises(UsageError, match=name):
            act()
    assert items(store) == before


@pytest.mark.parametrize("kind", NEW)
def test_an_id_is_given_once(site: Site, kind: str) -> None:
    records, record = getattr(site, kind), _made(site, kind)
    with pytest.raises(UsageError, match="id"):
        records.update(record.id, {"id": "another"})


def test_the_fields_of_the_company_are_checked_too(site: Site) -> None:
    wrong: list[tuple[Any, str]] = [
        ({"name": "n", "colour": "red"}, "has no field 'colour'"),
        ({"fax": "1"}, "needs name"),
        ({"name": None}, "name"),
    ]
    for fields, reason in wrong:
        with pytest.raises(UsageError, match=reason):
            site.company.replace(fields)
    assert site.company.look() is None
    site.company.replace({"name": "n"})
    for fields, reason in (wrong[0], wrong[2]):
        with pytest.raises(UsageError, match=reason):
            site.company.update(fields)


def test_a_replacement_clears_what_it_leaves_out_but_not_the_author(site: Site) -> None:
    post = a_post(site, thumbnail_url="/a.png", contents_format="text")
    words: Any = {"category_id": "c001", "title": "New", "contents": "words"}
    replaced = site.posts.replace(post.id, words, version=1)
    assert (replaced.title, replaced.thumbnail_url, replaced.contents_format) == ("New", None, None)
    assert (replaced.author_id, replaced.version) == ("u001", 2)
    with pytest.raises(VersionConflict):
        site.posts.replace(post.id, words, version=1)


def test_a_replaced_category_keeps_its_slug(site: Site) -> None:
    made = site.categories.create(title="t", slug="words", desc="d", order=1)
    replaced = site.categories.replace(made.id, {"title": "New"})
    assert (replaced.slug, replaced.desc, replaced.order) == ("words", None, None)


def test_without_an_author_it_is_the_caller_or_the_first_admin(site: Site) -> None:
    words: Any = {"category_id": "c001", "title": "t", "contents": "c"}
    site.users.create(id="u002", display_name="Kim", role="editor")
    for records in (site.posts, site.drafts):
        assert records.create(**words).author_id == "u001"
        assert records.create(**words, by=caller("u002", "editor")).author_id == "u002"


def test_a_record_that_is_gone_is_not_deleted_again(site: Site) -> None:
    draft = a_draft(site)
    site.drafts.delete(draft.id)
    with pytest.raises((NotFound, ConditionFailed)):
        site.drafts.delete(draft.id)
