# Everything needs only Python 3.11 or newer and make. `make` alone lists what there is.

PYTHON ?= python3
PORT ?= 8501
STORE ?= data/store
SECONDS ?= 600
PYTEST_ARGS ?= -n auto --dist loadfile --no-loadscope-reorder

BIN := .venv/bin
PIP = $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps
# What a lock names is all that is installed, each file by its hash; what builds Fupan itself is in it too.
LOCKED = $(PIP) --require-hashes --requirement
OURSELVES = $(PIP) --no-build-isolation --editable .
COMPILED := uv pip compile --quiet --universal --no-annotate --no-header
ALL := --extra dev --extra engines --extra fast --extra login pyproject.toml locks/build.in

.DEFAULT_GOAL := help
.PHONY: help run test check guard format docs samples soak fuzz mutation bench browser screenshots pins advisories clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/ready-to-run ## Audit the sample hands into a store and open the dashboard on it (PORT=8501, STORE=data/store)
	$(BIN)/fupan load data/samples --store $(STORE) || test $$? -eq 1 # some of the samples are spoilt on purpose
	$(BIN)/fupan dashboard --store $(STORE) --port $(PORT)

# Compiling takes one core and a minute, as checking does; the tests would else do it once in each process.
# Pytest writes its checks into the tests and they start many programs: compiled once and kept, whatever is said outside.
test soak: export PYTHONDONTWRITEBYTECODE :=
test: .venv/ready-to-test ## Check everything, then run the tests (PYTEST_ARGS='-k deal')
	@$(BIN)/fupan warm-up >/dev/null & compiling=$$!; $(MAKE) --no-print-directory check && wait $$compiling
	$(BIN)/python -m pytest $(PYTEST_ARGS)

check: .venv/ready-to-test guard ## Format, lint, types, layers, and what may not be committed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Addresses and paths of the machine that wrote a file help nobody on another one.
guard:
	@! grep -n '://' constraints.txt locks/* || { echo "Pins must hold no address (make pins)"; exit 1; }
	@! git grep -nIE -e '(^|[^[:alnum:]._~-])[/](root|work|farm)[/]' -e '$(CURDIR)[/]' -- . 2>/dev/null \
		|| { echo "These lines name a path of one machine"; exit 1; }

format: .venv/ready-to-test ## Format the code and mend what lint can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/ready-to-test ## Write the generated pages of docs/ again
	$(BIN)/python -m fupan.docs

samples: .venv/ready-to-run ## Play the sample hands of data/samples anew
	for rules in $$($(BIN)/fupan rules --names); do \
		$(BIN)/fupan sample --rules $$rules --hands 60 --seed 2026 --faults 0.06 --out data/samples/$$rules.jsonl || exit 1; \
	done

soak: .venv/ready-to-test ## The long tests: generated hands by the hundred thousand
	$(BIN)/python -m pytest -m soak $(PYTEST_ARGS)

fuzz: .venv/ready-to-test ## Look for inputs that break the readers of logs, and keep what reaches new code (SECONDS=600)
	$(LOCKED) locks/fuzz.txt
	PYTHONPATH=$(CURDIR) $(BIN)/python tests/fuzz/harness.py $(SECONDS)

mutation: .venv/ready-to-test ## Make every small mistake in the rules and see which test finds it (MODULES=ingest/audit.py)
	$(BIN)/python tests/mutation/trial.py .mutation.jsonl $(MODULES)

bench: .venv/ready-to-test ## Measure hands a second beside other engines, and how long statistics take
	$(BIN)/python -m bench

browser: ## Install Chromium and a Chinese font for the browser tests (Debian or Ubuntu, as root)
	@if command -v chromium >/dev/null && dpkg -s fonts-wqy-microhei >/dev/null 2>&1; then \
		echo "Chromium and a Chinese font are here."; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "Installing Chromium and a Chinese font ..."; \
		apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install \
			--no-install-recommends chromium fonts-wqy-microhei >/dev/null; \
	else \
		echo "The browser tests need a program named chromium on the PATH and a font with Chinese characters."; \
		echo "Debian, Ubuntu: sudo apt-get install chromium fonts-wqy-microhei"; \
		echo "Elsewhere: install Chromium your system's way. Without it the browser tests are skipped."; \
		exit 1; \
	fi

screenshots: .venv/ready-to-test ## Take the pictures of docs/img anew (needs Chromium: make browser)
	PYTHONPATH=$(CURDIR):$(CURDIR)/tests/browser $(BIN)/python tests/browser/screenshots.py

# DouZero without what it asks for: its rules need nothing, and its torch (gigabytes) is for its agents only.
pins: ## Renew constraints.txt and the hashes in locks/ (needs uv)
	$(COMPILED) --upgrade $(ALL) -o constraints.txt
	$(COMPILED) --generate-hashes -c constraints.txt --extra fast --extra login pyproject.toml locks/build.in -o locks/run.txt
	$(COMPILED) --generate-hashes -c constraints.txt $(ALL) -o locks/test.txt
	echo douzero==1.1.0 | $(COMPILED) --generate-hashes --no-deps - >> locks/test.txt
	echo pip-audit==2.10.1 | $(COMPILED) --generate-hashes - -o locks/advisories.txt
	echo atheris==3.0.0 | $(COMPILED) --generate-hashes --no-deps - -o locks/fuzz.txt

# Strictly: without that a package that cannot be looked up counts as one without advisories.
advisories: BIN := .venv/advisories/bin
advisories: ## Look the locked versions up among known advisories (needs a network)
	$(PYTHON) -m venv .venv/advisories
	$(LOCKED) locks/advisories.txt
	$(BIN)/pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r locks/run.txt -r locks/test.txt

clean: ## Remove the environment, the store and all caches
	rm -rf .venv $(STORE) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Fupan needs Python 3.11 or newer, and $(PYTHON) is not that. Name another: make PYTHON=python3.12 ..."; \
		exit 1; }
	$(PYTHON) -m venv .venv

# Installed again only when a requirement or a lock has changed.
.venv/ready-to-run: pyproject.toml locks/run.txt | .venv/pyvenv.cfg
	@echo "Installing Fupan into .venv (some minutes) ..."
	@$(LOCKED) locks/run.txt
	@$(OURSELVES)
	@touch $@

.venv/ready-to-test: pyproject.toml locks/test.txt | .venv/pyvenv.cfg
	@echo "Installing Fupan and its tools into .venv (some minutes) ..."
	@$(LOCKED) locks/test.txt
	@$(OURSELVES)
	@touch .venv/ready-to-run $@
