"""What Airflow reads."""
