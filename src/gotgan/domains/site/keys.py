"""The one table of the site, and its index by type."""

from __future__ import annotations

from typing import Final

from gotgan.store import FewValues, Table

__all__ = ["BY_TYPE", "FEW_TYPES", "SITE"]

SITE: Final = Table("FMWebAppTable", pk="PK", sk="SK", ttl="expiresAt")
BY_TYPE: Final = SITE.index("Type_CreatedAt", pk="Type", sk="CreatedAt")

FEW_TYPES: Final = FewValues(
    "a company site writes a few items a day; a type that comes near 1,000 write units a second "
    "needs a partition of its own, such as Type and month"
)
