"""How the index follows what domains have: changes, removals, failures and several processes."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from gotgan.clock import FixedClock
from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.errors import BadCursor, StoreUnreachable
from gotgan.search import tokens, writer
from gotgan.search.indexer import Indexer
from gotgan.search.tables import SEARCH_DOCUMENTS, SEARCH_MARKS
from gotgan.search.updater import Updater
from gotgan.sql import revoke
from tests.unit.search.conftest import NOW, Library

POST = SearchDocument("post", "p1", "Opening hours", "From nine to five.", at=NOW)
MINUTE = timedelta(minutes=1)


def _mark(library: Library) -> str | None:
    with library.database.read() as connection:
        return connection.execute(select(SEARCH_MARKS.c.mark)).scalar()


def test_what_has_not_changed_is_not_written_again(library: Library) -> None:
    library.put(POST)
    report = library.indexer.update()
    assert (report.written, report.removed, report.total) == (0, 0, 1)
    assert library.shelf.marks == [None, "all"]


def test_a_change_replaces_what_was_found(library: Library) -> None:
    library.put(POST)
    library.shelf.documents = [replace(POST, title="Holidays", at=NOW + MINUTE)]
    assert library.indexer.update().written == 1
    assert library.found("opening") == []
    assert library.found("holidays") == ["p1"]


def test_documents_of_a_batch_are_there_in_full(library: Library) -> None:
    comments = [
        SearchDocument("comment", str(number), "", "nice", group="v1") for number in range(3)
    ]
    library.put(*comments, SearchDocument("comment", "other", "", "nice", group="v2"))
    library.shelf.batches = [DocumentBatch(comments[:1], replaced=["v1"], mark="next")]
    assert library.indexer.update().removed == 2
    assert sorted(library.found("nice")) == ["0", "other"]


def test_what_is_gone_is_removed_when_all_is_read_again(
    library: Library, clock: FixedClock
) -> None:
    library.put(POST, replace(POST, id="p2"))
    library.shelf.documents.pop()
    clock.advance(MINUTE)
    assert library.indexer.update().removed == 1
    assert library.found("opening") == ["p1"]
    assert library.shelf.marks == [None, "all", None]


def test_a_document_ends_at_its_time(library: Library, clock: FixedClock) -> None:
    library.put(replace(POST, until=NOW + MINUTE))
    assert library.found("opening") == ["p1"]
    clock.advance(MINUTE)
    assert library.found("opening") == []  # before it is removed
    library.shelf.documents = []
    assert library.indexer.update().removed == 1


def test_a_mark_moves_with_its_documents(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.shelf.batches = [
        DocumentBatch([POST], mark="1", is_last=False),
        DocumentBatch([replace(POST, id="p2")], mark="2"),
    ]
    write = writer.write_documents

    def dies(connection: object, domain: str, documents: list[SearchDocument]) -> object:
        written = write(connection, domain, documents)  # type: ignore[arg-type]
        if documents[0].id == "p2":
            raise OSError("the power is gone")
        return written

    monkeypatch.setattr("gotgan.search.indexer.write_documents", dies)
    assert "shelf" in library.indexer.update().failed
    assert (_mark(library), library.found("opening")) == ("1", ["p1"])
    assert library.search.find("opening").as_of is None


def test_large_batches_are_several_transactions(library: Library) -> None:
    documents = [replace(POST, id=str(number), text="x" * 9_000) for number in range(120)]
    library.put(*documents)
    assert library.search.find("hours", limit=200).total == 120


def test_a_domain_that_fails_does_not_stop_the_others(library: Library) -> None:
    broken, shelf = type(library.shelf)(), library.shelf
    broken.error = StoreUnreachable("The table cannot be read.")
    services = {"broken": lambda: broken, "shelf": lambda: shelf}
    both = Indexer(library.database, services, library.clock, library.clock)
    shelf.documents = [POST]
    report = both.update()
    assert report.failed == {"broken": "The table cannot be read."}
    assert library.found("opening") == ["p1"]
    broken.error = None
    assert both.update().failed == {}


def test_of_two_processes_one_updates(library: Library) -> None:
    inside, go_on = threading.Event(), threading.Event()
    read = library.shelf.search_documents

    def slow(mark: str | None) -> DocumentBatch:
        inside.set()
        go_on.wait()
        return read(mark)

    library.shelf.search_documents = slow  # type: ignore[method-assign]
    other = Library(library.database, library.clock)
    if library.database.engine.dialect.name == "sqlite":
        other.shelf.documents = [POST]
    first = threading.Thread(target=library.indexer.update)
    first.start()
    inside.wait()
    report = other.indexer.update()
    go_on.set()
    first.join()
    assert (report.is_elsewhere, report.written, other.shelf.marks) == (True, 0, [])


def test_a_process_that_lost_its_lease_writes_nothing_more(library: Library) -> None:
    read = library.shelf.search_documents

    def late(mark: str | None) -> DocumentBatch:
        with library.database.begin() as connection:
            revoke(connection, "search:index")
        return read(mark)

    library.shelf.search_documents = late  # type: ignore[method-assign]
    library.shelf.documents = [POST]
    report = library.indexer.update()
    assert (report.is_elsewhere, report.total, _mark(library)) == (True, 0, None)


def test_a_rebuild_reads_everything_again(library: Library) -> None:
    library.put(POST)
    library.shelf.documents = [replace(POST, id="p2")]
    report = library.search.rebuild()
    assert (report.written, report.total, library.found("opening")) == (1, 1, ["p2"])
    assert (library.shelf.rebuilt, library.shelf.refreshed) == (1, 2)


def test_an_index_of_other_tokens_is_made_again(library: Library) -> None:
    library.put(POST)
    with library.database.begin() as connection:
        connection.execute(update(SEARCH_MARKS).values(tokens=tokens.VERSION - 1))
    assert library.indexer.update().written == 1
    assert library.found("opening") == ["p1"]


def test_documents_of_one_second_have_ids_of_their_own(library: Library) -> None:
    documents = [SearchDocument("share", f"{number:06}", "같은 이름") for number in range(3_000)]
    library.put(*documents)
    with library.database.read() as connection:
        assert len(connection.execute(select(SEARCH_DOCUMENTS.c.id)).all()) == 3_000


def test_texts_that_no_database_takes_are_cleaned(library: Library) -> None:
    library.put(SearchDocument("story", "a\0b", "nul\0 \ud800 title", "text\0", names=("x\ny",)))
    assert library.found("title") == ["ab"]


def test_the_index_states_its_age(library: Library, clock: FixedClock) -> None:
    assert (library.search.find("x").as_of, library.search.is_fresh()) == (None, False)
    library.put(POST)
    clock.advance(timedelta(seconds=59))
    page = library.search.find("opening")
    assert (page.as_of, page.age_s, library.search.is_fresh()) == (NOW, 59, True)
    clock.advance(timedelta(seconds=2))
    assert not library.search.is_fresh()


def test_the_updater_updates_until_it_is_stopped(library: Library) -> None:
    read, seen = library.shelf.search_documents, threading.Semaphore(0)

    def counted(mark: str | None) -> DocumentBatch:
        seen.release()
        return read(mark)

    library.shelf.search_documents = counted  # type: ignore[method-assign]
    library.shelf.documents = [POST]
    updater = Updater(library.indexer, interval_s=0.0)
    updater.start()
    for _ in range(3):
        seen.acquire()
    updater.stop()
    assert library.found("opening") == ["p1"]


def test_an_update_that_is_stopped_goes_on_from_there(library: Library) -> None:
    first = DocumentBatch([POST], mark="1", is_last=False)
    library.shelf.batches = [first, DocumentBatch([replace(POST, id="p2")], mark="2")]
    library.indexer.stop()
    library.indexer.update()
    assert (_mark(library), library.found("opening")) == ("1", ["p1"])
    Library(library.database, library.clock, library.shelf).indexer.update()
    assert (_mark(library), sorted(library.found("opening"))) == ("2", ["p1", "p2"])


def test_a_mark_of_another_secret_begins_again(library: Library) -> None:
    library.put(POST)
    read = library.shelf.search_documents

    def refused(mark: str | None) -> DocumentBatch:
        if mark is not None:
            raise BadCursor("It was signed with another secret.")
        return read(mark)

    library.shelf.search_documents = refused  # type: ignore[method-assign]
    library.shelf.documents.append(replace(POST, id="p2"))
    assert (library.indexer.update().failed, len(library.found("opening"))) == ({}, 2)


def test_an_id_that_is_too_long_is_one_of_those_that_are_there(
    library: Library, clock: FixedClock
) -> None:
    library.put(replace(POST, id="x\0" * 3_000))
    clock.advance(MINUTE)
    assert library.indexer.update().removed == 0


def test_an_updater_that_was_not_started_can_be_stopped(library: Library) -> None:
    Updater(library.indexer).stop()
