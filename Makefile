# make run   plays a game of rulesets/ouch/ouch.yaml
# make test  runs every check and test
# make bench prints the benchmark table
# Each sets up what it needs in .venv, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test bench clean

run: $(VENV)/.run
	$(BIN)/rulerun rulesets/ouch/ouch.yaml

test: $(VENV)/.dev
	$(BIN)/ruff check engine grammar rulesets tests examples benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist worksteal --ignore-glob '*/openspiel/test_[fl]*'
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(BIN)/python -m pytest -n auto --dist worksteal tests/openspiel/test_[fl]*.py  # thousands of games: quicker unmeasured

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/executors.py

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit("rulerun needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Say: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/pyvenv.cfg pyproject.toml
	$(PIP) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/pyvenv.cfg pyproject.toml
	$(PIP) -e '.[dev]'
	$(PIP) -e '.[peers]' || echo "OpenSpiel cannot be had here: tests beside it are skipped"
	@touch $(VENV)/.run $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .import_linter_cache
