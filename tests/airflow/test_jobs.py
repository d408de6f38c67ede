"""The other jobs of the timetable: switched on, each does at once what its last tick asked for."""

from __future__ import annotations

from gotgan.app import App
from tests.airflow.servers import Airflow


def test_shops_that_are_due_are_crawled_by_a_mapped_task(airflow: Airflow, app: App) -> None:
    domains = ("antik-1.shop.test", "antik-2.shop.test")
    for domain in domains:
        app.shops.add(domain, country="DE")
    airflow.unpause("gotgan_shops_crawl")
    assert airflow.scheduled("gotgan_shops_crawl")["state"] == "success"
    assert None not in [app.shops.get(domain).last_crawled_end for domain in domains]


def test_a_verb_runs_when_its_gate_lets_it(airflow: Airflow, app: App) -> None:
    airflow.unpause("gotgan_news_collect")
    assert airflow.scheduled("gotgan_news_collect")["state"] == "success"
    assert app.news.list().items


def test_a_gate_that_stays_shut_fails_nothing(airflow: Airflow) -> None:
    airflow.unpause("gotgan_shops_deliver")
    run = airflow.scheduled("gotgan_shops_deliver")
    assert run["state"] == "success"
    tasks = airflow.states("gotgan_shops_deliver", run["dag_run_id"])
    assert tasks == {"is_due": "success", "run": "skipped"}
