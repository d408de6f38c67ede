"""The benchmarks of the market: storing a day, calculating from it, and all of it."""

from __future__ import annotations

from bench.market import day, indicators, storage

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    for each in (storage, indicators, day):
        each.main()
        print()


if __name__ == "__main__":
    main()
