"""The benchmarks of the console's pages: each on the demo's data, and lists few and many."""

from __future__ import annotations

from bench.pages import lists, speed

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    for each in (speed, lists):
        each.main()
        print()


if __name__ == "__main__":
    main()
