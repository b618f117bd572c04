#!/bin/sh
# Builds and tests the given presets one after the other, all of them whatever happens to one; the
# last line sums up. Usage: test.sh PRESET ...
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
passed=0 failed=0 skipped=0 broken=

# count NAME REPORT: an attribute of a JUnit report, the form of ctest's counts meant for programs
count() {
  n=$(sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$2" 2>/dev/null | head -n 1)
  echo "${n:-0}"
}

# failures PRESET REPORT: the tests that failed, each with the last lines that it printed
failures() {
  [ -f "$2" ] || return 0
  awk -v preset="$1" '
    /<testcase / { failed = /status="fail"/; lines = 0; name = $2; gsub(/name=|"/, "", name) }
    failed { kept[lines++ % 25] = $0 }
    failed && /<\/testcase>/ {
      for (i = lines > 25 ? lines - 25 : 0; i < lines; ++i) print "    " kept[i % 25]
      print "failed: " preset " " name
    }' "$2"
}

# ThreadSanitizer of GCC < 14 cannot start where the kernel randomises addresses by more bits.
run=
if [ "$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 0)" -gt 28 ] &&
  setarch -R true 2>/dev/null; then
  run="setarch -R"
fi

for preset in "$@"; do
  echo "== $preset"
  report="$PWD/build/$preset/tests.xml"
  rm -f "$report"
  if cmake --preset "$preset" >/dev/null && cmake --build --preset "$preset" --parallel "$jobs"; then
    $run ctest --preset "$preset" --parallel "$jobs" --output-junit "$report"
    status=$?
  else
    status=1
  fi
  f=$(count failures "$report") s=$(count skipped "$report")
  passed=$((passed + $(count tests "$report") - f - s))
  failed=$((failed + f)) skipped=$((skipped + s))
  # A build that fails, or a test program that cannot even list its tests, has no failures to count.
  if [ $status -ne 0 ] && [ "$f" -eq 0 ]; then broken="$broken $preset"; fi
done

for preset in "$@"; do failures "$preset" "$PWD/build/$preset/tests.xml"; done
echo "$passed passed, $failed failed, $skipped skipped${broken:+; could not be tested:$broken}"
[ "$failed" -eq 0 ] && [ -z "$broken" ]
