#!/bin/sh
# Installs a build into a temporary prefix, then builds and runs a small program against it, once
# with find_package and once with pkg-config. Usage: run.sh BUILD_DIR CMAKE CXX
set -eu
build=$1 cmake=$2 cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$cmake" --install "$build" --prefix "$tmp/prefix" >"$tmp/install.log"

echo "== program"
if [ -e "$build/tamis" ]; then
  "$tmp/prefix/bin/tamis" --version
  grep -q "tamis fit" "$tmp/prefix/share/man/man1/tamis.1"
  grep -q "complete .*tamis" "$tmp/prefix/share/bash-completion/completions/tamis"
  grep -q "#compdef tamis" "$tmp/prefix/share/zsh/site-functions/_tamis"
fi

echo "== find_package"
"$cmake" -S "$here" -B "$tmp/cmake" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_PREFIX_PATH="$tmp/prefix"
"$cmake" --build "$tmp/cmake"
"$tmp/cmake/consumer"

echo "== pkg-config"
pc=$(find "$tmp/prefix" -name tamis.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
for static in "" --static; do
  flags=$(pkg-config $static --cflags --libs tamis)
  # shellcheck disable=SC2086  # the flags are words
  "$cxx" -std=c++20 "$here/consumer.cpp" -o "$tmp/consumer" $flags
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir tamis) "$tmp/consumer"
done
