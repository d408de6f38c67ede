"""Which stories there are: the same each time, most of them known already an hour later."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from gotgan.world.news.stories import NEWSPAPER, YAHOO, StoryKind, find_story, newest_stories
from gotgan.world.scene import Scene

TWO_DAYS = 98


def test_the_same_seed_and_moment_give_the_same_stories(scene: Scene) -> None:
    assert newest_stories(scene, 55) == newest_stories(replace(scene), 55)


def test_another_seed_gives_other_stories(scene: Scene) -> None:
    ours = {story.address for story in newest_stories(scene, 55)}
    assert not ours & {story.address for story in newest_stories(replace(scene, seed=8), 55)}


def test_the_feed_has_other_stories_than_the_list(scene: Scene) -> None:
    ours = {story.address for story in newest_stories(scene, 55)}
    assert not ours & {story.address for story in newest_stories(scene, 55, "feed")}


def test_the_newest_come_first_and_none_from_the_future(scene: Scene) -> None:
    moments = [story.at for story in newest_stories(scene, 55)]
    assert moments == sorted(moments, reverse=True)
    assert moments[0] <= scene.now


def test_six_hours_later_some_stories_are_new_and_most_are_known(scene: Scene) -> None:
    later = replace(scene, now=scene.now + timedelta(hours=6))
    before = {story.address for story in newest_stories(scene, 50)}
    new = [story for story in newest_stories(later, 50) if story.address not in before]
    assert 10 <= len(new) <= 14


def test_the_number_in_an_address_is_the_time_of_day(scene: Scene) -> None:
    for story in newest_stories(scene, 55):
        if story.kind is StoryKind.STORY and not story.query:
            assert story.path.endswith(f"-{story.at:%H%M%S%f}"[:-3] + ".html")


def test_the_same_number_stands_in_addresses_of_every_day(scene: Scene) -> None:
    same = [
        story for story in newest_stories(scene, 5 * TWO_DAYS) if f"{story.at:%H%M%S}" == "060559"
    ]
    assert len(same) >= 9
    assert len({story.address for story in same}) == len(same)


def test_every_kind_is_among_the_stories_of_two_days(scene: Scene) -> None:
    assert {story.kind for story in newest_stories(scene, TWO_DAYS)} == set(StoryKind)


def test_a_story_is_listed_again_under_a_second_link(scene: Scene) -> None:
    stories = newest_stories(scene, TWO_DAYS)
    again = next(story for story in stories if "guccounter" in story.query)
    first = next(story for story in stories if story.path == again.path and not story.query)
    assert (first.uuid, first.title) == (again.uuid, again.title)
    assert first.href != again.href
    assert find_story(scene, again.host, again.path) == first


@pytest.mark.parametrize(
    ("kind", "begins"),
    [
        (StoryKind.VIDEO, "/video/"),
        (StoryKind.MAGAZINE, "/m/"),
        (StoryKind.REPORT, "/research/reports/ARGUS_"),
        (StoryKind.OFF_SITE, "https://www.example-"),
    ],
)
def test_a_kind_of_story_has_links_of_its_own_shape(
    scene: Scene, kind: StoryKind, begins: str
) -> None:
    hrefs = [story.href for story in newest_stories(scene, TWO_DAYS) if story.kind is kind]
    assert hrefs
    assert all(href.startswith(begins) for href in hrefs)


def test_a_story_is_found_by_its_place_once_it_is_out(scene: Scene) -> None:
    story = newest_stories(scene, 1)[0]
    assert find_story(scene, story.host, story.path) == story
    assert (
        find_story(replace(scene, now=story.at - timedelta(seconds=1)), story.host, story.path)
        is None
    )


def test_a_story_that_the_site_only_leads_to_is_found_at_its_publisher(scene: Scene) -> None:
    story = next(each for each in newest_stories(scene, TWO_DAYS) if each.kind is StoryKind.STUB)
    assert find_story(scene, NEWSPAPER, story.elsewhere) == story
    assert find_story(scene, YAHOO, story.elsewhere) is None
