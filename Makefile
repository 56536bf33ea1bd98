# Everything runs in .venv, which the first target sets up from the lock file with plain pip.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test bench check lint types layers lock clean

demo: $(READY)  ## Compare four agents on the benchmark vn-finance, without a key or a network.
	@$(BIN)/toolgauge demo

test: $(READY)  ## Run the tests.
	$(BIN)/python -m pytest -q -n 2 $(ARGS)

bench: $(READY)  ## Measure speed and memory, also of other tools; ARGS=--write puts the tables into docs/performance.md.
	$(BIN)/python -m bench $(ARGS)

check: test lint types layers  ## Everything that CI runs.

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

lock:  ## Resolve the dependencies anew (needs uv).
	uv pip compile --universal --generate-hashes --no-header --quiet --group dev --group formats pyproject.toml -o requirements.lock

clean:
	rm -rf .venv

$(READY): pyproject.toml requirements.lock $(wildcard src/toolgauge/compiled/*.[ch])
	@echo "Setting up .venv, which takes a minute the first time ..."
	@$(PYTHON) -c 'import sys; sys.exit("toolgauge needs Python 3.11 or later; try make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $(READY)
