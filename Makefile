# `make play` starts the site, `make test` tests it, `make help` names the rest.

PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.ready-to-run
DEVELOP := .venv/.ready-to-develop
CHECKERS := node_modules/.ready-to-check
NODE := $(BIN)/node node_modules
LIGHTHOUSE := tools/lighthouse/node_modules/.ready-to-measure

TUNE := fit
FAST := not services and not browser and not soak
# A test that hangs beyond the reach of its own time limit, as in the join of a thread, ends its process, which says where
# it hung, instead of the whole run. No test of these runs is given more than 900 seconds.
PYTEST := $(BIN)/pytest -n 2 -o faulthandler_timeout=960 -o faulthandler_exit_on_timeout=true

.PHONY: help play test test-fast check types stack bench arena tune soak lighthouse screenshots format
.DEFAULT_GOAL := help

help: ## name the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do printf '  make %-12s %s\n' "$$name" "$$what"; done

play: $(RUN) ## start the site on http://127.0.0.1:8000 (PORT=8001 make play for another port)
	@$(BIN)/python manage.py play

test: $(DEVELOP) ## run every test: rules, site, PostgreSQL and Redis, a browser
	@deploy/install-packages chromium-headless-shell redis-server postgresql nginx
	$(PYTEST) -m "$(FAST)"
	$(BIN)/python -m deploy.throwaway $(PYTEST) --dist loadfile -m "(services or both_stacks) and not browser and not soak"
	$(PYTEST) --dist loadfile --no-loadscope-reorder -m "browser and not soak"

test-fast: $(DEVELOP) ## run the tests that need no services, no browser, no second database and little time
	$(BIN)/pytest -n 2 -m "$(FAST) and not both_stacks and not slow"

check: $(DEVELOP) $(CHECKERS) ## lint, types, scripts, templates, layers, migrations, production settings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.page_types --check
	$(BIN)/python -m tools.openapi --check
	$(NODE)/typescript/bin/tsc
	$(NODE)/eslint/bin/eslint.js static
	$(BIN)/djlint --quiet $$(find templates -name '*.html' -o -name '*.svg')
	$(BIN)/python manage.py makemigrations --check --dry-run
	env $$(grep -v '^#' deploy/environment.example) SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

types: $(DEVELOP) ## write the types of the page for the scripts, and the document of the API, docs/openapi.json
	$(BIN)/python -m tools.page_types
	$(BIN)/python -m tools.openapi

stack: $(RUN) ## start the full stack: PostgreSQL, Redis, two web processes, workers, one for bots that think, beat, nginx
	@deploy/install-packages redis-server postgresql nginx
	@$(BIN)/python -m deploy.stack

bench: $(DEVELOP) ## measure
	@deploy/install-packages redis-server postgresql nginx
	$(BIN)/python -m bench

BOTS ?= hard builder builder builder
GAMES ?= 400

tune: $(DEVELOP) ## find anew what the bots' valuation weighs, from games among themselves; or TUNE="try blocked=-0.5,0" a change
	$(BIN)/python -m tools.tune $(TUNE)

arena: $(DEVELOP) ## let bots play against each other (BOTS="hard medium easy builder" GAMES=400 ARENA="--preset online --seed 2")
	$(BIN)/python -m tools.arena $(BOTS) --games $(GAMES) $(ARENA)

soak: $(DEVELOP) ## play thousands of games: by the rules alone, by the bots (SOAK_GAMES=10000), stored on both databases, with crashes and in storms, over HTTP; ask the API thousands of things
	@deploy/install-packages redis-server postgresql
	$(BIN)/pytest -n 2 -m soak tests/rules tests/bots
	$(BIN)/pytest -n 2 -m soak tests/games
	$(BIN)/pytest -s -m soak tests/api
	$(BIN)/python -m deploy.throwaway $(BIN)/pytest -n 2 -m soak tests/games

lighthouse: $(DEVELOP) $(LIGHTHOUSE) ## let Lighthouse look at the front page, a table and a game, on a phone and on a desk
	@deploy/install-packages chromium redis-server postgresql nginx
	$(BIN)/python -m tools.lighthouse

screenshots: $(DEVELOP) ## take the pictures in docs/screenshots
	@deploy/install-packages chromium-headless-shell
	$(BIN)/python -m tools.screenshots

format: $(DEVELOP) ## put the code into its one format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

$(RUN): requirements.txt constraints.txt
	$(call install,requirements.txt)
	@touch $@

$(DEVELOP): requirements-dev.txt requirements.txt constraints.txt
	$(call install,requirements-dev.txt)
	@touch $@ $(RUN)

# What checks the scripts. `npm ci` clears the folder first, so half an install leaves no mark behind.
$(CHECKERS): package.json package-lock.json .npmrc | $(DEVELOP)
	@echo "Installing package-lock.json …"
	@$(BIN)/npm ci --loglevel=error
	@touch $@

# Large, and needed by nothing else: it is not among the checkers.
$(LIGHTHOUSE): tools/lighthouse/package.json tools/lighthouse/package-lock.json tools/lighthouse/.npmrc | $(DEVELOP)
	@echo "Installing tools/lighthouse/package-lock.json …"
	@$(BIN)/npm ci --prefix tools/lighthouse --loglevel=error
	@touch $@

define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try PYTHON=python3.11 make …")'
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python cannot make a virtual environment here. Install it with: sudo apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing $(1) …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --requirement $(1)
endef
