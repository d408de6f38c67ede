"""The benchmarks of the shops: reading their pages, and crawling all of them."""

from __future__ import annotations

from bench.shops import crawl, reading

__all__ = ["main"]


def main() -> None:
    """Run them one after the other."""
    reading.main()
    print()
    crawl.main()


if __name__ == "__main__":
    main()
