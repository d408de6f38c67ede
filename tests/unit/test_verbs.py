"""What a signature declares, and how a verb runs in the background."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import pytest
from pydantic import ValidationError

from gotgan.clock import FixedClock
from gotgan.errors import Conflict, NotFound
from gotgan.runs import Runs
from gotgan.verbs import Extra, FromFile, Local, Version, iterate, start, verb, verbs_of
from tests.patience import PATIENCE
from tests.unit import toys
from tests.unit.toys import MoreToys, Shed, SlowToys, Toys

if TYPE_CHECKING:
    from tests.unit.toys import Made

VERBS = verbs_of(Toys)
BOXES = verbs_of(Shed)


@pytest.fixture
def runs() -> Runs:
    return Runs(FixedClock(datetime(2026, 1, 15, tzinfo=UTC)))


def test_only_marked_methods_are_verbs_and_an_override_keeps_its_mark() -> None:
    assert VERBS.keys() == {"list", "get", "paint", "make", "sweep", "watch"}
    sweep = verbs_of(MoreToys)["sweep"]
    assert (sweep.mark, sweep.summary) == (VERBS["sweep"].mark, "Sweep twice.")


class _Workshop:
    """A service whose result types are in another module."""

    domain: ClassVar = "workshop"
    results: ClassVar = "tests.unit.toys"

    @verb()
    def look(self, name: str) -> Made:
        """Look."""
        return toys.Made((name,), 1)


def test_result_types_may_be_in_a_module_that_is_loaded_when_they_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look = verbs_of(_Workshop)["look"]
    assert look.result is toys.Made
    monkeypatch.setattr(_Workshop, "results", "tests.unit.nowhere")
    unloaded = verbs_of(_Workshop)["look"]
    assert [each.name for each in unloaded.parameters] == ["name"]
    with pytest.raises(ModuleNotFoundError):
        _ = unloaded.result


def test_names_decide_path_and_method() -> None:
    found = {name: f"{each.method} {each.path}" for name, each in VERBS.items()}
    assert found == {
        "list": "GET /toys",
        "get": "GET /toys/{name}",
        "paint": "POST /toys/{name}/paint",
        "make": "POST /toys/make",
        "sweep": "POST /toys/sweep",
        "watch": "GET /toys/watch",
    }
    assert (VERBS["get"].summary, VERBS["make"].id) == ("Show a toy.", "toys.make")


def test_each_front_has_its_own_parameters() -> None:
    make = VERBS["make"]
    here = [each.name for each in make.parameters_of_front(over_http=False)]
    there = [each.name for each in make.parameters_of_front(over_http=True)]
    assert here == ["names", "max_parts", "folder"]
    assert there == ["names", "max_parts", "parts"]
    assert make.takes_progress


def test_marks_and_descriptions_are_found_behind_none() -> None:
    parameters = {each.name: each for each in VERBS["make"].parameters}
    assert parameters["folder"].mark(Local) == Local()
    assert parameters["max_parts"].mark(Local) is None
    assert parameters["max_parts"].field.description == "How many."
    assert (parameters["max_parts"].kind, parameters["names"].is_many) == (int, True)


def test_bounds_are_those_of_the_signature_on_both_fronts() -> None:
    for model in (VERBS["make"].http_model, VERBS["make"].local_model):
        assert VERBS["make"].values(model.model_validate({"maxParts": 9}))["max_parts"] == 9
        for wrong in ({"maxParts": 10}, {"names": ["a"] * 4}, {"names": ["toolong"]}, {"x": 1}):
            with pytest.raises(ValidationError):
                model.model_validate(wrong)


def test_a_run_reports_its_progress_and_its_result(runs: Runs) -> None:
    run = runs.wait(start(runs, Toys().make, ["a", "b"], max_parts=3).id, PATIENCE)
    assert (run.verb, run.about) == ("toys.make", ("a", "b"))
    assert (run.done, run.total, run.last) == (2, 2, "b")
    assert run.report.how_many == 3


def test_what_does_not_exist_is_refused_before_a_run_starts(runs: Runs) -> None:
    with pytest.raises(NotFound):
        start(runs, Toys().make, ["ghost"])
    assert runs.latest("toys.make") is None


def test_a_running_verb_is_joined_for_the_same_and_refused_for_something_else(runs: Runs) -> None:
    going = threading.Event()
    toys = SlowToys(going)
    first = start(runs, toys.make, ["a"])
    try:
        assert start(runs, toys.make, ("a",)).id == first.id
        with pytest.raises(Conflict):
            start(runs, toys.make, ["b"])
        with pytest.raises(Conflict):
            start(runs, toys.make, ["a"], max_parts=2)
    finally:
        going.set()
    runs.wait(first.id, PATIENCE)


def test_a_list_is_iterated_over_all_of_its_pages() -> None:
    toys = Toys("a", "b", "c", "d", "e")
    assert [*iterate(toys.list, limit=2)] == ["a", "b", "c", "d", "e"]
    assert [*iterate(Toys().list)] == []


# Resources


def _names(verb: str) -> list[str]:
    return [each.name for each in BOXES[verb].parameters_of_front(over_http=True)]


def test_verbs_of_a_resource_have_its_name_path_and_roles() -> None:
    found = {name: f"{each.method} {each.path}" for name, each in BOXES.items()}
    assert found == {
        "boxes.create": "POST /crates",
        "boxes.delete": "DELETE /crates/{id}",
        "boxes.get": "GET /crates/{id}",
        "boxes.replace": "PUT /crates/{id}",
        "boxes.update": "PATCH /crates/{id}",
    }
    assert BOXES["boxes.get"].id == "shed.boxes.get"
    roles = {each.name: each.role for each in BOXES.values()}
    assert (roles["get"], roles["update"], roles["replace"]) == ("viewer", "admin", "editor")


def test_the_help_of_a_resource_says_what_a_record_is() -> None:
    assert BOXES["boxes.get"].summary == "Show a box of the boxes."
    assert VERBS["get"].summary == "Show a toy."


def test_a_verb_finds_its_method() -> None:
    shed = SimpleNamespace(shed=Shed(), toys=Toys("a"))
    assert BOXES["boxes.get"].of(shed)("x").id == "x"
    assert VERBS["list"].of(shed)().items == ("a",)


def test_fields_are_offered_one_by_one_and_the_id_in_a_new_record_only() -> None:
    assert _names("boxes.create") == ["id", "label", "weight", "plan"]
    assert _names("boxes.update") == ["id", "label", "weight", "plan", "more", "version"]
    (at,) = [each for each in BOXES["boxes.update"].parameters if each.name == "id"]
    assert (at.is_positional, at.into) == (True, None)
    assert {each.into for each in BOXES["boxes.create"].parameters} == {None, "fields"}


def test_a_field_is_required_in_a_new_or_whole_record_only() -> None:
    needed = {
        name: [each.name for each in verb.parameters if each.is_required and each.into]
        for name, verb in BOXES.items()
    }
    assert (needed["boxes.create"], needed["boxes.replace"]) == (["label"], ["label"])
    assert needed["boxes.update"] == []


def test_nobody_says_who_calls() -> None:
    create = BOXES["boxes.create"]
    assert "by" in [each.name for each in create.parameters]
    for is_remote in (True, False):
        assert "by" not in [each.name for each in create.parameters_of_front(over_http=is_remote)]
    for model in (create.http_model, create.local_model):
        with pytest.raises(ValidationError):
            model.model_validate({"label": "a", "by": "admin"})


def test_marks_are_found_on_fields_and_behind_none() -> None:
    parameters = {each.name: each for each in BOXES["boxes.update"].parameters}
    assert parameters["version"].mark(Version) == Version(is_required=True)
    assert parameters["more"].mark(Extra) == Extra()
    assert parameters["plan"].mark(FromFile) == FromFile()
    (version,) = [each for each in BOXES["boxes.delete"].parameters if each.name == "version"]
    assert version.mark(Version) == Version()


def test_fields_that_are_left_out_are_not_among_the_values() -> None:
    update, create = BOXES["boxes.update"], BOXES["boxes.create"]
    made = update.http_model.model_validate({"id": "a", "weight": None})
    assert update.values(made)["changes"] == {"weight": None}
    given = create.values(create.http_model.model_validate({"label": " a "}))
    assert given == {"label": "a"}  # they are keyword arguments
    for wrong in ({"id": "a", "label": None}, {"id": "a", "weight": 10}, {"id": "a", "size": 1}):
        with pytest.raises(ValidationError):
            update.http_model.model_validate(wrong)


def test_a_form_has_neither_the_path_nor_the_version() -> None:
    assert [*BOXES["boxes.update"].form.model_fields] == ["label", "weight", "plan"]
    assert [*BOXES["boxes.create"].form.model_fields] == ["id", "label", "weight", "plan"]
