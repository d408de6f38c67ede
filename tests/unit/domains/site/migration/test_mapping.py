from __future__ import annotations

import json
from typing import Any

import pytest

from gotgan.clock import utc_iso
from gotgan.domains.site.migration import messages
from gotgan.domains.site.migration.copies import copy_of, post_copy
from gotgan.domains.site.migration.mapping import UNTITLED, parse_row
from gotgan.domains.site.migration.rows import CATEGORIES, CONTACT, CORP, POSTS
from gotgan.errors import MigrationError
from gotgan.store.attributes import Item, decode_item, encode

MADE, CHANGED = "2025-11-24T05:00:00.123456+00:00", "2025-11-25T05:00:00.9+00:00"
POST = {
    "postId": "p-1",
    "category": "news",
    "title": "제목",
    "content": "# 내용",
    "thumbnailUrl": "https://cdn.example.com/1.png",
    "author": "김대연",
    "createdAt": MADE,
    "updatedAt": CHANGED,
}
TIPTAP = {"type": "doc", "content": [{"type": "paragraph"}]}


def item(row: dict[str, Any]) -> Item:
    return {name: encode(value) for name, value in row.items()}


def stored_post(**changes: Any) -> dict[str, Any]:
    row = {**POST, **changes}
    old = parse_row(POSTS, item({name: value for name, value in row.items() if value != "GONE"}))
    return decode_item(post_copy(old, "c-1", "u-1").item)


def topics(kind: Any, row: dict[str, Any]) -> list[str]:
    return [note.topic for note in parse_row(kind, item(row)).notes]


def test_a_post_is_stored_under_the_new_names() -> None:
    stored = stored_post()
    post_id = stored.pop("id")
    assert stored == {
        "PK": "CATEGORY#c-1",
        "SK": f"POST#{post_id}",
        "Type": "Post",
        "CreatedAt": "2025-11-24T05:00:00Z",
        "UpdatedAt": "2025-11-25T05:00:00Z",
        "categoryId": "c-1",
        "authorId": "u-1",
        "title": "제목",
        "contents": "# 내용",
        "contentsFormat": "markdown",
        "thumbnailUrl": "https://cdn.example.com/1.png",
        "author": "김대연",
        "legacyId": "p-1",
        "version": 1,
    }
    assert post_id == stored_post(title="other")["id"]
    assert post_id != stored_post(postId="p-2")["id"]


def test_ids_of_posts_sort_as_they_were_made_within_a_second() -> None:
    moments = [f"2025-11-24T05:00:00.{digits}Z" for digits in ("000001", "000900", "123456")]
    ids = [stored_post(createdAt=each, postId=f"z{9 - n}")["id"] for n, each in enumerate(moments)]
    assert ids == sorted(ids)


@pytest.mark.parametrize(
    ("content", "kept", "form"),
    [
        ("plain words", "plain words", "text"),
        ("# words", "# words", "markdown"),
        (TIPTAP, TIPTAP, "tiptap"),
        (json.dumps(TIPTAP), json.dumps(TIPTAP), "tiptap"),
        ("GONE", "", "text"),
        (None, "", "text"),
        ([1, {"a": 2.5, "b": None}], '[1,{"a":2.5,"b":null}]', "text"),
    ],
)
def test_contents_are_kept_as_they_are(content: Any, kept: Any, form: str) -> None:
    stored = stored_post(content=content)
    assert (stored["contents"], stored["contentsFormat"]) == (kept, form)


def test_what_has_no_home_is_kept_under_its_name() -> None:
    stored = stored_post(views=7, tags={"a", "b"}, blob=b"\x00", nothing=None)
    assert stored["views"] == 7
    assert stored["tags"] == {"a", "b"}
    assert stored["blob"] == b"\x00"
    assert stored["nothing"] is None


@pytest.mark.parametrize("name", ["PK", "SK", "Type", "version", "legacyId", "expiresAt", "id"])
def test_what_has_no_home_never_takes_the_place_of_something_that_has(name: str) -> None:
    plain, stored = stored_post(), stored_post(**{name: "intruder"})
    assert stored.pop(f"legacy_{name}") == "intruder"
    assert stored == plain


def test_a_name_that_means_something_only_to_the_table_is_taken_too() -> None:
    old = parse_row(CATEGORIES, item({"categoryId": "c", "name": "n", "expiresAt": 1}))
    stored = decode_item(copy_of(old).item)
    assert stored["legacy_expiresAt"] == 1
    assert "expiresAt" not in stored


