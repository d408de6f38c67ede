"""Every DAG of Gotgan, made from the settings as Airflow's environment has them.

Airflow looks for DAGs among the names of this module. Only the settings are read here: whatever
opens files and connections is inside the tasks.
"""

from __future__ import annotations

from gotgan.dags.every import all_dags
from gotgan.settings import Settings

globals().update({dag.dag_id: dag for dag in all_dags(Settings.from_env())})
