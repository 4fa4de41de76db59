# Two commands are enough: `make run` and `make test`. Paths are relative, so the folder's own path may hold spaces.
.DEFAULT_GOAL := help
BIN := .venv/bin

# A virtual environment cannot be moved: in a folder that was, it is made again.
ifneq ($(shell cat .venv/where 2>/dev/null),$(CURDIR))
$(shell rm -f .venv/installed .venv/installed-dev)
endif

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-6s %s\n", $$1, $$2}' Makefile

.PHONY: run
run: .venv/installed ## Set up what is missing, then chat in the terminal
	@$(BIN)/kairos chat

.PHONY: test
test: .venv/installed-dev ## Set up what is missing, then run every test, fast ones first (ARGS="-k words" for some)
	@$(BIN)/python -m pytest $(ARGS)

.PHONY: check
check: .venv/installed-dev ## Format, lint, types and import contracts
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

.PHONY: bench
bench: .venv/installed-dev ## Measure beside a bare bot, in some four minutes (ARGS="--only latency,idle" for some)
	@$(BIN)/python -m compileall -q bot classifiers memory
	@$(BIN)/python -m tests.bench $(ARGS)

.PHONY: soak
soak: .venv/installed-dev ## Twenty people, faults and kills for some ten minutes; counts what was lost (ARGS="--people 5" for less)
	@$(BIN)/python -m tests.soak $(ARGS)

.PHONY: fix
fix: .venv/installed-dev ## Put right what a machine can: format, order of imports
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: train
train: .venv/installed-dev ## Learn the embedded default anew from the banks of examples, an hour; prints how it does on held-out ones
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[train]'
	@$(BIN)/python -m memory.offline.reader_training
	@$(BIN)/python -m memory.offline.aiming_training
	@$(BIN)/python -m memory.offline.gate_training
	@$(BIN)/python -m classifiers.training

.PHONY: pin
pin: .venv/installed-dev ## Write the versions in .venv to constraints.txt
	@$(BIN)/python -m pip freeze --all --exclude-editable | grep -v '^pip==' > constraints.txt

.PHONY: clean
clean: ## Remove the environment and caches; your Kairos home is left alone
	@rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# Set-up runs again only when what it depends on has changed. setuptools is installed first, from the same pins,
# so that the build needs no environment of its own. Bytecode is written as pip does for libraries: a start need not
# compile, even where Python is told to write none.
define install
@sh .ci/venv
@echo "Setting up Kairos in .venv (once; it takes a minute or two) ..."
@for what in setuptools "--no-build-isolation -e .$(1)"; do \
	PIP_USER=0 $(BIN)/python -m pip install --quiet --no-input --disable-pip-version-check \
		--root-user-action=ignore -c constraints.txt $$what || \
	{ echo "Setting up did not finish: pip's own words are above. Run the same command again to go on." >&2; exit 1; }; \
done
@$(BIN)/python -m compileall -q bot classifiers memory
@pwd -P > .venv/where
endef

.venv/installed: pyproject.toml constraints.txt
	$(call install,)
	@touch $@

.venv/installed-dev: pyproject.toml constraints.txt
	$(call install,[dev])
	@touch .venv/installed $@
