#!/bin/sh
# Builds the fuzzers, makes their seeds and lets each run for a while. What they find is kept in
# build/fuzz/findings, what they learned in build/fuzz/corpus; build/fuzz/report.txt sums up. The exit
# code is 1 if anything was found.
# Usage: fuzz.sh SECONDS [HARNESS ...]
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-60}
[ $# -gt 0 ] && shift
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
out=$PWD/build/fuzz

cmake --preset fuzz >/dev/null && cmake --build --preset fuzz --parallel "$jobs" || exit 2
/usr/bin/python3 -B tests/fuzz/seeds.py "$out/seeds" || exit 2
mkdir -p "$out/findings" "$out/logs"
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls ./*.cpp | sed 's|^\./||; s|\.cpp$||')

# In memory if possible, and nobody else's
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/tamis-fuzz-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$scratch"

# Their libraries keep what they have for later, and leak when a file is damaged.
watch_leaks() { case $1 in hdf5* | image* | model* | video | sink_state) echo 0 ;; *) echo 1 ;; esac; }
value_of() { sed -n "s/^stat::$1: *//p" "$2" | tail -n 1; }

found=0
for name in "$@"; do
  corpus=$out/corpus/$name log=$out/logs/$name.log dictionary=
  mkdir -p "$corpus" "$out/seeds/$name"
  [ -f "$out/seeds/$name.dict" ] && dictionary=-dict=$out/seeds/$name.dict
  leaks=$(watch_leaks "$name")
  ASAN_OPTIONS=detect_leaks=$leaks nice -n 19 "$out/fuzz_$name" -max_total_time="$seconds" \
    -timeout=60 -rss_limit_mb=2048 -malloc_limit_mb=512 -detect_leaks="$leaks" -print_final_stats=1 \
    -artifact_prefix="$out/findings/$name-" $dictionary "$corpus" "$out/seeds/$name" >"$log" 2>&1
  status=$?
  result=clean
  if [ $status -ne 0 ]; then
    found=1
    result="FOUND: $(grep -a -m 1 -E 'ERROR: |SUMMARY|^broken|^not one|runtime error' "$log")"
  fi
  printf '%-14s %5s s %10s runs %7s runs/s  %s\n' "$name" "$seconds" \
    "$(value_of number_of_executed_units "$log")" "$(value_of average_exec_per_sec "$log")" \
    "$result" | tee -a "$out/report.txt"
done
exit $found
