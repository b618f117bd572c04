# Short names for the common jobs; the work is done by CMake's presets (see CMakePresets.json).

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

build = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) --parallel $(JOBS)
cpp_files = git ls-files '*.cpp' '*.hpp'

.PHONY: all setup demo test dev fuzz bench lint format sbom coverage mutate valgrind install clean help

all: ## build build/release/tamis (the default)
	@scripts/setup.sh $$(sed 's/#.*//' scripts/packages.txt)
	@$(call build,release)

setup: ## install the missing packages, and what only tests use
	@scripts/setup.sh

demo: all ## build, then show everything on embedded data
	build/release/tamis demo --out demo

test: setup ## build and run all tests, then again under the sanitizers
	@scripts/test.sh release asan tsan

dev: setup ## build and test with asserts, warnings as errors
	@scripts/test.sh dev

fuzz: ## feed every parser with damaged input (SECONDS=60 each, ONLY=npy)
	@scripts/setup.sh $$(sed 's/#.*//' scripts/packages.txt scripts/fuzz-packages.txt)
	@scripts/fuzz.sh "$(or $(SECONDS),60)" $(ONLY)

bench: ## measure: beside other systems, targets, scaling (about half an hour)
	@# First of all: what is built depends on whether there is an MPI.
	@cd scripts && ./setup.sh $$(sed 's/#.*//' packages.txt bench-packages.txt mpi-packages.txt)
	@$(call build,release) --target tamis-cli
	@$(call build,native) --target tamis-cli
	@$(call build,bench) --target bench_kernels
	@/usr/bin/python3 bench/run.py --tamis build/release/tamis --native build/native/tamis \
	  --kernels build/bench/bench/kernels --out build/bench/results

lint: setup ## check the format and run clang-tidy (ONLY=src/video)
	@scripts/setup.sh clang-format clang-tidy
	@$(cpp_files) | xargs clang-format --dry-run -Werror
	@# Configured apart: clang can read neither GCC's precompiled headers nor all of its warnings.
	@cmake --preset dev -B build/lint -DTAMIS_BUILD_PYTHON=ON -DTAMIS_BUILD_BENCH=ON \
	  -DTAMIS_PCH=OFF -DTAMIS_WERROR=OFF >/dev/null
	@/usr/bin/python3 -B scripts/lint.py --jobs $(JOBS) $(ONLY)

format: ## rewrite the sources in the project's format
	@scripts/setup.sh clang-format
	@$(cpp_files) | xargs clang-format -i

sbom: all ## list what the program is made of, with versions: build/sbom.json
	@/usr/bin/python3 scripts/sbom.py --out build/sbom.json

coverage: setup ## which lines the tests reach: build/coverage/report, build/coverage/summary.json
	@scripts/setup.sh gcovr
	@scripts/coverage.sh

COUNT ?= 40
mutate: setup ## do tests notice wrong signs and bounds? COUNT=40 of them, 0 for all
	@$(call build,release)
	@nice -n 19 /usr/bin/python3 -B scripts/mutate.py --count $(COUNT)

valgrind: setup ## look at the memory of small runs with valgrind
	@scripts/setup.sh valgrind
	@$(call build,release)
	@scripts/valgrind.sh build/release

install: all ## install under PREFIX
	@cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything that was built
	rm -rf build demo

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
