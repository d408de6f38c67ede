"""Posts as a data set."""

from __future__ import annotations

from gotgan.domains.site.exports import site_data_sets
from gotgan.domains.site.service import Site
from gotgan.exports import ExportSpan, Partition
from gotgan.store import Store


def partitions(store: Store) -> list[Partition]:
    [posts] = site_data_sets(store)
    assert (posts.name, posts.by) == ("posts", None)
    return [*posts.partitions(ExportSpan())]


def test_posts_are_one_file_that_changes_with_each_of_them(site: Site, store: Store) -> None:
    post = site.posts.create(
        title="Report", contents="# March\n\nIt *grew*.", author_id="u001", category_id="c001"
    )
    [before] = partitions(store)
    [row] = before.rows()
    assert row[:5] == (post.id, "c001", "u001", None, "Report")
    assert row[5:7] == ("markdown", "March It grew.")
    site.posts.update(post.id, {"title": "Report of March"}, version=post.version)
    [after] = partitions(store)
    assert before.version != after.version


def test_drafts_and_people_are_not_exported(site: Site, store: Store) -> None:
    site.drafts.create(title="Secret", contents="x", author_id="u001", category_id="c001")
    assert partitions(store) == []
