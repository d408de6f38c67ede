"""DynamoDB's API on one SQLite file: in this process, under boto3, or over HTTP."""

from __future__ import annotations

from gotgan.store.engine.client import Client, connect
from gotgan.store.engine.engine import Engine

__all__ = ["Client", "Engine", "connect"]
