"""``python -m gotgan`` is the command ``gotgan``."""

from __future__ import annotations

import sys

from gotgan.cli import main

if __name__ == "__main__":
    sys.exit(main())
