# Everything a user or a contributor types. Needs make and Python 3.11 to 3.14; each target installs
# what it needs into .venv, and again only when pyproject.toml or requirements/ has changed.

PY   := .venv/bin/python
PIP  := -m pip install --quiet --disable-pip-version-check
CORE := .venv/.installed-core
DEV  := .venv/.installed-dev
# One list for all supported versions of Python and all systems, without URLs of registries.
LOCK := .venv/bin/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
    --generate-hashes --no-header --no-annotate --no-emit-index-url
# Airflow needs older versions of packages that Gotgan uses too, so it has a separate environment.
AIRFLOW := .venv-airflow/.installed
AIRFLOW_PY := .venv-airflow/bin/python
# An idle worker takes half of another worker's remaining tests. Neighbouring tests thus mostly stay on
# one worker and share fixtures such as servers. Many tests wait for servers, browsers and programs,
# so there are more workers than a small machine has cores.
TEST := $(PY) -m pytest --numprocesses=4 --dist=worksteal
# Tests that need a browser and tests that measure times have separate targets.
APART := --ignore=tests/browser --ignore=tests/load

.DEFAULT_GOAL := help
.PHONY: help run test test-matrix test-browser test-load test-airflow coverage mutants check \
    bench oracle pictures docs golden lock hooks release-check

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

run: $(CORE)  ## run the demo on 127.0.0.1:8080: all domains, a simulated web and a fast clock
	.venv/bin/gotgan demo

test: check  ## check, then run the tests in random order, with a sample of the matrix
	$(TEST) --matrix=sample $(APART)

test-matrix: $(DEV)  ## run the cases on other fronts and databases that make test leaves out
	$(TEST) --matrix=rest $(APART)

test-browser: $(DEV)  ## test every page in Chromium
	$(TEST) tests/browser

test-load: $(DEV)  ## measure the servers under load; run it alone, because it measures times
	$(PY) -m pytest tests/load

test-airflow: $(AIRFLOW)  ## run the DAGs in a temporary Airflow and PostgreSQL
	$(AIRFLOW_PY) -m pytest --confcutdir=tests/airflow tests/airflow

coverage: $(DEV)  ## run every test and list the lines that none reaches
	$(TEST) --cov --cov-report=term

mutants: $(DEV)  ## insert known defects one by one and check that a test fails for each
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

oracle: $(DEV)  ## compare the engine with other implementations of DynamoDB
	$(PY) -m tests.oracle

pictures: $(DEV)  ## take the screenshots in docs/images again, in Chromium
	PICTURES=docs/images $(PY) -m pytest -q tests/browser/whole/test_pictures.py

docs: $(DEV)  ## generate the reference pages from the code
	$(PY) -m scripts.reference

golden: $(DEV)  ## update the golden files in tests/golden
	GOLDEN=write $(PY) -m pytest -q tests/golden

lock: $(DEV)  ## pin the newest versions that pyproject.toml allows, in requirements/
	$(LOCK) --extra dev --output-file requirements/dev.txt
	$(LOCK) --extra dev-airflow --output-file requirements/airflow.txt

hooks: $(DEV)  ## run make check before each commit
	.venv/bin/pre-commit install

release-check: $(DEV)  ## build both packages and test their wheels outside the checkout
	$(PY) -m scripts.release_check

$(PY):
	@set -e; for python in "$${PYTHON:-}" python3.13 python3.12 python3.11 python3.14 python3; do \
	    [ -n "$$python" ] || continue; \
	    "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	        2>/dev/null || continue; \
	    echo "making .venv with $$python"; \
	    "$$python" -m venv .venv && exit 0; \
	    rm -rf .venv; \
	    echo "$$python cannot make a virtual environment; on Debian and Ubuntu:" \
	        "apt-get install python3-venv" >&2; exit 1; \
	done; \
	echo "Gotgan needs Python 3.11 to 3.14, and found none." \
	    "Install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1

$(CORE): pyproject.toml | $(PY)
	$(PY) $(PIP) --editable .
	@touch $@

# Pinned, with hashes; then the project itself, whose requirements are among them. The lists are
# complete; without --no-deps, pip would install the newest version of packages with an extra.
$(DEV): pyproject.toml requirements/dev.txt | $(PY)
	$(PY) $(PIP) --no-deps --require-hashes --requirement requirements/dev.txt
	$(PY) $(PIP) --no-deps --no-build-isolation --editable .
	@touch $(CORE) $@

$(AIRFLOW_PY): | $(PY)
	$(PY) -m venv .venv-airflow

$(AIRFLOW): pyproject.toml requirements/airflow.txt | $(AIRFLOW_PY)
	$(AIRFLOW_PY) $(PIP) --no-deps --require-hashes --requirement requirements/airflow.txt
	$(AIRFLOW_PY) $(PIP) --no-deps --no-build-isolation --editable .
	@touch $@
