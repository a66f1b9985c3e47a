# Every target sets up .venv by itself and installs again only when a requirements file has changed.
# Needed beforehand: make and Python 3.11 or newer. Another interpreter: make PYTHON=python3.12 app

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Extra words for the program behind a target, e.g. make test ARGS="-k castle".
ARGS ?=
CODE := $(wildcard app.py engine vision store ui benchmarks)

.DEFAULT_GOAL := help
.PHONY: help app phone test check bench screens samples train folds evaluate clean

help:
	@echo "make app       open the companion in the browser (this computer only)"
	@echo "make phone     serve the companion to phones in your network, with a QR code"
	@echo "make test      run all tests"
	@echo "make check     run the linter, the formatter's check and the type checker"
	@echo "make bench     measure speed and print medians"
	@echo "make screens   take the pictures in docs/screens again (needs Chromium)"
	@echo "make samples   render sample_photos again from their seeds"
	@echo "make train     train the models that ship"
	@echo "make folds     train one model per fold, for honest measuring"
	@echo "make evaluate  measure the reading of photographs and write docs/results"
	@echo "make clean     remove the environment and every cache"

app: $(VENV)/.stamp-runtime
	$(BIN)/python -m streamlit run app.py $(ARGS)

phone: $(VENV)/.stamp-runtime
	$(BIN)/python -m ui.phone $(ARGS)

# Tests that measure time or drive a browser run by themselves, after the others.
test: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 -m "not browser and not serial" $(ARGS)
	$(BIN)/python -m pytest -m "browser or serial" $(ARGS)

check: $(VENV)/.stamp-dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy $(CODE)

bench: $(VENV)/.stamp-dev
	$(BIN)/python -m benchmarks $(ARGS)

screens: $(VENV)/.stamp-dev
	$(BIN)/python -m tests.e2e.screens $(ARGS)

samples: $(VENV)/.stamp-runtime
	$(BIN)/python -m vision.scenes samples $(ARGS)

train: $(VENV)/.stamp-train
	$(BIN)/python -m vision.training all $(ARGS)

folds: $(VENV)/.stamp-train
	$(BIN)/python -m vision.training folds $(ARGS)

evaluate: $(VENV)/.stamp-runtime
	$(BIN)/python -m vision.evaluate $(ARGS)
	$(BIN)/python -m vision.evaluate_turns

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A half-made environment is made again; a working one is kept.
$(VENV)/.stamp-venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed, but '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)."; \
		echo "Install a newer Python, or name one: make PYTHON=python3.12"; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		echo "Making $(VENV) ..."; \
		$(PYTHON) -m venv --clear $(VENV) || { \
			echo "Could not make $(VENV). On Debian and Ubuntu, install the package python3-venv first."; \
			rm -rf $(VENV); exit 1; }; }
	@touch $@

$(VENV)/.stamp-runtime: requirements.txt $(VENV)/.stamp-venv
	@echo "Installing requirements.txt (a few minutes the first time) ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.stamp-dev: requirements-dev.txt $(VENV)/.stamp-runtime
	@echo "Installing requirements-dev.txt ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@

$(VENV)/.stamp-train: requirements-train.txt $(VENV)/.stamp-runtime
	@echo "Installing requirements-train.txt (large) ..."
	@$(PIP) -r requirements-train.txt
	@touch $@