@pytest.mark.parametrize(
    ("made", "changed", "created_at", "updated_at"),
    [
        (MADE, "GONE", "2025-11-24T05:00:00Z", "2025-11-24T05:00:00Z"),
        ("GONE", CHANGED, "2025-11-25T05:00:00Z", "2025-11-25T05:00:00Z"),
        ("nonsense", CHANGED, "2025-11-25T05:00:00Z", "2025-11-25T05:00:00Z"),
        ("GONE", "GONE", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ("2025-11-24T14:00:00+09:00", CHANGED, "2025-11-24T05:00:00Z", "2025-11-25T05:00:00Z"),
    ],
)
def test_both_moments_are_always_there(
    made: str, changed: str, created_at: str, updated_at: str
) -> None:
    stored = stored_post(createdAt=made, updatedAt=changed)
    assert (stored["CreatedAt"], stored["UpdatedAt"]) == (created_at, updated_at)


def test_a_moment_that_cannot_be_read_is_kept_beside_the_one_that_stands_in_for_it() -> None:
    assert stored_post(createdAt="nonsense")["legacy_createdAt"] == "nonsense"
    assert topics(POSTS, {**POST, "createdAt": "nonsense"}) == [messages.TIME_FROM_UPDATED()]


def test_a_post_without_a_title_says_so() -> None:
    assert stored_post(title="GONE")["title"] == UNTITLED
    assert stored_post(title="")["title"] == ""


def test_a_number_where_text_is_wanted_is_its_text() -> None:
    assert stored_post(title=2025)["title"] == "2025"


@pytest.mark.parametrize(
    ("row", "title", "slug"),
    [
        ({"name": "소식", "slug": "news"}, "소식", "news"),
        ({"slug": "news"}, "news", "news"),
        ({"name": "", "slug": "news"}, "news", "news"),
        ({}, "c-1", None),
    ],
)
def test_a_category_without_a_name_is_called_by_its_slug_or_id(
    row: dict[str, Any], title: str, slug: str | None
) -> None:
    old = parse_row(CATEGORIES, item({"categoryId": "c-1", "createdAt": MADE, **row}))
    assert (old.fields["title"], old.fields["slug"]) == (title, slug)
    assert old.fields["id"] == "c-1"


@pytest.mark.parametrize(
    ("order", "kept"), [(3, 3), ("3", 3), (3.0, 3), (3.5, None), ("x", None), (None, None)]
)
def test_an_order_is_a_whole_number_or_none(order: Any, kept: int | None) -> None:
    old = parse_row(CATEGORIES, item({"categoryId": "c", "name": "n", "order": order}))
    assert old.fields["order"] == kept
    assert ("legacy_order" in old.foreign) == (kept is None and order is not None)


def test_a_row_about_the_company_keeps_its_id_beside_the_rest() -> None:
    row = {"corpMetaId": "m-1", "ceo": "김", "hp": "010", "corpNum": "1-2", "createdAt": MADE}
    stored = decode_item(copy_of(parse_row(CORP, item(row)), name="N").item)
    assert stored["corpMetaId"] == "m-1"
    assert (stored["ceo"], stored["hp"], stored["corpNum"]) == ("김", "010", "1-2")
    assert (stored["PK"], stored["id"]) == ("CORP#INFO", "corp-info")


def test_an_inquiry_that_lacks_what_it_must_have_gets_words_that_say_so() -> None:
    row = {"inquiryId": "i-1", "status": "lost", "notifiedEmail": "a@b.c", "createdAt": MADE}
    stored = decode_item(copy_of(parse_row(CONTACT, item(row))).item)
    assert stored["name"] == "(unknown)"
    assert stored["email"] == "unknown@example.invalid"
    assert stored["subject"] == "(no subject)"
    assert stored["message"] == "(no message)"
    assert (stored["status"], stored["legacy_status"]) == ("new", "lost")
    assert stored["notifiedEmail"] == "a@b.c"
    assert len(topics(CONTACT, row)) == 5


@pytest.mark.parametrize("row", [{}, {"postId": ""}, {"postId": None}, {"postId": {"a": 1}}])
def test_a_row_without_an_id_cannot_be_understood(row: dict[str, Any]) -> None:
    with pytest.raises(MigrationError, match="no postId"):
        parse_row(POSTS, item(row))


def test_an_id_that_cannot_be_part_of_a_key_says_so() -> None:
    row = {"inquiryId": "x" * 101, "createdAt": MADE}
    with pytest.raises(MigrationError, match="id cannot be kept"):
        copy_of(parse_row(CONTACT, item(row)))


def test_the_same_row_is_the_same_in_every_run() -> None:
    first, second = (parse_row(POSTS, item(POST)) for _ in range(2))
    assert first.digest == second.digest
    assert first.digest != parse_row(POSTS, item({**POST, "title": "other"})).digest
    assert utc_iso(first.updated_at) == "2025-11-25T05:00:00Z"


def test_the_order_of_a_set_makes_no_difference() -> None:
    rows = [{**item(POST), "tags": {"SS": tags}} for tags in (["a", "b"], ["b", "a"])]
    assert len({parse_row(POSTS, row).digest for row in rows}) == 1
