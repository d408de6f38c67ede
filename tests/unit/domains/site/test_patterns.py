"""Each access pattern of the document is a function, with the key condition that it gives."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.site import patterns
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.store import Pattern, patterns_of
from tests.unit.domains.wire import condition

PK_AND_SK = 'PK = "{}" AND SK = "{}"'
TABLE_OF_PATTERNS: list[tuple[Pattern[..., Any], str]] = [
    (patterns.user, PK_AND_SK.format("USER#{user_id}", "METADATA")),
    (patterns.category, PK_AND_SK.format("CATEGORY#{category_id}", "METADATA")),
    (patterns.posts_in, 'PK = "CATEGORY#{category_id}" AND begins_with(SK, "POST#")'),
    (patterns.post, PK_AND_SK.format("CATEGORY#{category_id}", "POST#{post_id}")),
    (patterns.all_banners, 'Type = "Banner"'),
    (patterns.company, PK_AND_SK.format("CORP#INFO", "METADATA")),
    # Said in the text around the table, or missing from the key builder.
    (patterns.banner, PK_AND_SK.format("BANNER#{banner_id}", "METADATA")),
    (patterns.inquiry, PK_AND_SK.format("CONTACT#{inquiry_id}", "METADATA")),
    (patterns.category_with_posts, 'PK = "CATEGORY#{category_id}"'),
    (patterns.all_users, 'Type = "User"'),
    (patterns.all_categories, 'Type = "Category"'),
    (patterns.all_posts, 'Type = "Post"'),
    (patterns.all_inquiries, 'Type = "ContactInquiry"'),
    # Of what the document does not have: drafts, mails and tokens,
    (patterns.draft, PK_AND_SK.format("CATEGORY#{category_id}", "DRAFT#{draft_id}")),
    (patterns.drafts_in, 'PK = "CATEGORY#{category_id}" AND begins_with(SK, "DRAFT#")'),
    (patterns.all_drafts, 'Type = "Draft"'),
    (patterns.mail, PK_AND_SK.format("MAIL#{mail_id}", "METADATA")),
    (patterns.all_mails, 'Type = "Mail"'),
    (patterns.token, PK_AND_SK.format("USER#{user_id}", "TOKEN#{token_id}")),
    (patterns.tokens_of, 'PK = "USER#{user_id}" AND begins_with(SK, "TOKEN#")'),
    (patterns.all_tokens, 'Type = "Token"'),
    # and of what finds and guards them, outside the index.
    (patterns.post_pointer, PK_AND_SK.format("POST#{asked}", "METADATA")),
    (patterns.adoption, PK_AND_SK.format("ADOPTION", "METADATA")),
    (patterns.slug_guard, PK_AND_SK.format("SLUG#{slug}", "METADATA")),
    (patterns.category_guard, PK_AND_SK.format("CATEGORY_GUARD#{category_id}", "METADATA")),
    (patterns.sign_in_code, PK_AND_SK.format("SIGN_IN#{digest}", "METADATA")),
    (patterns.due_mails, 'PK = "OUTBOX" AND SK <= "{now}#\U0010ffff"'),
    (patterns.waiting_mails, 'PK = "OUTBOX"'),
    (patterns.admins, 'Type = "User"'),
    # What happened on a day.
    (patterns.drafts_within, 'Type = "Draft" AND CreatedAt BETWEEN "{first}" AND "{last}"'),
    (patterns.posts_within, 'Type = "Post" AND CreatedAt BETWEEN "{first}" AND "{last}"'),
    (
        patterns.inquiries_within,
        'Type = "ContactInquiry" AND CreatedAt BETWEEN "{first}" AND "{last}"',
    ),
]


@pytest.mark.parametrize(
    ("pattern", "expected"), TABLE_OF_PATTERNS, ids=[each.name for each, _ in TABLE_OF_PATTERNS]
)
def test_each_access_pattern_has_the_key_condition_of_the_document(
    pattern: Pattern[..., Any], expected: str
) -> None:
    [read] = pattern.reads
    assert condition(read) == expected
    assert (read.index is BY_TYPE) is expected.startswith("Type = ")


def test_nothing_is_filtered_but_users_by_their_role() -> None:
    reads = [(each.name, read) for each in patterns_of(SITE) for read in each.reads]
    assert [name for name, read in reads if read.filter] == ["admins"]


def test_no_access_pattern_is_left_out_of_the_table() -> None:
    listed = {pattern.name for pattern, _ in TABLE_OF_PATTERNS}
    assert {pattern.name for pattern in patterns_of(SITE)} == listed


def test_lists_come_newest_first() -> None:
    lists = [each for each in patterns_of(SITE) if each.name.startswith("all_")]
    lists += [patterns.posts_in, patterns.drafts_in, patterns.tokens_of]
    assert all(read.newest_first for each in lists for read in each.reads)


@pytest.mark.parametrize(
    ("ref", "key"),
    [
        (patterns.user("u001"), ("USER#u001", "METADATA")),
        (patterns.category("c001"), ("CATEGORY#c001", "METADATA")),
        (patterns.post("c001", "p001"), ("CATEGORY#c001", "POST#p001")),
        (patterns.banner("bn001"), ("BANNER#bn001", "METADATA")),
        (patterns.company(), ("CORP#INFO", "METADATA")),
        (patterns.inquiry("inq001"), ("CONTACT#inq001", "METADATA")),
    ],
)
def test_keys_are_built_as_the_document_builds_them(ref: Any, key: tuple[str, str]) -> None:
    assert (ref.pk, ref.sk) == key
