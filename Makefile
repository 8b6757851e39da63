# Everything here runs from nothing: the first call makes .venv and fills it with the locked versions, later calls are
# quick. Needs Python 3.11 or newer with its venv module; another Python is chosen with  make report PYTHON=/path/to/it
#
#   make report    build reports/ from the standard experiments
#   make test      the default tests              (make test ARGS="-k cards" passes arguments on)
#   make verify    the tests marked long, and the statistical and exhaustive checks in tests/verification
#   make verify-full   the same with the twins at full size: about half an hour
#   make lint      ruff and mypy
#   make bench     speed of the kernels on this machine
#   make setup     only the set-up
#   make lock      write requirements.lock again from pyproject.toml (needs uv)
#   make clean     remove .venv and what the tools left behind; reports stay

BIN := .venv/bin
LOCKED := .venv/.locked
INSTALLED := .venv/.installed
ARGS ?=

.DELETE_ON_ERROR:
.PHONY: report test verify verify-full lint bench setup lock clean FORCE

report: setup
	$(BIN)/noddysim report $(ARGS)

test: setup
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

verify: setup
	$(BIN)/python -m pytest -n 2 --dist loadfile -m long $(ARGS)
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/verification $(ARGS)

verify-full: setup
	$(BIN)/python -m pytest -n 2 --dist loadfile -m long $(ARGS)
	NODDYSIM_VERIFY=full $(BIN)/python -m pytest -n 2 --dist loadfile tests/verification $(ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/noddysim bench $(ARGS)

setup: $(INSTALLED)

# An environment holds its own path and that of its Python. After the folder was moved, or that Python is gone, it is
# made anew; the stamp remembers the folder.
ifneq ($(shell $(BIN)/python -c 'print("works in")' 2>/dev/null && cat $(LOCKED) 2>/dev/null),works in $(CURDIR))
$(LOCKED): FORCE
endif

# A name on the path may be a mere stand-in for a Python that is not there, so each candidate is asked to run.
$(LOCKED): requirements.lock
	@if [ -n "$$PYTHON" ]; then set -- "$$PYTHON"; \
	else set -- python3 python3.14 python3.13 python3.12 python3.11 python; fi; \
	found=; lacking=; \
	for python in "$$@"; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  if "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then found=$$python; break; fi; \
	  lacking=$${lacking:-$$python}; \
	done; \
	if [ -z "$$found" ] && [ -n "$$lacking" ]; then \
	  echo "$$lacking has no venv module: install it (Debian and Ubuntu: apt-get install python3-venv) and try again" >&2; \
	  exit 1; \
	fi; \
	if [ -z "$$found" ]; then \
	  echo "noddysim needs Python 3.11 or newer; tried: $$*. Say which to use: make report PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi; \
	echo "Making .venv with $$("$$found" --version); the first time takes a minute or two"; \
	"$$found" -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --compile --only-binary :all: --require-hashes \
	  -r requirements.lock
	@printf '%s\n' "$(CURDIR)" > $@

$(INSTALLED): $(LOCKED) pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock:
	UV_PYTHON_DOWNLOADS=never uv lock --upgrade
	UV_PYTHON_DOWNLOADS=never uv export --quiet --no-header --no-emit-project --all-extras --no-extra oracle -o requirements.lock

clean:
	rm -rf .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache build dist uv.lock
	find noddysim tests -name __pycache__ -type d -prune -exec rm -rf {} +

FORCE:
