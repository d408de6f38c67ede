"""A whole Airflow for one session of tests: its database, its servers, and how to talk to it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["Airflow", "running_airflow"]

_SERVERS: Final = ("api-server", "dag-processor", "scheduler")
_PATIENCE: Final = 300.0
_BUNDLE: Final = {"name": "gotgan", "classpath": "gotgan.dags.bundle.GotganDagBundle", "kwargs": {}}


class Airflow:
    """An Airflow that runs on this machine."""

    def __init__(self, home: Path, port: int, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self._home = home
        self._url = f"http://127.0.0.1:{port}"
        self._token = ""

    def command(self, *words: str, **more: str) -> str:
        """What a command of Airflow, or a program that uses it, writes."""
        done = subprocess.run(
            [sys.executable, "-W", "ignore", *words],
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def ask(self, path: str, body: Any = None, *, method: str | None = None) -> Any:
        """What the API answers."""
        self._token = self._token or self._asked("/auth/token")["access_token"]
        return self._asked(f"/api/v2/{path}", body, method)

    def unpause(self, dag_id: str) -> None:
        """Let a DAG run; one that comes round by the clock begins with its last tick, at once."""
        self.ask(f"dags/{dag_id}", {"is_paused": False}, method="PATCH")

    def trigger(self, dag_id: str, **how: Any) -> str:
        """Start a run, and give its id."""
        run = self.ask(f"dags/{dag_id}/dagRuns", {"logical_date": None, **how})
        return str(run["dag_run_id"])

    def runs(self, dag_id: str) -> list[dict[str, Any]]:
        """The runs of a DAG."""
        return list(self.ask(f"dags/{dag_id}/dagRuns")["dag_runs"])

    def ended(self, dag_id: str, run_id: str) -> str:
        """How a run ended, when it has."""

        def state() -> str | None:
            found: str = self.ask(f"dags/{dag_id}/dagRuns/{run_id}")["state"]
            return found if found in {"success", "failed"} else None

        return str(self.wait_for(state, f"{dag_id} {run_id} to end"))

    def scheduled(self, dag_id: str) -> dict[str, Any]:
        """The first run that the clock started, when it has ended."""

        def started() -> list[dict[str, Any]]:
            return [run for run in self.runs(dag_id) if run["run_type"] == "scheduled"]

        run: dict[str, Any] = self.wait_for(started, f"a run of {dag_id}")[0]
        return {**run, "state": self.ended(dag_id, run["dag_run_id"])}

    def states(self, dag_id: str, run_id: str) -> dict[str, str]:
        """How each task of a run stands; of a mapped one, the last that is told of."""
        answer = self.ask(f"dags/{dag_id}/dagRuns/{run_id}/taskInstances")
        return {each["task_id"]: each["state"] for each in answer["task_instances"]}

    def log(self, dag_id: str, run_id: str, task_id: str) -> str:
        """What a task wrote in its first attempt."""
        path = f"dags/{dag_id}/dagRuns/{run_id}/taskInstances/{task_id}/logs/1"
        return json.dumps(self.ask(path)["content"])

    def wait_for(self, look: Callable[[], Any], what: str) -> Any:
        """The first thing that is something; Airflow calls nobody back, so it is asked again."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if found := look():
                return found
            time.sleep(0.5)
        raise AssertionError(f"waited in vain for {what}\n{self._logs()}")

    def is_up(self) -> bool:
        """Whether all servers are alive and every DAG is known."""
        with contextlib.suppress(OSError):
            health = self._asked("/api/v2/monitor/health")
            alive = [health[name]["status"] for name in ("scheduler", "dag_processor")]
            return alive == ["healthy"] * 2 and bool(self.ask("dags")["dags"])
        return False

    def _asked(self, path: str, body: Any = None, method: str | None = None) -> Any:
        request = urllib.request.Request(self._url + path, method=method)  # noqa: S310 - loopback
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - loopback
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from error

    def _logs(self) -> str:
        files = sorted(self._home.rglob("*.log"), key=lambda path: path.stat().st_mtime)[-6:]
        return "\n".join(f"== {path}\n{path.read_text()[-2000:]}" for path in files)


@contextlib.contextmanager
def running_airflow(home: Path, database: str, settings: Mapping[str, str]) -> Iterator[Airflow]:
    """An Airflow with a database of its own, for as long as the block runs."""
    port = _free_port()
    airflow = Airflow(home, port, {**_inherited(), **_config(home, database, port), **settings})
    airflow.command("-m", "airflow", "db", "migrate")
    with contextlib.ExitStack() as servers:
        for name in _SERVERS:
            servers.enter_context(_started(name, home, airflow.environment))
        airflow.wait_for(airflow.is_up, "Airflow to start")
        yield airflow


@contextlib.contextmanager
def _started(name: str, home: Path, environment: Mapping[str, str]) -> Iterator[None]:
    command = [sys.executable, "-W", "ignore", "-m", "airflow", name]
    with (home / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server with all that it has started; nothing of it is wanted any more."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _inherited() -> dict[str, str]:
    """The environment of this process, without what is ours or Airflow's."""
    ours = ("AIRFLOW", "GOTGAN_", "KRX_")
    return {name: text for name, text in os.environ.items() if not name.startswith(ours)}


def _config(home: Path, database: str, port: int) -> dict[str, str]:
    place = database.removeprefix("postgresql:")
    config = {
        "core__executor": "LocalExecutor",
        "core__parallelism": "2",
        "core__load_examples": "False",
        "core__simple_auth_manager_all_admins": "True",
        "core__execution_api_server_url": f"http://127.0.0.1:{port}/execution/",
        "database__sql_alchemy_conn": f"postgresql+psycopg:{place}",
        "database__sql_alchemy_conn_async": f"postgresql+psycopg_async:{place}",
        "api__host": "127.0.0.1",
        "api__port": str(port),
        "api_auth__jwt_secret": "known to these tests alone, and to nobody else",
        "dag_processor__dag_bundle_config_list": json.dumps([_BUNDLE]),
        "dag_processor__min_file_process_interval": "600",
        "scheduler__scheduler_idle_sleep_time": "0.5",
    }
    named = {f"AIRFLOW__{name.upper()}": text for name, text in config.items()}
    return {"AIRFLOW_HOME": str(home), **named}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
