"""A deployed site is allowed what a type of another package does, by the roles of its template."""

from __future__ import annotations

from gotgan.domains.site.deployment import template
from tests.unit.domains.site.deployed import deployed
from tests.unit.domains.site.stack import stack_of

EVENT = {"id": "e1", "title": "x", "authorId": "u001", "startsAt": "2026-12-01T09:00:00Z"}


def test_the_role_allows_all_that_the_type_does() -> None:
    with deployed(stack_of(template())) as site:
        visit = site.admin()
        visit.call("POST", "/items/Event", EVENT)
        visit.call("GET", "/items/Event")
        visit.call("GET", "/items?type=Event")
        visit.call("GET", "/items/Event/by-author?authorId=u001")
        visit.call("GET", "/items/Event/{id}?consistent=true", id="e1")
        visit.call("PATCH", "/items/Event/{id}", {"authorId": "u002"}, id="e1")
        whole = {name: value for name, value in EVENT.items() if name != "id"}
        visit.call("PUT", "/items/Event/{id}", whole, id="e1")
        assert visit.refusal("POST", "/items/Event", EVENT) == (409, "id_taken")
        visit.call("DELETE", "/items/Event/{id}", id="e1")
        assert site.refused() == []
