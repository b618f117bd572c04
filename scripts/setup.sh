#!/bin/sh
# Installs the Debian packages that are missing; silent when there are none.
# Usage: setup.sh [PACKAGE ...]      without arguments: those in packages.txt, and those that only
#                                    tests use, without which they also pass
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# shellcheck disable=SC2046  # words
if [ $# -eq 0 ]; then
  "$here/setup.sh" $(sed 's/#.*//' "$here/packages.txt")
  for list in python browser mpi trace; do
    "$here/setup.sh" $(sed 's/#.*//' "$here/$list-packages.txt") ||
      echo "setup: going on without what is in $list-packages.txt; tests that need it are skipped" >&2
  done
  exit 0
fi
wanted=$*

# shellcheck disable=SC2086  # words
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # Not a failure: they may be there under other names, and the configuration will tell.
  echo "setup: this is no Debian system; the build needs the equivalents of these packages:" >&2
  echo "  "$wanted >&2
  exit 0
fi

# shellcheck disable=SC2086  # words
installed=$(dpkg-query -W -f='${db:Status-Status} ${binary:Package}\n' $wanted 2>/dev/null |
  sed -n 's/^installed \([^:]*\).*/\1/p') || true
missing=
for package in $wanted; do
  printf '%s\n' "$installed" | grep -qxF -e "$package" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root="sudo"
elif command -v sudo >/dev/null && [ -t 0 ] && sudo -v; then
  as_root="sudo"
else
  echo "setup: these packages are missing and installing them needs root. Please run:" >&2
  echo "  sudo apt-get update && sudo $install" >&2
  exit 1
fi

echo "setup: installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086  # words
$as_root env DEBIAN_FRONTEND=noninteractive $install
