from __future__ import annotations

import pytest
from sqlalchemy import update

from gotgan.domains.market.indicators.calculator import calculate, delete_states, save
from gotgan.domains.market.keys import INDICATOR_STATES
from gotgan.sql import Database
from tests.unit.domains.market.indicators.shares import (
    DAYS,
    drop,
    expect_full,
    factor,
    keep,
    run,
    store,
    stored,
    through,
    walk,
)

RISING = walk(1, 140).tolist()
FALLING = walk(2, 140).tolist()


def test_the_first_time_the_whole_history_is_worked_through(database: Database) -> None:
    store(database, {"A": RISING, "B": FALLING[:60]})
    calculated = run(database, 59)
    assert (calculated.recalculated, calculated.advanced) == (2, 0)
    expect_full(database, "A", RISING[:60])
    expect_full(database, "B", FALLING[:60])
    assert through(database) == {"A": DAYS[59], "B": DAYS[59]}


def test_every_later_day_goes_on_from_the_one_before(database: Database) -> None:
    store(database, {"A": RISING, "B": FALLING})
    run(database, 115)
    for at in range(116, 140):
        calculated = run(database, at)
        assert (calculated.recalculated, calculated.advanced) == (0, 2)
    expect_full(database, "A", RISING)
    expect_full(database, "B", FALLING)


def test_a_share_that_is_new_begins_with_its_first_day(database: Database) -> None:
    for at in range(40):
        store(database, {"A": [RISING[at]]}, first=at)
        assert run(database, at).recalculated == (at == 0)
    expect_full(database, "A", RISING[:40])


def test_a_day_counts_only_the_shares_that_have_an_indicator(database: Database) -> None:
    store(database, {"A": RISING[:10], "B": FALLING[:4]})
    store(database, {"C": FALLING[:3]}, first=7)
    calculated = run(database, 9)
    assert [line[1] for line in calculated.of_day] == ["A"]
    assert stored(database, "C") == {}
    assert through(database)["C"] == DAYS[9]


def test_halted_days_are_left_out_and_passed_over(database: Database) -> None:
    closes = [*RISING[:50], None, None, *RISING[50:60], None, *RISING[60:80]]
    store(database, {"A": closes})
    for at in range(40, len(closes)):
        assert run(database, at).recalculated == (at == 40)
        assert through(database) == {"A": DAYS[at]}
    expect_full(database, "A", closes)


def test_a_split_changes_the_past_at_once(database: Database) -> None:
    store(database, {"A": [*RISING[:60], *(close / 5 for close in RISING[60:70])], "B": FALLING})
    run(database, 59)
    strength = stored(database, "A")[DAYS[59]][0]
    factor(database, "A", DAYS[60], 0.2)
    calculated = run(database, 60)
    assert (calculated.recalculated, calculated.advanced) == (1, 1)
    after = stored(database, "A")[DAYS[59]]
    assert after[0] == pytest.approx(strength, abs=1e-9)
    assert after[4] == pytest.approx(sum(RISING[55:60]) / 25, abs=1e-9)
    assert after[7] is None


def test_a_factor_of_a_day_that_is_not_whole_yet_does_not_count(database: Database) -> None:
    store(database, {"A": RISING[:40]})
    factor(database, "A", DAYS[41], 0.2)
    run(database, 39)
    expect_full(database, "A", RISING[:40])


def test_nothing_later_than_the_last_whole_day_is_calculated(database: Database) -> None:
    store(database, {"A": RISING})
    run(database, 50, last=60)
    expect_full(database, "A", RISING[:61])
    assert through(database) == {"A": DAYS[60]}


def test_days_that_were_worked_through_together_have_nothing_left_to_do(
    database: Database,
) -> None:
    store(database, {"A": RISING})
    run(database, 50, last=52)
    for at in (50, 51, 52):
        calculated = run(database, at)
        assert (calculated.recalculated, calculated.advanced, calculated.settled) == (0, 0, 1)
    assert run(database, 53).advanced == 1
    expect_full(database, "A", RISING[:54])


def test_a_day_that_is_filled_in_later_changes_all_after_it(database: Database) -> None:
    store(database, {"A": RISING[:45]})
    store(database, {"A": RISING[46:60]}, first=46)
    run(database, 44)
    assert run(database, 46).recalculated == 1
    store(database, {"A": [RISING[45]]}, first=45)
    with database.begin() as connection:
        delete_states(connection, ["A"])
    assert run(database, 45, last=59).recalculated == 1
    expect_full(database, "A", RISING[:60])


def test_a_share_that_is_forgotten_is_worked_through_anew(database: Database) -> None:
    store(database, {"A": RISING[:60], "B": FALLING[:60]})
    run(database, 59)
    corrected = [*RISING[:30], RISING[30] + 500, *RISING[31:60]]
    store(database, {"A": corrected})
    with database.begin() as connection:
        delete_states(connection, ["A"])
    assert run(database, 59).recalculated == 1
    expect_full(database, "A", corrected)


def test_no_indicator_stays_without_its_price(database: Database) -> None:
    store(database, {"A": RISING[:60], "B": FALLING[:60]})
    run(database, 59)
    drop(database, "A", DAYS[58])
    store(database, {"B": [None]}, first=59)
    assert run(database, 58, last=59).recalculated == 1
    assert run(database, 59).recalculated == 1
    assert DAYS[58] not in stored(database, "A")
    expect_full(database, "B", [*FALLING[:59], None])


def test_a_share_that_has_lost_all_its_prices_has_no_indicators(database: Database) -> None:
    store(database, {"A": RISING[:5]})
    run(database, 4)
    for day in DAYS[:5]:
        drop(database, "A", day)
    run(database, 4)
    assert stored(database, "A") == {}


def test_a_state_of_another_version_is_made_anew(database: Database) -> None:
    store(database, {"A": RISING[:41]})
    run(database, 39)
    with database.begin() as connection:
        connection.execute(update(INDICATOR_STATES).values(state=b"\x00of old"))
    assert run(database, 40).recalculated == 1
    expect_full(database, "A", RISING[:41])


def test_calculating_writes_nothing_and_saving_twice_is_as_good_as_once(
    database: Database,
) -> None:
    store(database, {"A": RISING[:41]})
    run(database, 39)
    calculated = calculate(database, DAYS[40], DAYS[39], DAYS[40])
    assert through(database) == {"A": DAYS[39]}
    assert DAYS[40] not in stored(database, "A")
    for _ in range(2):
        keep(database, calculated)
        expect_full(database, "A", RISING[:41])


def test_a_backfill_works_every_share_through_once(database: Database) -> None:
    store(database, {"A": RISING[:9], "B": FALLING[:9]})
    assert [run(database, at, last=8).recalculated for at in range(9)] == [2, *[0] * 8]
    expect_full(database, "A", RISING[:9])


def test_whole_histories_are_written_some_shares_at_a_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gotgan.domains.market.indicators.calculator._ROWS_PER_BATCH", 100)
    store(database, {"A": RISING, "B": FALLING[:50], "C": RISING[:50], "D": FALLING[:50]})
    calculated = calculate(database, DAYS[49], DAYS[48], DAYS[139])
    assert [part.replaced for part in calculated.parts] == [(), ("A",), ("B", "C"), ("D",)]
    with database.begin() as connection:
        save(connection, calculated.parts[1])  # and here somebody dies
    assert through(database) == {"A": DAYS[139]}
    expect_full(database, "A", RISING)
    again = run(database, 49, last=139)
    assert (again.recalculated, again.settled) == (3, 1)
    expect_full(database, "C", RISING[:50])
