#!/bin/sh
# Which lines the tests reach: builds the preset `coverage`, runs the tests, and writes
# build/coverage/report/index.html and build/coverage/summary.json. Usage: coverage.sh [CTEST-FLAGS]
#
# Left out are tests of scripts (reports, benchmarks) and of the study's experiments: they take half
# of the time and reach no line of src/ and cli/ that the others do not, but for cli/experiment.cpp,
# which one of them is kept for.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
build=build/coverage

cmake --preset coverage >/dev/null
cmake --build --preset coverage --parallel "$jobs"
find "$build" -name '*.gcda' -delete
status=0
TAMIS_TEST_PATIENCE=5 ctest --preset coverage --parallel "$jobs" "$@" || status=$?

mkdir -p "$build/report"
# Of what several instances of a template share, the one that was reached counts. Branches of
# exceptions that nobody throws are no lines of ours.
gcovr --root . --object-directory "$build" --filter 'src/' --filter 'cli/' --filter 'include/' \
  --exclude-throw-branches --exclude-unreachable-branches -j "$jobs" \
  --json-summary "$build/gcovr.json" --html-details "$build/report/index.html" "$build" >/dev/null
/usr/bin/python3 scripts/coverage_summary.py "$build/gcovr.json" "$build/summary.json"
exit $status
