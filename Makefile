# Everything runs in .venv, which is set up with plain pip from the lock files in requirements/, as far as it is needed:
# run.lock for the demo, test.lock for the tests and linters, deep.lock for the libraries of other tools; servers.lock is
# for servers of others, in an environment within it.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -q -n 2
LOCK := uv pip compile --universal --generate-hashes --no-header --quiet pyproject.toml

.PHONY: demo test test-deep fuzz kill sanitize bench check lint types layers lock clean

demo: .venv/.run  ## Compare four agents on the benchmark vn-finance, without a key or a network.
	@$(BIN)/toolgauge demo
	@$(BIN)/toolgauge report demo@latest --format html -o demo.html
	@echo "The report is in demo.html: open it in a browser (xdg-open demo.html, open demo.html or start demo.html)."

test: .venv/.test  ## Run the tests that need no large library, in a few minutes.
	$(PYTEST) -m "not deep" $(ARGS)

test-deep: .venv/.deep .venv/.servers  ## Run the other tests, with the real libraries of other tools, and properties on all examples.
	$(PYTEST) -m "deep or hypothesis" --hypothesis-profile deep $(ARGS)

fuzz: .venv/.deep  ## Spoil inputs of every kind and look for crashes, hangs and memory; ARGS="--inputs 100000" or --minutes 60.
	$(BIN)/python -m tests.fuzzing $(ARGS)

kill: .venv/.deep  ## Kill commands at any moment, 300 times, and look for what is lost; ARGS="--kills 50".
	$(BIN)/python -m tests.killing $(ARGS)

sanitize: .venv/.test  ## Run the tests of the compiled part under the sanitizers of the C compiler (needs GCC).
	$(BIN)/python -m tests.sanitizing $(ARGS)

bench: .venv/.deep  ## Measure speed and memory, also of other tools; ARGS=--write puts the tables into docs/performance.md.
	$(BIN)/python -m bench $(ARGS)

check: test test-deep lint types layers  ## Everything that CI runs.

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.test
	$(BIN)/mypy

layers: .venv/.test
	$(BIN)/lint-imports

lock:  ## Resolve the dependencies anew (needs uv); every lock file has the same versions.
	$(LOCK) --group deep -o requirements/deep.lock
	$(LOCK) --group test -c requirements/deep.lock -o requirements/test.lock
	$(LOCK) -c requirements/deep.lock -o requirements/run.lock
	$(subst pyproject.toml,,$(LOCK)) --no-strip-extras --group servers -o requirements/servers.lock

clean:
	rm -rf .venv build .fuzz

.venv/.made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("toolgauge needs Python 3.11 or later; try make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/.run: .venv/.made requirements/run.lock setup.py $(wildcard src/toolgauge/compiled/*.[ch])
	@echo "Setting up .venv with what running needs, which takes some seconds the first time ..."
	@$(PIP) --require-hashes -r requirements/run.lock
	@$(PIP) --no-deps --editable .
	@touch $@

.venv/.test: .venv/.run requirements/test.lock
	@echo "Adding what the tests need ..."
	@$(PIP) --require-hashes -r requirements/test.lock
	@touch $@

.venv/.deep: .venv/.test requirements/deep.lock
	@echo "Adding the libraries of other tools, which takes some minutes ..."
	@$(PIP) --require-hashes -r requirements/deep.lock
	@touch $@

.venv/.servers: .venv/.made requirements/servers.lock
	@echo "Adding servers of others in .venv/servers, which takes some minutes ..."
	@$(PYTHON) -m venv .venv/servers
	@.venv/servers/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/servers.lock
	@touch $@
