"""Keys of odd texts all the way to the database and back: nothing is lost, mixed up or let in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.errors import BadKeyPart
from gotgan.store import Entity, Id, IndexKey, Key, Store, Table, collection

TABLE = Table("folders", pk="pk", sk="sk")
BY_OWNER = TABLE.index("by_owner", pk="owner_pk", sk="owner_sk")

ODD = [
    "#",
    "POST#",
    "FILE#a",
    "METADATA",
    "\0",
    "a\0b",
    "a\nb",
    " ",
    "..",
    "'; DROP TABLE items; --",
    "%_",
    "{id}",
    '"quoted"',
    "שלום עולם",
    "\u202edcba",
    "👩‍👩‍👧‍👦",
    "é",
    "e\u0301",
    "\ufeff",
    "\uffff",
    "\U0010ffff",
    "한" * 100,
]


class Folder(Entity, table=TABLE):
    key = Key("FOLDER#{id}", "METADATA")
    id: Id


class File(Entity, table=TABLE):
    key = Key("FOLDER#{folder}", "FILE#{id}")
    by_owner = IndexKey(BY_OWNER, "OWNER#{owner}", "{folder}#{id}")
    folder: Id
    id: Id
    owner: Id | None = None


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with Store.in_memory() as opened:
        opened.create(TABLE)
        opened.put_new_all([File(folder="all", id=text) for text in ODD])
        yield opened


@pytest.mark.parametrize("text", ODD)
def test_an_odd_text_is_an_id_like_any_other(store: Store, text: str) -> None:
    file = File(folder=text, id=text)
    assert store.put_new(file).new
    assert not store.put_new(file).new
    assert store.get(file.key) == file
    assert store.query(File.key.query(folder=text)).items == (file,)
    assert store.query(collection(File, Folder, folder=text)).items == (file,)


def test_odd_texts_are_all_there_side_by_side_in_the_order_of_their_bytes(store: Store) -> None:
    found = [file.id for file in store.iterate(File.key.query(folder="all"), at_most=None)]
    assert found == sorted(ODD, key=str.encode)


def test_pages_that_end_at_odd_texts_go_on_behind_them(store: Store) -> None:
    query, seen, cursor = File.key.query(folder="all"), [], None
    while True:
        page = store.query(query, limit=1, cursor=cursor)
        seen += [file.id for file in page]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == sorted(ODD, key=str.encode)


@pytest.mark.parametrize("folder", ["a#b", "a#", "#"])
def test_a_separator_that_would_make_two_things_one_is_refused(store: Store, folder: str) -> None:
    with pytest.raises(BadKeyPart, match="contains '#'"):
        store.put_new(File(folder=folder, id="x", owner="o"))
    assert store.get(File.key(folder=folder, id="x")) is None


def test_what_stays_out_of_an_index_is_not_measured_by_its_key(store: Store) -> None:
    assert store.put_new(File(folder="left#out", id="x")).new


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_a_folder_never_shows_the_files_of_another(store: Store, name: str) -> None:
    mine = File(folder=f"mine{name}", id=name)
    store.put_new(mine)
    assert store.query(File.key.query(folder=mine.folder)).items == (mine,)
    assert store.get(Folder.key(id=mine.folder)) is None
