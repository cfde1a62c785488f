# Needs python3 (3.11 or later), make and the package registries; everything else is set up here.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := $(shell sed -n 's/^uv==\([^ ]*\).*/\1/p' requirements.lock)
READY := $(VENV)/.ready
COVER := --cov=botyard.kernel --cov=botyard.games

.PHONY: setup play test check bench mutants lock tools clean

setup: $(READY) tools  ## the virtual environment with the command botyard, and what the tests need

$(READY): pyproject.toml requirements.lock
	@echo "Setting up $(VENV): the locked dependencies and the command botyard"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed, this is $$($(PYTHON) --version); name another with PYTHON=…"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "python3 -m venv does not work here; install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@$(BIN)/uv pip sync --quiet --compile-bytecode --require-hashes --python $(BIN)/python requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

tools:  ## the C compiler that builds the example bot of the tests
	@command -v cc >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing gcc, for the example bot in C"; \
	    apt-get update -qq && apt-get install -y -qq gcc libc6-dev >/dev/null; \
	  else echo "No C compiler (cc) here: install gcc, the example bot in C needs it"; fi; }

play: $(READY)  ## one game of Hive Arena between two house bots, live
	@$(BIN)/botyard play hive house:forager house:raider --watch

check: $(READY)  ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_architecture.py

test: setup check  ## everything
	$(BIN)/botyard warm --quiet
	$(BIN)/pytest -q -n 2 tests $(COVER) --cov-report=
	BOTYARD_RULES=interpreted $(BIN)/pytest -q -n 2 tests/kernel tests/games $(COVER) --cov-append \
	  --cov-report=term-missing:skip-covered --cov-fail-under=100

bench: $(READY)  ## how fast it is here
	$(BIN)/botyard bench

mutants: $(READY)  ## breaks the rules one at a time: which mutants does no test notice? (GAMES="hive …", minutes per game)
	$(BIN)/python tools/mutants.py $(GAMES)

lock:  ## resolves the dependencies anew (needs a set-up environment)
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --extra dev --extra cuda pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .coverage* .hypothesis
