"""The benchmarks of the market: storing a day, calculating from it, all of it, and importing."""

from __future__ import annotations

from bench.market import day, importing, indicators, storage

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    for each in (storage, indicators, day, importing):
        each.main()
        print()


if __name__ == "__main__":
    main()
