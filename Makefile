# Every target works on a bare machine with Python 3.11 or newer; `make run` is the place to begin.
PYTHON ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3.14 python3,$(if $(shell command -v $(p)),$(p))))
VENV := .venv/bin
OPS := $(VENV)/python -m ops
WITH_SERVERS := $(OPS) exec --state test --
T ?= tests

ifeq ($(strip $(PYTHON)),)
$(error There is no Python here: install Python 3.11 or newer)
endif

.PHONY: run demo test e2e lint lint-style lint-format lint-imports lint-templates lint-types lint-migrations sabotage faults bench verifier doctor stop clean setup setup-runtime
.DEFAULT_GOAL := run

run: setup-runtime     ## set up, start everything, seed the demo, print its transcript and address, serve
	@exec $(OPS) run

demo: setup-runtime    ## the main job in the terminal; exits 0 or 1
	@$(OPS) demo

test: setup            ## unit, property and integration tests on throw-away servers; T=path runs a part
	@$(OPS) test -- -n $(or $(N),2) $(T) $(if $(filter tests,$(T)),--ignore=tests/e2e --ignore=tests/faults)

e2e: setup             ## browser, MCP client and mail, end to end
	@$(OPS) e2e

lint: setup            ## style, types, import contracts, migrations, templates; all are run, then it fails
	@$(MAKE) --no-print-directory --keep-going lint-style lint-format lint-imports lint-templates lint-types lint-migrations

lint-style:
	$(VENV)/ruff check .
lint-format:
	$(VENV)/ruff format --check .
lint-imports:
	$(VENV)/lint-imports
lint-templates:
	$(VENV)/djlint --lint --check apps
lint-types:
	$(WITH_SERVERS) mypy
lint-migrations:
	$(WITH_SERVERS) python manage.py makemigrations --check --dry-run

sabotage: setup        ## break each promise on purpose; every break must turn a test red
	@$(WITH_SERVERS) python -m tests.sabotage

faults: setup          ## crash, full disk, kill, restore
	@$(OPS) test -- tests/faults

bench: setup           ## ratios, side by side in one run
	@$(OPS) exec --state bench -- python -m bench

verifier:              ## write muniment.pyz, which checks files with Python alone, and print its SHA-256
	@$(PYTHON) apps/ledger/services/program.py muniment.pyz

doctor: setup-runtime  ## name every missing or wrong thing and the setting that corrects it
	@$(OPS) doctor

stop:                  ## stop whatever of Muniment runs from this checkout
	@$(PYTHON) -m ops stop

clean:                 ## remove all state and the virtual environment
	@$(PYTHON) -m ops clean

setup:
	@$(PYTHON) ops/setup.py dev

setup-runtime:
	@$(PYTHON) ops/setup.py runtime
