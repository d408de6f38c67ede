"""What tables and indexes are called where they live."""

from __future__ import annotations

from gotgan.store.tables import Names, Table


def test_a_setting_names_tables_and_indexes() -> None:
    table = Table("shops", pk="pk")
    first, second = table.index("GSI1", pk="one"), table.index("GSI2", pk="two")
    names = Names.parse({"shops": "shops-prod", "shops:GSI2": "ByCountry", "other:GSI1": "No"})
    assert names.of(table) == "shops-prod"
    assert [names.of(first), names.of(second)] == ["GSI1", "ByCountry"]


def test_without_names_everything_is_called_as_declared() -> None:
    table = Table("shops", pk="pk")
    assert Names.parse({}) == Names()
    assert Names().of(table) == "shops"
    assert Names().of(table.index("GSI1", pk="one")) == "GSI1"
