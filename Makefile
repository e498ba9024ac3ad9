# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   the main job        make test   lint, types and tests
VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.installed

# `make PYTHON=path` names the Python to use; else the newest that works is taken. Finding a command
# is not enough: pyenv has shims that do not run, and Debian a Python that cannot make environments.
PYTHONS  := $(or $(PYTHON),python3.14 python3.13 python3.12 python3.11 python3)
SUITABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))

LENS  := $(VENV)/.lens
SITE  := $(VENV)/.site

.PHONY: demo test chromium page coverage test-slow test-lens site fuzz lint format clean

$(BIN)/python:
	@for python in $(PYTHONS); do \
	  if $$python -c '$(SUITABLE)' 2>/dev/null; then \
	    echo "$$python -m venv $(VENV)"; \
	    exec $$python -m venv $(VENV); \
	  fi; \
	done; \
	echo 'raspl needs Python 3.11 or newer with venv: install one, or name it with make PYTHON=path (tried: $(PYTHONS)).' >&2; \
	exit 1

$(STAMP): pyproject.toml constraints.txt | $(BIN)/python
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[learn,hf,ray,table,languages,lsp,sweep,web,dev]'
	touch $@

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Where CI is set, as every CI does, TransformerLens is installed and its tests can't be skipped.
test: lint chromium $(if $(CI),$(LENS))
	$(if $(CI),RASPL_TEST_LENS=1) $(BIN)/python -m pytest -n 2

# The tests of the playground's page drive a browser; without one they are skipped.
chromium:
	@command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && apt-get install -qq -y chromium >/dev/null 2>&1; \
	} || echo 'There is no Chromium: the tests of the playground page are skipped.'

# The playground's page and the script of trace pages, from web/ into the package. Needs Node.
page:
	cd web && npm ci --no-audit --no-fund && npm run types && npm run build

# The same tests, then the total and the ten files with the least coverage.
coverage: $(STAMP)
	$(BIN)/python -m pytest -n 2 --cov --cov-report=
	@$(BIN)/coverage report --sort=cover | awk 'NR <= 12 || /^TOTAL/'

test-slow: $(STAMP)
	$(BIN)/python -m pytest -n 2 -m slow

# The bridge to TransformerLens, which brings 370 MB and so is not part of what everybody installs.
$(LENS): $(STAMP)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[lens]'
	touch $@

test-lens: $(LENS)
	RASPL_TEST_LENS=1 $(BIN)/python -m pytest tests/compiler/test_lens.py

# The documentation as a site, in build/website/site.
$(SITE): $(STAMP)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[site]'
	touch $@

site: $(SITE)
	$(BIN)/python website/build.py

fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz --pairs 100000
	$(BIN)/python -m tests.fuzz_text --pairs 100000
	$(BIN)/python -m tests.settling --programs 100000

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

demo: $(STAMP)
	$(BIN)/raspl demo

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .coverage .coverage.*
