#!/bin/sh
# Builds the fuzzers, makes their seeds and lets each run for a while. What they find is kept in
# build/fuzz/findings, what they learned in build/fuzz/corpus; build/fuzz/report.txt gets a line for each
# run, with the seconds it took: one that found something ends early. The exit code is 1 if anything was
# found.
# Usage: fuzz.sh SECONDS [HARNESS ...]
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-60}
[ $# -gt 0 ] && shift
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
out=$PWD/build/fuzz

[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls ./*.cpp | sed 's|^\./||; s|\.cpp$||')
cmake --preset fuzz >/dev/null && cmake --build --preset fuzz --parallel "$jobs" \
  --target $(printf 'fuzz_%s ' "$@") || exit 2
/usr/bin/python3 -B tests/fuzz/seeds.py "$out/seeds" || exit 2
mkdir -p "$out/findings" "$out/logs"

# In memory if possible, and nobody else's
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/tamis-fuzz-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$scratch"

# Their libraries keep what they have for later, and leak when a file is damaged: leaks are not looked
# for, and what adds up in millions of runs is not an error.
leaky() { case $1 in hdf5* | image* | model* | video | sink_state) true ;; *) false ;; esac; }
# What asks for more than this is refused it. Libraries in C may ask for what a damaged file claims
# and have to cope; what is ours may not: `new` ends with a report.
memory=allocator_may_return_null=1:max_allocation_size_mb=512:quarantine_size_mb=64
value_of() { sed -n "s/^stat::$1: *//p" "$2" | tail -n 1; }

# Did a library that is not ours read where nothing is: the first function that is nobody's tool? Such
# faults are counted and kept, but only its makers can mend them. Writing may be into what we gave it.
fault_of_library() {
  grep -a -q -E '^WRITE of|caused by a WRITE' "$1" && return 1
  grep -a -m 1 -A 20 '^    #0 ' "$1" | grep -a '^    #' |
    grep -a -v -E ' in (__interceptor_|__asan|__sanitizer|mem[a-z]+ |str[a-z]+ |[cm]alloc |realloc |free |operator new)|/libc\.so|sysdeps/' |
    head -n 1 | grep -a -q -E '/lib(hdf5|opencv|av|sw|tiff|png|jpeg)[^/]*\.so'
}

found=0
for name in "$@"; do
  corpus=$out/corpus/$name log=$out/logs/$name.log dictionary=
  mkdir -p "$corpus" "$out/seeds/$name"
  [ -f "$out/seeds/$name.dict" ] && dictionary=-dict=$out/seeds/$name.dict
  leaks=1 most=2048
  leaky "$name" && leaks=0 most=6144
  left=$seconds runs=0 faults=0 result= begin=$(date +%s)
  while [ -z "$result" ]; do
    ASAN_OPTIONS=$memory:detect_leaks=$leaks nice -n 19 "$out/fuzz_$name" -max_total_time="$left" \
      -timeout=60 -rss_limit_mb="$most" -detect_leaks="$leaks" -print_final_stats=1 \
      -artifact_prefix="$out/findings/$name-" $dictionary "$corpus" "$out/seeds/$name" >"$log" 2>&1
    status=$?
    executed=$(value_of number_of_executed_units "$log")
    runs=$((runs + ${executed:-0}))
    took=$(($(date +%s) - begin)) left=$((seconds - took))
    if [ $status -eq 0 ]; then
      result=clean
    elif ! fault_of_library "$log"; then
      found=1
      result="FOUND: $(grep -a -m 1 -E 'ERROR: |SUMMARY|^broken|^not one|runtime error' "$log")"
    else
      faults=$((faults + 1))
      cp "$log" "$out/logs/$name-library-$faults.log"
      [ "$left" -gt 0 ] || result=clean
    fi
  done
  [ $faults -gt 0 ] && result="$result ($faults in libraries)"
  printf '%-14s %5s s %10s runs  %s\n' "$name" "$took" "$runs" "$result" | tee -a "$out/report.txt"
done
exit $found
