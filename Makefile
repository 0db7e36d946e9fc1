# The course's commands. `make` alone lists them.

VENV ?= .venv
BIN := $(VENV)/bin

# The first Python that runs, is 3.11 to 3.13 and can make virtual environments; then
# one that is only new enough; then any, which will be told what is missing.
IN_RANGE := import sys; assert (3, 11) <= sys.version_info < (3, 14)
PYTHON ?= $(shell \
	for code in '$(IN_RANGE); import venv, ensurepip' '$(IN_RANGE)' ''; do \
	for name in python3.13 python3.12 python3.11 python3; do \
	"$$name" -c "$$code" >/dev/null 2>&1 && echo "$$name" && exit; done; done; \
	echo python3)

# TensorFlow for the processor, or for an NVIDIA GPU where one answers.
EXTRA ?= $(shell nvidia-smi -L 2>/dev/null | grep -q '^GPU' && echo gpu || echo cpu)
EXTRA := $(EXTRA)

READY := $(VENV)/ready-$(EXTRA)
INSTALL = @command -v "$(PYTHON)" >/dev/null || \
	{ echo "No Python was found: install Python 3.11, 3.12 or 3.13."; exit 1; }; \
	"$(PYTHON)" autograder/first_run.py --venv $(VENV) --extra $(EXTRA)

.PHONY: help lab workshop test prove prove-versions test-load bench bench-workshop lint site picture locks clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

lab: $(READY)  ## open the course in JupyterLab (the first time: install it)
	@$(BIN)/course lab

workshop: $(READY)-workshop  ## install what `course workshop` needs (Linux)
	@echo "Next: source $(BIN)/activate, then course workshop start --learners ../names.txt"
	@echo "The guide: docs/workshop.md"

# the tests start hundreds of processes, and each would compile the course again
unexport PYTHONDONTWRITEBYTECODE
# many long tests wait: two processes would often leave two cores idle
PYTEST = $(BIN)/python -m pytest -n $(if $(ALL),3,2) --dist loadgroup -ra --durations=20

test: $(READY)-dev $(VENV)-jax/ready  ## lint, and test each module and exercise once (8 to 11 minutes)
	@command -v chromium chromium-browser google-chrome >/dev/null || echo \
	"Chromium is missing: the browser tests need it (sudo apt install chromium)."
	@command -v bwrap >/dev/null || echo \
	"bwrap is missing: the tests of grading need it (sudo apt install bubblewrap)."
	@status=0; $(MAKE) --no-print-directory lint || status=1; \
	$(PYTEST) -m "not prove" || status=1; exit $$status

# `make prove ALL=1` runs all of them, every known answer, and some on a busy core.
prove: $(READY)-dev $(VENV)-jax/ready  ## run the other tests: what a change affects, and a sample
	@$(if $(ALL),rm -rf artifacts/executed; COURSE_PROVE_ALL=1) \
	$(PYTEST) -m "prove$(if $(ALL),, and not weekly)"

# `make prove-versions VERSIONS="colab --notebook 13"`; it needs Python 3.11 to 3.13.
prove-versions: $(READY)-dev  ## run all notebooks and right answers on older and newer versions
	@$(BIN)/python -m autograder.versions $(VERSIONS)

# `make test-load NOTEBOOKS="07 09" TIMES=20`: which notebooks, and how often.
# By default all after Part 1.
TIMES ?= 20
test-load: $(READY)-dev  ## judge known answers again and again on one busy core
	@$(BIN)/python -m autograder.under_load $(NOTEBOOKS) --times $(TIMES)

# `make bench BENCH=--growth` grades ever larger classes of a small course instead.
bench: $(READY)-dev  ## grade one class with stock nbgrader and with course grade
	@$(BIN)/python -m autograder.grading.bench $(BENCH)

# `make bench-workshop BENCH="--learners 60 --notebooks 02 13"`; not as root.
bench-workshop: $(READY)-workshop  ## learners driven by script: memory, waiting
	@$(BIN)/python -m workshop.bench $(BENCH)

lint: $(READY)-dev  ## check style, format and which module imports which
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports

# `make site SITE="--notebook 02"` builds some pages only.
site: $(READY)-dev  ## build the static site of the course: artifacts/site/html
	@$(BIN)/course site $(SITE)

picture: $(READY)  ## make the README's pictures again, from real runs
	@$(BIN)/python -m autograder.pictures

# `make locks UPGRADE=--upgrade` also takes newer versions.
COMPILE = $(BIN)/uv pip compile --quiet --universal --fork-strategy fewest \
	--python-version 3.11 --no-annotate --custom-compile-command "make locks" \
	$(UPGRADE)
COURSE = $(COMPILE) --extra lab --extra classroom pyproject.toml
locks: $(READY)-dev  ## write the requirements' exact versions from pyproject.toml
	@$(COURSE) --extra cpu -o requirements-cpu.txt
	@$(COURSE) --extra gpu -c requirements-cpu.txt -o requirements-gpu.txt
	@$(COURSE) --extra workshop -c requirements-cpu.txt -o requirements-workshop.txt
	@$(COURSE) --extra dev -c requirements-cpu.txt -c requirements-workshop.txt \
	-o requirements-dev.txt
	@echo jax | $(COMPILE) - -c requirements-dev.txt -o requirements-jax.txt

clean:  ## remove the environment and everything that is built again
	rm -rf $(VENV) $(VENV)-jax artifacts .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): requirements-$(EXTRA).txt pyproject.toml
	$(INSTALL)

$(READY)-workshop: requirements-$(EXTRA).txt requirements-workshop.txt pyproject.toml
	$(INSTALL) --more workshop

$(READY)-dev: requirements-$(EXTRA).txt requirements-workshop.txt requirements-dev.txt \
		requirements-tf-keras.txt pyproject.toml
	$(INSTALL) --more workshop dev

# JAX for docs/elsewhere.md: of its own, as TensorFlow imports JAX where it is there.
$(VENV)-jax/ready: requirements-jax.txt | $(READY)-dev
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-jax
	@$(BIN)/uv pip install --quiet --python $(VENV)-jax -r requirements-jax.txt
	@touch $@

# A checkout that was moved needs a new environment: its path stands inside it.
ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY) $(READY)-workshop $(READY)-dev
endif
