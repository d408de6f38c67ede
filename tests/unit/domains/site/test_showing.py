"""Records as they are shown: the quick way and the careful way say the same."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.site import messages
from gotgan.domains.site.models import Banner, ContactInquiry, Mail, Post, Reply, Token
from gotgan.domains.site.resource import skip_bad_item
from gotgan.items import item_renderer, record_item
from gotgan.messages import Message
from gotgan.store import Entity
from gotgan.store.schema import schema_of

MORNING = datetime(2025, 11, 10, 9, tzinfo=UTC)
POST = Post(
    id="p001",
    category_id="c001",
    author_id="u001",
    title="글",
    contents="곳간",
    created_at=MORNING,
)
MAIL = Mail(id="m", inquiry_id="i", purpose="notice", subject="s", body="b", created_at=MORNING)
RECORDS: list[Entity] = [
    POST,
    POST.model_copy(update={"contents": {"type": "doc", "n": 1}, "contents_format": "tiptap"}),
    POST.model_copy(update={"expires_at": MORNING, "legacy_id": "old", "version": 7}),
    Banner(id="b", title="t", img_uri="/x.png", created_at=MORNING, expires_at=MORNING),
    ContactInquiry(
        id="i",
        name="n",
        email="a@example.com",
        subject="s",
        message="m",
        created_at=MORNING,
        replies=[Reply(message="r", by="u", at="2025-11-10T09:00:00Z")],
    ),
    MAIL,
    Token(
        id="t", user_id="u", user_since=MORNING, role="admin", secret_hash="h", created_at=MORNING
    ),
]


def quickly(record: Entity, **changed: Any) -> dict[str, Any] | None:
    item = {**schema_of(type(record)).item(record), **changed}
    return shown(type(record), {name: value for name, value in item.items() if value})


def shown(entity: type[Entity], item: dict[str, Any]) -> dict[str, Any] | None:
    made = item_renderer(entity, skip_bad_item)(item)
    return None if made is None else made[1]


def plain(shown_record: dict[str, Any]) -> dict[str, Any]:
    """As JSON would have it."""
    replies = shown_record.get("replies")
    told = {"replies": [dict(each) for each in replies]} if replies else {}
    return {**shown_record, **told}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_both_ways_show_the_same(record: Entity) -> None:
    assert plain(quickly(record) or {}) == plain(record_item(record))


def test_the_reason_of_a_mail_is_shown_as_a_message() -> None:
    """Not as it is stored, so that each reader gets it in their language."""
    failed = MAIL.model_copy(update={"last_error": messages.NO_SENDER()})
    for shown_record in (quickly(failed) or {}, record_item(failed)):
        assert isinstance(shown_record["lastError"], Message)
        assert shown_record["lastError"] == messages.NO_SENDER()


def test_the_reason_of_an_earlier_version_is_shown_as_it_is() -> None:
    assert (quickly(MAIL, lastError={"S": "broke off"}) or {})["lastError"] == "broke off"


def test_nobody_is_shown_what_is_hidden() -> None:
    token = RECORDS[-1]
    assert "secretHash" not in record_item(token)
    assert "secretHash" not in (quickly(token) or {})


def test_what_others_added_is_not_shown() -> None:
    assert "internal" not in (quickly(POST, internal={"S": "note"}) or {})


@pytest.mark.parametrize(
    "changed",
    [
        {"title": None},
        {"title": {"N": "1"}},
        {"contentsFormat": {"S": "word"}},
        {"version": {"S": "x"}},
    ],
)
def test_an_item_that_is_no_post_is_left_out(changed: dict[str, Any]) -> None:
    assert quickly(POST, **changed) is None


def test_a_moment_that_others_wrote_is_shown_as_we_write_it() -> None:
    item = quickly(POST, CreatedAt={"S": "2025-11-10T18:00:00.25+09:00"})
    assert (item or {})["CreatedAt"] == "2025-11-10T09:00:00Z"


NAMES = st.sampled_from(["id", "title", "contents", "CreatedAt", "version", "contentsFormat"])
VALUES = st.one_of(
    st.builds(lambda text: {"S": text}, st.text(max_size=30)),
    st.builds(lambda number: {"N": str(number)}, st.integers(0, 10**9)),
    st.sampled_from([{"BOOL": True}, {"L": []}, {"M": {}}]),
)


@given(NAMES, VALUES)
def test_whatever_stands_in_an_item_both_ways_agree_on_it(name: str, value: Any) -> None:
    item = {**schema_of(Post).item(POST), name: value}
    made = shown(Post, item)
    try:
        careful = record_item(schema_of(Post).load(item))
    except Exception:  # noqa: BLE001 - whatever it is, it is no post
        careful = None
    if made is not None and careful is not None:
        assert plain(made) == plain(careful)
    elif careful is None and made is not None:
        assert name == "id"  # an id of another length is no post to write, and one to show
