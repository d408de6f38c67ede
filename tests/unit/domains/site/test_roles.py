"""Roles: each may do all that the one before it may, and the public what needs none."""

from __future__ import annotations

from typing import get_args

import pytest

from gotgan.domains.site.models import ROLES, Role, allows, lower_role

TABLE: list[tuple[Role | None, str]] = [
    (None, "public"),
    ("viewer", "public viewer"),
    ("editor", "public viewer editor"),
    ("admin", "public viewer editor admin"),
]


def test_there_are_three_from_the_least_to_the_greatest() -> None:
    assert get_args(Role) == ROLES == ("viewer", "editor", "admin")


@pytest.mark.parametrize(("role", "may"), TABLE)
def test_a_role_is_enough_for_itself_and_for_less(role: Role | None, may: str) -> None:
    needs: list[Role | None] = [None, *ROLES]
    assert [need or "public" for need in needs if allows(role, need)] == may.split()


@pytest.mark.parametrize("one", ROLES)
@pytest.mark.parametrize("other", ROLES)
def test_of_two_roles_the_lesser_allows_what_both_do(one: Role, other: Role) -> None:
    both = [need for need in ROLES if allows(one, need) and allows(other, need)]
    assert [need for need in ROLES if allows(lower_role(one, other), need)] == both
