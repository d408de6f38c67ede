"""Gotgan under Airflow: DAGs that wire the verbs of the domains, and a bundle that ships them.

Only what is in ``folder`` is read by Airflow as DAG files; the rest is what they are made of.
"""
