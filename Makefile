# Needs python3 (3.11 or later), make and the package registries; everything else is set up here.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := $(shell sed -n 's/^uv==\([^ ]*\).*/\1/p' requirements.lock)
# Two set-ups of one environment (decision 018): what a player needs, and on top of it what the tests need.
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
# And an environment with the oldest Numba that pyproject.toml allows.
OLDEST := .venv-oldest
READY_OLDEST := $(OLDEST)/.ready
# And one for learners, with PyTorch.
RESEARCH := .venv-research
READY_RESEARCH := $(RESEARCH)/.ready
TORCH := 2.13.0
NUMBA_FLOOR := $(shell sed -n 's/^ *"numba>=\([0-9.]*\).*/\1/p' pyproject.toml)
# By folder, not by package: the kernel's loops are loaded as modules of a game, also of one that lies elsewhere.
COVER := --cov=src/botyard/kernel --cov=src/botyard/games
# More than the two cores this is meant for: many tests wait for a clock or for a process.
TOGETHER := -n 4 --dist worksteal
# pytest rewrites the modules of the tests and keeps what it made, unless an environment forbids that: then every worker of
# every stage would do it again, for ten seconds.
export PYTHONDONTWRITEBYTECODE :=

# A program, and the package of Debian and Ubuntu that brings it: compilers and interpreters of bots, the cage, the
# browser that looks at the pages, and what packs videos.
TOOLS := cc:gcc,libc6-dev c++:g++ make:make node:nodejs javac:default-jdk-headless go:golang-go rustc:rustc \
  cargo:cargo lua:lua5.4 bwrap:bubblewrap chromium:chromium ffmpeg:ffmpeg psql:postgresql nginx:nginx-light openssl:openssl

.PHONY: setup play test test-all test-research check compiled rewritten soak bench mutants pictures senses library lock tools clean

setup: $(READY_DEV) tools  ## the virtual environment with the command botyard, and what the tests need
	@$(BIN)/python -m compileall -q -x /starters/ src

INSTALL = $(BIN)/uv pip $(1) --quiet --compile-bytecode --require-hashes --python $(BIN)/python
EDITABLE = $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .

# Installed on top of what is there: who has set up for the tests once keeps that.
$(READY): pyproject.toml requirements.lock
	@echo "Setting up $(VENV): the locked dependencies and the command botyard"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed, this is $$($(PYTHON) --version); name another with PYTHON=…"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "python3 -m venv does not work here; install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@$(call INSTALL,install) --requirements requirements.lock
	@$(EDITABLE)
	@touch $@

# The sync takes off what the lock no longer names, and us with it.
$(READY_DEV): $(READY) requirements-dev.lock
	@echo "Setting up $(VENV): what the tests need"
	@$(call INSTALL,sync) requirements-dev.lock
	@$(EDITABLE)
	@touch $@

# Whatever does not hang on Numba is of the locked version.
$(READY_OLDEST): pyproject.toml requirements-dev.lock $(READY_DEV)
	@echo "Setting up $(OLDEST): Numba $(NUMBA_FLOOR), and what the tests need"
	@test -x $(OLDEST)/bin/python || $(BIN)/python -m venv $(OLDEST)
	@sed -n 's/^\([a-z0-9-]*==[^ ]*\).*/\1/p' requirements-dev.lock | grep -vE '^(numba|numba-cuda|llvmlite|numpy|cuda-.*)==' >$(OLDEST)/constraints.txt
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(OLDEST)/bin/python --constraints $(OLDEST)/constraints.txt \
	  --requirements pyproject.toml --extra dev numba==$(NUMBA_FLOOR)
	@$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python --no-deps --no-build-isolation --editable .
	@touch $@

# The lock leaves PyTorch out: from PyPI it brings gigabytes of CUDA, and a build for CPUs has another hash. One that lies
# here is taken (PIP_FIND_LINKS), else PyTorch's own for CPUs, else that of PyPI. It stays when the lock changes.
TORCH_HERE = $(RESEARCH)/bin/python -c 'from importlib.metadata import version as v; exit(v("torch").split("+")[0] != "$(TORCH)")' 2>/dev/null
TORCH_FROM = $(RESEARCH)/bin/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH)

