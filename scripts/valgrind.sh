#!/bin/sh
# Looks at the memory of the release build with valgrind: what is used without having been set, what
# is lost. AddressSanitizer cannot see the former, and not into libraries. Small work only: all is
# 50 times slower. Usage: valgrind.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/.."
build=$(cd "${1:-build/release}" && pwd)
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# valgrind knows no AVX-512, and OpenBLAS and Highway choose by what it lets the processor say.
look() {
  name=$1
  shift
  if valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --suppressions="$here/scripts/valgrind.supp" \
    "$@" >"$work/out.txt" 2>"$work/err.txt"; then
    echo "clean   $name"
  else
    echo "FAILED  $name"
    cat "$work/err.txt"
    failed=1
  fi
}

# In one process: under valgrind, starting it takes longer than most tests.
look "test_unit" "$build/test_unit" --gtest_brief=1 \
  --gtest_filter='NpyFiles.*:TextTable.*:Hdf5Array.*:Encode.*:Surrogate.*:Missing.*'
look "test_reference" "$build/test_reference" --gtest_brief=1

tamis=$build/tamis
cd "$work"
look "tamis generate" "$tamis" generate synthetic --samples 60 --features 30 --out v.npy --quiet
look "tamis fit" "$tamis" fit v.npy --rank 3 --out m.h5 --codes H.npy --outliers R.csv --quiet
look "tamis encode" "$tamis" encode m.h5 v.npy --codes G.mtx --quiet
look "tamis denoise" "$tamis" denoise m.h5 v.npy --out clean.h5 --quiet
look "tamis inspect" "$tamis" inspect m.h5 --basis basis.png --quiet
look "tamis info" "$tamis" info m.h5
exit $failed
