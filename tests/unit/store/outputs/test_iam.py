"""Policies allow what patterns and entities need, and refuse everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from types import new_class
from typing import Annotated, Any

import pytest
from pydantic import StringConstraints

from gotgan.lifecycle import Lifecycle
from gotgan.store.entities import Entity
from gotgan.store.fields import Id, Prefixed
from gotgan.store.keys import FewValues, IndexKey, Key, Ref
from gotgan.store.outputs.iam import (
    Grant,
    document,
    list_grants,
    merge_grants,
    plain_arns,
    policy,
    read_grants,
    read_statements,
    statements,
    template_arns,
    write_grants,
    write_statements,
)
from gotgan.store.patterns import pattern, patterns_of
from gotgan.store.tables import Names, Table, number

from .blog import BLOG, EVENTS, Redirect
from .declared import plain

ARNS = plain_arns("blog")
READS = read_statements(BLOG, "Blog", ARNS)
WRITES = write_statements(BLOG, "Blog", ARNS)


def _allowed(
    granted: Sequence[dict[str, Any]], action: str, keys: Sequence[str], index: str | None = None
) -> bool:
    """What IAM would decide, for the parts of its language that our policies use."""
    resource = ARNS(None) if index is None else ARNS(index)
    return any(
        f"dynamodb:{action}" in statement["Action"]
        and statement["Resource"] == resource
        and _conditions_hold(statement, keys)
        for statement in granted
    )


def _conditions_hold(statement: dict[str, Any], keys: Sequence[str]) -> bool:
    if "Condition" not in statement:
        return True
    wanted = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    return all(any(fnmatchcase(key, like) for like in wanted) for key in keys)


def _entity(table: Table, name: str, template: str, kind: Any = Id, **members: Any) -> Any:
    """Declare an entity with one field, ``id``, on the spot."""
    body = {"__module__": __name__, "__annotations__": {"id": kind}, "key": Key(template)}
    return new_class(name, (Entity,), {"table": table}, lambda space: space.update(body, **members))


@pytest.mark.parametrize(
    ("action", "key", "index"),
    [
        ("GetItem", "CATEGORY#c1", None),
        ("BatchGetItem", "CATEGORY#c1", None),
        ("GetItem", "IMPRINT", None),
        ("Query", "CATEGORY#c1", None),
        ("Query", "Post", "Type_CreatedAt"),
        ("Query", "anybody", "ByAuthor"),
        ("Query", "12", "ByPrice"),
    ],
)
def test_a_read_of_a_pattern_is_allowed(action: str, key: str, index: str | None) -> None:
    assert _allowed(READS, action, [key], index)


@pytest.mark.parametrize(
    ("action", "key", "index"),
    [
        ("GetItem", "IMPRINT#2", None),
        ("GetItem", "OLD#/about", None),
        ("Query", "IMPRINT", None),
        ("Query", "OLD#/about", None),
        ("Query", "Draft", "Type_CreatedAt"),
        ("Scan", "CATEGORY#c1", None),
        ("Scan", "Post", "Type_CreatedAt"),
        ("Scan", "anybody", "ByAuthor"),
        ("PutItem", "CATEGORY#c1", None),
        ("DeleteTable", "CATEGORY#c1", None),
    ],
)
def test_a_read_of_no_pattern_is_refused(action: str, key: str, index: str | None) -> None:
    assert not _allowed(READS, action, [key], index)


def test_a_batch_may_mix_the_keys_of_several_patterns_and_no_others() -> None:
    assert _allowed(READS, "BatchGetItem", ["CATEGORY#c1", "CATEGORY#c2", "IMPRINT"])
    assert not _allowed(READS, "BatchGetItem", ["CATEGORY#c1", "OLD#x"])


def test_what_a_partial_index_does_not_hold_may_be_read_from_the_table() -> None:
    table = Table("notes", pk="pk")
    assert read_statements(table, "Notes", ARNS) == []
    found = [each for each in READS if "PostsBy" in each["Sid"]]
    actions = {action for each in found for action in each["Action"]}
    assert actions == {"dynamodb:Query", "dynamodb:BatchGetItem", "dynamodb:GetItem"}


@pytest.mark.parametrize(
    "action", ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem"]
)
def test_the_entities_can_be_written_and_nothing_else_can(action: str) -> None:
    for key in ("CATEGORY#c1", "OLD#/about", "IMPRINT"):
        assert _allowed(WRITES, action, [key])
    assert not _allowed(WRITES, action, ["USER#u1"])
    assert not _allowed(WRITES, "Query", ["CATEGORY#c1"])


def test_a_key_without_a_settled_beginning_is_allowed_without_a_condition() -> None:
    [statement] = read_statements(EVENTS, "Events", plain_arns("events"))
    assert "Condition" not in statement
    assert statement["Action"] == ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"]


def test_a_number_is_never_compared_with_text() -> None:
    table = Table("prices", pk=number("id"))
    price = _entity(table, "Price", "{id}", int)

    @pattern
    def free() -> Ref[Any]:
        """What costs nothing."""
        found: Ref[Any] = price.key(id=0)
        return found

    assert free.reads[0].pk == "0"
    [statement] = read_statements(table, "Prices", ARNS)
    assert statement["Sid"] == "ReadPricesForFree"
    assert "Condition" not in statement


def test_a_pattern_of_two_tables_is_granted_on_each_what_it_reads_there() -> None:
    [on_table] = [each for each in READS if "Trail" in each["Sid"]]
    assert on_table["Condition"]["ForAllValues:StringLike"] == {
        "dynamodb:LeadingKeys": ["CATEGORY#*"]
    }


def test_an_action_for_any_key_needs_no_second_statement() -> None:
    grants = [
        Grant("all", "Query", None, "*"),
        Grant("some", "Query", None, "POST#*"),
        Grant("some", "GetItem", None, "POST#*"),
    ]
    free, kept = merge_grants(grants)
    assert (free.actions, free.keys, free.who) == (("Query",), ("*",), ("all", "some"))
    assert (kept.actions, kept.keys, kept.who) == (("GetItem",), ("POST#*",), ("some",))


def test_a_statement_names_who_needs_it() -> None:
    named = {statement["Sid"] for statement in (*READS, *WRITES)}
    assert "ReadBlogTypeCreatedAtForLatest" in named
    assert "WriteBlogForCategoryImprintPostRedirectVote" in named


def test_names_of_statements_are_letters_and_digits_and_never_the_same() -> None:
    twice = document([dict(each) for each in (*READS, *READS)])
    for made in (policy([BLOG, EVENTS, BLOG]), twice):
        sids = [statement["Sid"] for statement in made["Statement"]]
        assert len(set(sids)) == len(sids)
        assert all(re.fullmatch(r"[A-Za-z0-9]{1,130}", sid) for sid in sids)


def test_many_names_are_counted_where_they_do_not_fit() -> None:
    table = Table("wide", pk="pk")
    for letter in "ABCDEFGHIJ":
        _entity(table, letter * 20, f"{letter}#{{id}}")
    [statement] = write_statements(table, "Wide", ARNS)
    assert re.search(r"And\d+More$", statement["Sid"])


@pytest.mark.parametrize(
    ("template", "keys"),
    [
        ("A*B#{id}", "A${*}B#*"),
        ("A?#{id}", "A${?}#*"),
        ("$A#{id}", "${$}A#*"),
        ("ONE*", "ONE${*}"),
    ],
)
def test_signs_that_stand_for_something_in_a_policy_stand_for_themselves(
    template: str, keys: str
) -> None:
    table = Table("odd", pk="pk")
    _entity(table, "Odd", template)
    [statement] = write_statements(table, "Odd", ARNS)
    leading = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert leading == [keys]


def test_a_prefix_that_a_field_brings_along_counts() -> None:
    table = Table("lands", pk="pk")
    country = Annotated[str, StringConstraints(max_length=2), Prefixed("COUNTRY#")]
    _entity(table, "Land", "{id}", country)
    [statement] = write_statements(table, "Lands", ARNS)
    leading = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert leading == ["COUNTRY#*"]


def test_whoever_moves_items_through_a_lifecycle_may_look_for_those_that_are_stuck() -> None:
    table = Table("jobs", pk="pk")
    index = table.index("by_state", pk="queue", sk="state")
    run = Lifecycle(index, "QUEUE#{id}")
    _entity(table, "Job", "JOB#{id}", run=run)
    granted = write_statements(table, "Jobs", ARNS)
    assert _allowed(granted, "Query", ["QUEUE#q1"], "by_state")
    assert not _allowed(granted, "Query", ["OTHER#q1"], "by_state")


def test_who_reads_by_some_patterns_is_granted_no_others() -> None:
    [latest] = [each for each in patterns_of(BLOG) if each.name == "latest"]
    [statement] = statements("Read", read_grants(BLOG, [latest]), ARNS)
    assert statement["Sid"] == "ReadTypeCreatedAtForLatest"
    assert not _allowed([statement], "GetItem", ["CATEGORY#c1"])
    assert list(read_grants(BLOG, [])) == []


def test_who_writes_some_entities_is_granted_no_more_than_the_named_actions() -> None:
    granted = statements("Write", write_grants(BLOG, {Redirect: ("PutItem", "DeleteItem")}), ARNS)
    assert _allowed(granted, "PutItem", ["OLD#/about"])
    assert _allowed(granted, "DeleteItem", ["OLD#/about"])
    assert not _allowed(granted, "UpdateItem", ["OLD#/about"])
    assert not _allowed(granted, "PutItem", ["CATEGORY#c1"])
    assert list(write_grants(BLOG, {})) == []


@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"])
def test_who_may_be_refused_by_a_condition_may_look_at_what_was_in_the_way(action: str) -> None:
    granted = statements("Write", write_grants(BLOG, {Redirect: (action,)}), ARNS)
    assert _allowed(granted, "GetItem", ["OLD#/about"])
    assert not _allowed(granted, "GetItem", ["CATEGORY#c1"])


def test_who_writes_without_conditions_may_look_at_nothing() -> None:
    granted = statements("Write", write_grants(BLOG, {Redirect: ("BatchWriteItem",)}), ARNS)
    assert _allowed(granted, "BatchWriteItem", ["OLD#/about"])
    assert not _allowed(granted, "GetItem", ["OLD#/about"])


def test_who_writes_some_entities_may_still_look_for_those_that_are_stuck() -> None:
    table = Table("tasks", pk="pk")
    index = table.index("by_state", pk="queue", sk="state")
    task = _entity(table, "Task", "TASK#{id}", run=Lifecycle(index, "QUEUE#{id}"))
    granted = statements("Write", write_grants(table, {task: ("UpdateItem",)}), ARNS)
    assert _allowed(granted, "Query", ["QUEUE#q1"], "by_state")
    assert not _allowed(granted, "PutItem", ["TASK#t1"])


def test_who_lists_an_index_is_granted_the_partitions_that_belong_to_one_kind() -> None:
    table = Table("shelf", pk="pk")
    index, other = table.index("by_type", pk="type"), table.index("by_place", pk="place")
    acknowledged = [FewValues("a shelf has few things")]
    _entity(table, "Book", "BOOK#{id}", listed=IndexKey(index, "Book", acknowledge=acknowledged))
    _entity(table, "Jar", "JAR#{id}", listed=IndexKey(index, "{id}"))
    _entity(table, "Box", "BOX#{id}", placed=IndexKey(other, "Box", acknowledge=acknowledged))
    assert list(list_grants(index)) == [Grant("Book", "Query", index, "Book")]


def test_a_policy_has_placeholders_until_region_and_account_are_known() -> None:
    shown = json.dumps(policy([BLOG]))
    assert "arn:aws:dynamodb:REGION:ACCOUNT:table/blog/index/ByAuthor" in shown
    settled = json.dumps(policy([BLOG], region="eu-central-1", account="123456789012"))
    assert "arn:aws:dynamodb:eu-central-1:123456789012:table/blog" in settled
    assert "REGION" not in settled


def test_a_policy_speaks_of_the_tables_where_they_live() -> None:
    names = Names(tables={"blog": "blog-prod"}, indexes={("blog", "ByAuthor"): "Authors"})
    shown = json.dumps(policy([BLOG], names))
    assert "table/blog-prod/index/Authors" in shown
    assert "table/blog/" not in shown


def test_in_a_template_a_policy_speaks_of_the_template_s_own_table() -> None:
    resources = [each["Resource"] for each in read_statements(BLOG, "Blog", template_arns("Blog"))]
    assert {"Fn::GetAtt": ["Blog", "Arn"]} in resources
    assert {"Fn::Sub": "${Blog.Arn}/index/ByAuthor"} in resources


def test_a_table_that_nobody_reads_or_writes_needs_nothing() -> None:
    assert policy([plain()])["Statement"] == []
