from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from gotgan.clock import FixedClock
from gotgan.domains.videos.reports import Recipe
from gotgan.domains.videos.results import Versions
from gotgan.sql import Database

RECIPE = Recipe("builtin", "gotgan-builtin", None, "s1")
OTHERS = [
    replace(RECIPE, analyser="gemini"),
    replace(RECIPE, model="other"),
    replace(RECIPE, prompt_version="p1"),
    replace(RECIPE, score_version="s2"),
    replace(RECIPE, schema_version=3),
    replace(RECIPE, inputs="title"),
]


def test_recipes_are_numbered_in_the_order_of_their_first_use(
    database: Database, clock: FixedClock
) -> None:
    versions = Versions(database, clock)
    names = [versions.name_of(recipe) for recipe in (RECIPE, *OTHERS, RECIPE)]
    assert names == ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v1"]
    assert [each.recipe for each in versions.all()] == [RECIPE, *OTHERS]


def test_a_recipe_has_the_same_version_in_every_process(
    database: Database, clock: FixedClock
) -> None:
    first = Versions(database, clock).name_of(RECIPE)
    assert Versions(database, clock).name_of(RECIPE) == first


def test_recipes_that_are_first_used_at_once_have_versions_of_their_own(
    database: Database, clock: FixedClock
) -> None:
    recipes = [replace(RECIPE, model=f"m{number % 4}") for number in range(16)]

    def name(recipe: Recipe) -> tuple[str, str]:
        return recipe.model, Versions(database, clock).name_of(recipe)

    with ThreadPoolExecutor(8) as crowd:
        pairs = set(crowd.map(name, recipes))
    assert len(pairs) == 4
    assert {version for _, version in pairs} == {"v1", "v2", "v3", "v4"}
