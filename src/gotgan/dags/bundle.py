"""The bundle: how Airflow finds the DAGs inside the installed package."""

from __future__ import annotations

from pathlib import Path

from airflow.dag_processing.bundles.base import BaseDagBundle


class GotganDagBundle(BaseDagBundle):
    """The DAGs of the Gotgan that is installed here; a new version comes by ``pip install``."""

    @property
    def path(self) -> Path:
        """The folder of the DAG files."""
        return Path(__file__).with_name("folder")

    def get_current_version(self) -> None:
        """None: the installed version is the only one."""

    def refresh(self) -> None:
        """Nothing to fetch."""
