# make lab         open the course in JupyterLab; OPTIONS="--port=9999" are JupyterLab's own
# make quick       an answer while one works: no browser, kernel, sandbox or Pyodide, a few cases a test
# make test        every kind of promise once: what each change has to pass
# make everything  the sweeps as well: each night, and before a release. `make -k everything` goes on
#                  after a failure
# make draws       what the tests draw at random, from another seed (SEED=7), and more of it
# make nbval       run every notebook, and compare every output with the saved one
# make learner     what a learner does: install, ask the doctor, run every lesson untouched
# make lessons     build the notebooks and their pages from solutions/*.py
# make ends        the mathematics and the lessons with the oldest, the newest and Colab's packages
# make experiments every claim of the course, over many seeds
# make processors  notebooks, claims and pictures under other processors' kernels, and two threads
# make proof       what a page says of every program of the bank is what torch says
# make lighthouse  Lighthouse's points for each page of the site, on a telephone
# make site        the course as pages that need nothing installed, handed out on this computer
# make widgets     bundle the widgets' JavaScript; `make widgets WATCH=1` after each change
# make benchmarks  how fast the widgets, a check in a page and the grader are
#
# Each makes its own environment in .venv the first time, and needs no network after that.
# On Linux it asks torch's own index for the build without graphics cards, a tenth of the size;
# TORCH_INDEX=URL names another place, TORCH_INDEX= takes PyPI's.

PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip --disable-pip-version-check
# npm and node from PyPI's wheel.
NPM := $(BIN)/python -m tests.npm

TORCH_INDEX ?= $(if $(filter Windows_NT,$(OS)),,$(if $(filter Linux,$(shell uname -s)),$(CPU_TORCH)))
CPU_TORCH := https://download.pytorch.org/whl/cpu
SITE ?= build/site
PORT ?= 8000
SEED ?= 1
# Six workers on two cores: many wait for a browser or a kernel.
ALL_TESTS := -m pytest --numprocesses=6 --dist=loadfile --no-loadscope-reorder
ENDS ?= oldest newest colab
export TORCH_INDEX
# Compiled modules are kept, whatever the shell says: some hundred processes import the same ones.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: lab quick quick-tests check built test everything sweeps seeds draws proof nbval learner lessons site
.PHONY: widgets lighthouse experiments processors ends benchmarks

lab: .venv/ready
	@$(BIN)/qkv lab $(OPTIONS)

# Types take one processor half a minute the first time: beside the tests nobody waits for them.
quick: .venv/ready-to-test
	@$(MAKE) --no-print-directory --jobs=2 check quick-tests

quick-tests: .venv/ready-to-test
	@QKVLIB_QUICK=1 $(BIN)/python -m pytest tests -m "not slow and not whole" \
		--ignore=tests/page --ignore=tests/jupyterlab --ignore=tests/tools/grading \
		--ignore=tests/tools/page_torch \
		--without-sweeps --most-cases 5 --numprocesses=2 --dist=worksteal

check: .venv/ready-to-test
	@echo "Style and types ..."
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(NPM) run --silent lint

test: .venv/ready-to-test
	@$(MAKE) --no-print-directory --jobs=2 check built
	@echo "Tests ..."
	@$(BIN)/python $(ALL_TESTS) --without-sweeps

everything: check built seeds experiments proof lighthouse sweeps

sweeps: .venv/ready-to-test
	@$(BIN)/python $(ALL_TESTS)

seeds: .venv/ready-to-test
	@$(BIN)/python -m tests.exercises 200
	@$(BIN)/python -m tests.tools.page_torch 5000

built: .venv/ready-to-test
	@echo "Are the notebooks what their sources build? ..."
	@$(BIN)/qkv build --check

draws: .venv/ready-to-test
	@QKVLIB_SEED=$(SEED) $(BIN)/python -m pytest tests -m "hypothesis or drawn" --numprocesses=2

nbval: .venv/ready
	@$(PIP) install --quiet --constraint constraints.txt nbval pytest pytest-xdist
	@$(BIN)/python $(ALL_TESTS) lessons solutions

# The outputs were saved on Linux, and the last digits are another processor's own: cells must run.
learner: .venv/ready
	@$(PIP) install --quiet --constraint constraints.txt nbval pytest
	@$(BIN)/qkv doctor
	@$(BIN)/python -m pytest --nbval-lax lessons

lessons: .venv/ready-to-test
	@$(BIN)/qkv build

site: .venv/ready-to-test
	@$(BIN)/qkv site $(SITE)
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(SITE) $(PORT)

widgets: .venv/ready-to-test
	@$(NPM) run --silent $(if $(WATCH),watch,build)

proof: .venv/ready-to-test
	@for where in node chromium firefox; do \
		$(BIN)/python -m tests.proof $$where || exit 1; done
	@$(BIN)/python -m tests.proof.learner

# Alone: what else runs costs points in speed.
lighthouse: .venv/ready-to-test
	@$(BIN)/qkv site $(SITE)
	@$(BIN)/python -m tests.tools.site.lighthouse $(SITE)

experiments: .venv/ready-to-test
	@$(BIN)/python -m tests.experiments

processors: .venv/ready-to-test
	@$(BIN)/python -m tests.processors

ends:
	@for end in $(ENDS); do $(PYTHON) tests/places/ends.py $$end || exit 1; done

benchmarks: .venv/ready-to-test
	@for name in tests/benchmarks/[a-z]*.py; do \
		$(BIN)/python -m tests.benchmarks.$$(basename $$name .py) || exit 1; done

.venv/ready: pyproject.toml constraints.txt
	@echo "Making the environment .venv (a few minutes the first time) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "$(PYTHON) is older than 3.10. Name a newer one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv
	@$(MAKE) --no-print-directory .venv/torch
	@$(PIP) install --quiet --progress-bar on --constraint constraints.txt --editable .
	@touch $@

# Where the index cannot be reached, the next step takes PyPI's build.
.venv/torch:
	@[ -z "$(TORCH_INDEX)" ] || \
		$(PIP) install --quiet --progress-bar on --no-deps --constraint constraints.txt \
			--index-url $(TORCH_INDEX) --retries 0 --timeout 15 torch || \
		echo "$(TORCH_INDEX) cannot be reached: PyPI's torch is larger, and does as well."
	@touch $@

.venv/ready-to-test: .venv/ready package.json
	@echo "Adding what the tests need ..."
	@$(PIP) install --quiet --constraint constraints.txt --editable ".[test]"
	@$(NPM) install --silent --no-package-lock --no-audit --no-fund
	@# Rooms of their own, which see all that is here: in this one nbgrader would add buttons to the
	@# JupyterLab that the tests look at, and a learner's has no hub.
	@for room in nbgrader hub; do $(BIN)/python -m venv .venv/$$room; done
	@$(BIN)/python -c 'import sys, sysconfig; place = sysconfig.get_paths()["purelib"]; \
		rooms = [sys.prefix + "/" + room for room in ("nbgrader", "hub")]; \
		[open(place.replace(sys.prefix, room, 1) + "/tests.pth", "w").write(place) for room in rooms]'
	@.venv/nbgrader/bin/python -m pip --disable-pip-version-check install --quiet \
		--constraint constraints.txt nbgrader
	@.venv/hub/bin/python -m pip --disable-pip-version-check install --quiet \
		--constraint constraints.txt jupyterhub
	@$(NPM) install --silent --no-package-lock --no-audit --no-fund --prefix $(CURDIR)/.venv/hub \
		configurable-http-proxy@5.3.0
	@touch $@
