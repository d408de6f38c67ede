"""The benchmarks of the news: reading pages, storing and listing stories, and their costs."""

from __future__ import annotations

from bench.news import articles, costs, listing, parse, storing, twins

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    for each in (parse, articles, storing, listing, costs, twins):
        each.main()
        print()


if __name__ == "__main__":
    main()