$(READY_RESEARCH): pyproject.toml requirements-research.lock $(READY)
	@echo "Setting up $(RESEARCH): PyTorch $(TORCH), and what learns with it"
	@test -x $(RESEARCH)/bin/python || $(BIN)/python -m venv $(RESEARCH)
	@$(TORCH_HERE) || $(TORCH_FROM) --no-deps --no-index 2>/dev/null \
	  || $(TORCH_FROM) --no-deps --index-url https://download.pytorch.org/whl/cpu --retries 1 2>/dev/null || $(TORCH_FROM)
	@$(BIN)/uv pip install --quiet --compile-bytecode --require-hashes --no-deps --python $(RESEARCH)/bin/python \
	  --requirements requirements-research.lock
	@$(BIN)/uv pip install --quiet --python $(RESEARCH)/bin/python --no-deps --no-build-isolation --editable .
	@touch $@

# A program is asked for its version: some are there and cannot run, as a rustc of rustup without a toolchain.
tools:  ## what the tests run beside Python: installed where that may be, named otherwise
	@missing=""; \
	runs() { "$$1" --version || "$$1" version || "$$1" -v || "$$1" -version; }; \
	for tool in $(TOOLS); do runs $${tool%%:*} >/dev/null 2>&1 </dev/null || missing="$$missing,$${tool#*:}"; done; \
	lua -e 'require "socket"' >/dev/null 2>&1 || missing="$$missing,lua-socket"; \
	missing=$$(echo "$$missing" | tr , " "); \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing what the tests need:$$missing"; \
	  apt-get update -qq; \
	  for package in $$missing; do \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$package >/dev/null \
	      || echo "$$package cannot be installed: tests that need it are skipped"; \
	  done; \
	else echo "Tests are skipped that need these packages; install them:$$missing"; fi

CONTESTS := $(addprefix examples/contests/,hive.toml hackman.toml battlebots.toml snakepit.toml snakebattle.toml)

play: $(READY)  ## a short contest of every game among the house bots: five tables and their reports
	@$(BIN)/botyard warm
	@$(BIN)/botyard contest run $(CONTESTS) --anew
	@echo "watch the games: $(BIN)/botyard view $(CONTESTS)"

check: $(READY_DEV)  ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_architecture.py

compiled: $(READY_DEV)  ## the rules of all games, as the tests need them
	$(BIN)/python -m tests.warm

rewritten: $(READY_DEV)  ## the modules of the tests, as pytest keeps them for its workers
	@$(BIN)/pytest --collect-only --quiet tests >/dev/null || true  # what is wrong with them is told when they run

# Coverage is what the interpreted rules reach, and of the compiled ones how the kernel has them compiled. Measuring takes
# half as long again, so nothing else is measured.
test: setup  ## everything
	@$(MAKE) --no-print-directory --jobs 2 --output-sync check compiled rewritten
	$(BIN)/pytest -q $(TOGETHER) tests --ignore tests/kernel
	$(BIN)/pytest -q $(TOGETHER) tests/kernel $(COVER) --cov-report=
	BOTYARD_RULES=interpreted $(BIN)/pytest -q $(TOGETHER) tests/kernel tests/games $(COVER) --cov-append \
	  --cov-report=term-missing:skip-covered --cov-fail-under=100

# What hangs on how rules are compiled, and on the Numba that does it.
COMPILED := tests/kernel tests/games tests/match tests/sim tests/render tests/test_parity.py tests/test_settings_work.py
NOT_COMPILED := --ignore tests/jail --ignore tests/hostile --ignore tests/fuzz --ignore tests/rank --ignore tests/yard

test-research: $(READY_RESEARCH)  ## what learns with PyTorch, in an environment of its own
	$(RESEARCH)/bin/pytest -q tests/research

