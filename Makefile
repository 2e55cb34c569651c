# make run    plays a game of rulesets/ouch/ouch.yaml
# make quick     style, types, floors and the short tests: two minutes, for who edits
# make test      every check and every test: ten minutes on two cores, for who hands in
# make coverage  how much of the engine the short tests reach: 90 % at least, branches counted
# make bench     prints the benchmark tables
# make clean     takes away what the others have made
# Each sets up what it needs in .venv, once. Long tests are told apart in tests/long_tests.py.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

TESTS := -m pytest -n auto --dist worksteal

.PHONY: run quick test coverage lint bench clean

run: $(VENV)/.run
	$(BIN)/rulerun rulesets/ouch/ouch.yaml

lint: $(VENV)/.dev
	$(BIN)/ruff check engine grammar rulesets tests examples benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

quick: lint
	$(BIN)/python $(TESTS) -m "not long"

test: lint
	$(BIN)/python $(TESTS)

coverage: $(VENV)/.dev
	$(BIN)/coverage erase
	$(BIN)/coverage run $(TESTS) -m "not long"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/executors.py
	$(BIN)/python benchmarks/openspiel_table.py

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
