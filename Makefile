# make demo   sets everything up and crawls a small web on this machine
# make test   sets everything up and runs every check
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
TOOLS := $(VENV)/.tools

.PHONY: help setup demo test test-browser chromium lint types imports unit screenshots bench-frontier bench-speed bench-strategies bench-tunnels bench-examples bench-search bench-dashboard background reference lock reproduce fit-guide ablate-guide clean

help:
	@sed -n 's/^# //p' Makefile
	@echo "make test-browser                  run the tests in a real browser; fails if there is none"
	@echo "make screenshots                   take the pictures of every screen for the documentation"
	@echo "make bench-frontier, bench-speed   measure the queue, and the whole crawler beside Scrapy"
	@echo "make bench-strategies              measure what every strategy costs per link as the queue grows"
	@echo "make bench-tunnels                 count what is found behind pages off topic"
	@echo "make bench-examples                set words only beside 1 to 20 examples (needs HONEYGUIDE_CORPORA)"
	@echo "make bench-search                  measure how fast 100,000 pages are indexed and searched"
	@echo "make bench-dashboard               measure the web application over a crawl of a million visits"
	@echo "make reproduce                     set our figures beside the published ones (needs HONEYGUIDE_CORPORA)"
	@echo "make fit-guide                     fit the weights of the strategy guide (needs HONEYGUIDE_CORPORA)"
	@echo "make ablate-guide                  show what each kind of evidence is worth to guide (needs HONEYGUIDE_CORPORA)"
	@echo "make background, reference, lock   rebuild the word table, the reference pages, the lock files"

$(RUNTIME): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(TOOLS): requirements-dev.lock $(RUNTIME)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

setup: $(RUNTIME)

demo: $(RUNTIME)
	$(BIN)/honeyguide demo

test: lint types imports chromium unit

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(TOOLS)
	$(BIN)/mypy

imports: $(TOOLS)
	$(BIN)/lint-imports

unit: $(TOOLS)
	$(BIN)/pytest -n 2 --dist loadfile --max-worker-restart 0 $(PYTEST)

chromium:
	@sh scripts/get_chromium.sh

test-browser: $(TOOLS) chromium
	HONEYGUIDE_BROWSER=required $(BIN)/pytest -m browser tests/dashboard/browser

screenshots: $(TOOLS) chromium
	$(BIN)/python scripts/screenshots.py

reproduce: $(TOOLS)
	$(BIN)/python scripts/reproduce.py

fit-guide: $(TOOLS)
	$(BIN)/python scripts/fit_guide.py $(FIT)

ablate-guide: $(TOOLS)
	$(BIN)/python scripts/ablate_guide.py $(ABLATE)

bench-frontier: $(TOOLS)
	$(BIN)/python scripts/bench_frontier.py

bench-strategies: $(TOOLS)
	$(BIN)/python scripts/bench_strategies.py

bench-tunnels: $(TOOLS)
	$(BIN)/python scripts/bench_tunnels.py $(TUNNELS)

bench-examples: $(TOOLS)
	$(BIN)/python scripts/bench_examples.py $(EXAMPLES)

bench-search: $(TOOLS)
	$(BIN)/python scripts/bench_search.py

bench-dashboard: $(TOOLS)
	$(BIN)/python scripts/bench_dashboard.py

bench-speed: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	$(BIN)/python scripts/bench_speed.py

background: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	$(BIN)/python scripts/build_background.py

reference: $(TOOLS)
	$(BIN)/python scripts/build_reference.py

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate pyproject.toml
lock: $(TOOLS)
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --group build -o requirements.lock
	$(COMPILE) --group build --group dev -o requirements-dev.lock
	$(COMPILE) --group build --group dev --group bench -o requirements-bench.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