test-all: test test-research $(READY_OLDEST)  ## everything, and again with the plain compiler and with the oldest Numba: an hour
	BOTYARD_COMPILER=plain $(BIN)/python -m tests.warm
	BOTYARD_COMPILER=plain $(BIN)/pytest -q $(TOGETHER) $(COMPILED)
	$(OLDEST)/bin/python -m tests.warm
	$(OLDEST)/bin/pytest -q $(TOGETHER) tests $(NOT_COMPILED)
	$(BIN)/pytest -q $(TOGETHER) -m long tests
	BOTYARD_FUZZ_S=20 $(BIN)/pytest -q $(TOGETHER) tests/fuzz

soak: $(READY_DEV)  ## long storms: 200 games against hostile bots; 300 games of contests and 500 of a yard on each database and on a cluster, workers, servers and machines killed on the way; bent files for ten minutes a reader
	BOTYARD_SOAK=200 $(BIN)/pytest -q --timeout 0 tests/hostile/test_soak.py tests/contest/test_chaos.py tests/yard/test_yard_chaos.py
	BOTYARD_SOAK=200 $(BIN)/pytest -q --timeout 0 -m long tests/yard/test_yard_ray.py
	BOTYARD_FUZZ_S=600 $(BIN)/pytest -q -s --timeout 0 tests/fuzz

bench: $(READY)  ## how fast it is here
	$(BIN)/botyard bench

mutants: $(READY_DEV)  ## breaks the code one place at a time: which mutants does no test notice? (AREAS="hive rank …", SEED=…; hours for all)
	$(BIN)/python tools/mutants.py $(AREAS) $(if $(FROM),--from $(FROM)) $(if $(SEED),--seed $(SEED))

# A game among house bots from a fixed seed, and the part of it that is shown: at most 300 kB. Boards are smaller than
# usual where little could be seen otherwise. Some games leave files of their original where they are played.
PLAYED := .pictures
PICTURE = cd $(PLAYED) && ../$(BIN)/botyard play $(1) $(2) --quiet --replay $(1).replay >/dev/null && \
  cd .. && $(BIN)/botyard export $(PLAYED)/$(1).replay --to docs/pictures/$(1).gif --size 420 $(3)

pictures: $(READY_DEV)  ## remakes the pictures of the games in docs/pictures: a film and the tiles of each
	@mkdir -p $(PLAYED)
	@$(call PICTURE,hive,house:forager house:raider --seed 7 --set rows=14 --set cols=20,--from 20 --until 200 --speed 12)
	@$(call PICTURE,hackman,house:collector house:hunter --seed 3,--from 20 --until 120 --speed 6)
	@$(call PICTURE,battlebots,house:duellist house:gunner --seed 1,--speed 2)
	@$(call PICTURE,snakebattle,house:greedy house:fighter house:greedy house:fighter --seed 3,--from 30 --until 130 --speed 8)
	@$(call PICTURE,snakepit,house:careful house:aggressor house:beeline house:careful --seed 3 --set width=30 --set height=30,--from 60 --until 180 --speed 12)
	@rm -r $(PLAYED)
	@$(BIN)/python tools/tile_sheets.py docs/pictures

senses: $(READY_DEV)  ## remakes what the pages of the games tell of codes and numbers, from the games' own words
	@$(BIN)/python tools/senses_page.py

library: $(READY_DEV)  ## remakes the reference of the library, from its docstrings and the words of the games
	@$(BIN)/python tools/library_page.py docs/library.md

COMPILE = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml

# PyTorch is installed by its version alone, so the last one names what it needs.
lock: $(READY)  ## resolves the dependencies anew: first a player's, then, with the same versions, a developer's and a learner's
	$(COMPILE) --extra setup --extra server -o requirements.lock
	$(COMPILE) --extra dev --extra cuda --constraints requirements.lock -o requirements-dev.lock
	printf '%s\n' torch >.excluded
	printf '%s\n' filelock fsspec jinja2 networkx setuptools sympy typing-extensions | $(COMPILE) - --extra research --extra setup \
	  --extra tests --excludes .excluded --constraints requirements-dev.lock -o requirements-research.lock
	@rm .excluded

clean:
	rm -rf $(VENV) $(OLDEST) $(RESEARCH) .mypy_cache .pytest_cache .ruff_cache .coverage* .hypothesis
