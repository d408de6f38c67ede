"""The tables of the domains, through every output."""

from __future__ import annotations

import json

import pytest

from gotgan.domains.news import models as news
from gotgan.domains.shops import keys as shops
from gotgan.domains.site import patterns as site
from gotgan.store.engine import Engine
from gotgan.store.entities import entities_of
from gotgan.store.outputs import cloudformation
from gotgan.store.outputs.creation import create
from gotgan.store.outputs.descriptions import example_item
from gotgan.store.outputs.documents import markdown_page
from gotgan.store.outputs.iam import merge_grants, policy, read_grants, write_grants
from gotgan.store.outputs.yaml_text import to_yaml
from gotgan.store.patterns import patterns_of
from gotgan.store.tables import Table

from .live_tables import Direct
from .templates import complaints
from .test_sam import LONGEST_POLICY

TABLES = [news.news_item.table, site.post.table, shops.shop.table]


@pytest.fixture(params=TABLES, ids=lambda table: table.name)
def table(request: pytest.FixtureRequest) -> Table:
    declared: Table = request.param
    return declared


def test_cfn_lint_finds_nothing_in_the_templates_of_all_of_them() -> None:
    assert complaints(to_yaml(cloudformation.template(TABLES))) == []
    assert complaints(to_yaml(cloudformation.sam_template(TABLES))) == []


def test_a_table_is_made_and_fits(table: Table) -> None:
    with Engine(None) as engine:
        assert create(Direct(engine), table).differences == ()


def test_each_policy_is_short_enough_to_be_managed(table: Table) -> None:
    document = json.dumps(policy([table]), separators=(",", ":"))
    assert len(document) < LONGEST_POLICY


def test_every_pattern_and_every_entity_is_granted_something(table: Table) -> None:
    readers = {who for access in merge_grants(read_grants(table)) for who in access.who}
    writers = {who for access in merge_grants(write_grants(table)) for who in access.who}
    assert readers == {pattern.name for pattern in patterns_of(table)}
    assert writers == {entity.__name__ for entity in entities_of(table)}


def test_nobody_may_scan(table: Table) -> None:
    assert "Scan" not in json.dumps(policy([table]))


def test_every_entity_has_an_example(table: Table) -> None:
    assert [entity for entity in entities_of(table) if example_item(entity) is None] == []


def test_the_page_has_a_section_for_every_entity_and_pattern(table: Table) -> None:
    text = markdown_page(table)
    for entity in entities_of(table):
        assert f"### {entity.__name__}\n" in text
    for pattern in patterns_of(table):
        assert f"### {pattern.name}\n" in text
        assert pattern.doc in text


def test_the_site_s_index_may_be_read_for_its_own_types_alone() -> None:
    [access] = [
        access for access in merge_grants(read_grants(TABLES[1])) if access.index is not None
    ]
    assert access.actions == ("Query",)
    assert access.keys == (
        *("Banner", "Category", "ContactInquiry", "Draft", "Mail", "Post", "Token", "User"),
    )


def test_the_shops_lifecycles_may_be_read_by_country_alone() -> None:
    found = {
        access.index.name: access.keys
        for access in merge_grants(read_grants(TABLES[2]))
        if access.index is not None
    }
    assert found["GSI2"] == found["GSI3"] == ("COUNTRY#*",)
