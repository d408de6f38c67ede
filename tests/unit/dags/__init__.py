"""What of the DAGs can be known without an Airflow; the rest is in ``tests/airflow``."""
