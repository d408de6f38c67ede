from __future__ import annotations

import numpy as np

from gotgan.domains.market.indicators.formulas import calculate_states, is_readable, pack, unpack
from tests.unit.domains.market.indicators.shares import walk


def test_a_state_is_read_as_it_was_written() -> None:
    states = calculate_states([walk(seed, length) for seed, length in enumerate((0, 7, 30, 200))])
    read = unpack(pack(states))
    assert np.array_equal(read.count, states.count)
    assert np.array_equal(read.averages, states.averages)
    assert np.array_equal(read.window, states.window)


def test_a_state_is_the_same_in_whatever_company() -> None:
    one, other = walk(1, 200), walk(2, 40)
    assert pack(calculate_states([other, one]))[1:] == pack(calculate_states([one]))


def test_a_state_of_another_version_is_not_readable() -> None:
    (packed,) = pack(calculate_states([walk(1, 30)]))
    assert is_readable(packed)
    assert not is_readable(b"\x02" + packed[1:])
    assert not is_readable(packed[:-8])
    assert not is_readable(b"")
