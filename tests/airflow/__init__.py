"""The DAGs, really run: in an environment of their own, which ``make test-airflow`` makes."""
