# Everything a user or a contributor types. Needs make and Python 3.11, 3.12 or 3.13; each target
# installs what it needs into .venv, and again only when pyproject.toml has changed.

PY   := .venv/bin/python
CORE := .venv/.installed-core
DEV  := .venv/.installed-dev
# Airflow asks for older versions of what we use too, so it lives apart.
AIRFLOW := .venv-airflow/.installed
AIRFLOW_PY := .venv-airflow/bin/python
# A worker that has no more tests takes over half of another's; what is shared among neighbours,
# such as a server, is started once for them, and again only where they are parted.
# Many tests wait for servers, browsers and programs, so there are more workers than small machines
# have cores.
TEST := $(PY) -m pytest --numprocesses=4 --dist=worksteal
# Those that need a browser, and those that measure times, have targets of their own.
APART := --ignore=tests/browser --ignore=tests/load

.DEFAULT_GOAL := help
.PHONY: help run test test-matrix test-browser test-load test-airflow coverage mutants check \
    bench oracle pictures docs golden

help:  ## say what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

run: $(CORE)  ## show it at work on 127.0.0.1:8080: all domains, on a simulated web and a fast clock
	.venv/bin/gotgan demo

test: check  ## check, then run the tests in random order: all behaviour, a sample of other fronts
	$(TEST) --matrix=sample $(APART)

test-matrix: $(DEV)  ## run what make test leaves out: all cases on other fronts and databases
	$(TEST) --matrix=rest $(APART)

test-browser: $(DEV)  ## look at every page and use it, in a Chromium
	$(TEST) tests/browser

test-load: $(DEV)  ## measure how the servers answer under load; alone, because times are measured
	$(PY) -m pytest tests/load

test-airflow: $(AIRFLOW)  ## run the DAGs, in an Airflow and a PostgreSQL started for it
	$(AIRFLOW_PY) -m pytest --confcutdir=tests/airflow tests/airflow

coverage: $(DEV)  ## run every test, and show which lines none of them reaches
	$(TEST) --cov --cov-report=term

mutants: $(DEV)  ## put known defects into copies of the code, and check that tests notice each
	$(PY) -m scripts.mutants

check: $(DEV)  ## lint, formatting, types, import layers
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo

bench: $(DEV)  ## measure the engine, the store, the domains and the console's pages
	$(PY) -m bench.store
	$(PY) -m bench.site
	$(PY) -m bench.news
	$(PY) -m bench.shops
	$(PY) -m bench.market
	$(PY) -m bench.videos
	$(PY) -m bench.pages

oracle: $(DEV)  ## ask the engine and its peers the same, and show where the answers differ
	$(PY) -m tests.oracle

pictures: $(DEV)  ## take the pictures of the README anew, in a Chromium
	PICTURES=docs/images $(PY) -m pytest -q tests/browser/whole/test_pictures.py

docs: $(DEV)  ## write the reference pages from the code
	$(PY) -m scripts.reference

golden: $(DEV)  ## write what the fronts show to the golden files of tests/golden
	GOLDEN=write $(PY) -m pytest -q tests/golden

$(PY):
	@set -e; for python in "$${PYTHON:-}" python3.13 python3.12 python3.11 python3; do \
	    [ -n "$$python" ] || continue; \
	    "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	        2>/dev/null || continue; \
	    echo "making .venv with $$python"; \
	    "$$python" -m venv .venv && exit 0; \
	    rm -rf .venv; \
	    echo "$$python cannot make a virtual environment; on Debian and Ubuntu:" \
	        "apt-get install python3-venv" >&2; exit 1; \
	done; \
	echo "Gotgan needs Python 3.11, 3.12 or 3.13, and found none." \
	    "Install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1

$(CORE): pyproject.toml | $(PY)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV): pyproject.toml | $(PY)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(CORE) $@

$(AIRFLOW_PY): | $(PY)
	$(PY) -m venv .venv-airflow

$(AIRFLOW): pyproject.toml | $(AIRFLOW_PY)
	$(AIRFLOW_PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev-airflow]'
	@touch $@
