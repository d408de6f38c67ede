"""What Airflow knows of the data: an asset for each side, with a partition for each day.

They show where data comes from; no DAG is scheduled on them.
"""

from __future__ import annotations

from typing import Final

from airflow.sdk import Asset

__all__ = ["INDICES", "PRICES"]

PRICES: Final = Asset(name="gotgan_stock_prices", uri="gotgan://market/stock_prices")
INDICES: Final = Asset(name="gotgan_market_indices", uri="gotgan://market/market_indices")
