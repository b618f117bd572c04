#!/usr/bin/env python3
"""Runs clang-tidy over every source of the project, or those whose path begins with one given.

    lint.py [--build build/lint] [--jobs 2] [PATH ...] [-- OPTIONS OF CLANG-TIDY ...]

Tells each finding once, though a header is seen from many sources, and goes on; exits with 1 if
there was any. A source that was clean is not looked at again until it, a header of the project that
it includes, or .clang-tidy changes (build/lint/clean.json; remove it to look at all). How many of
all sources are clean is written to build/lint/summary.json.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FINDING = re.compile(r"^(?:\S+:\d+:\d+: )?(?:error|warning): .*\[([\w.,*-]+)\]$")
INCLUDE = re.compile(rb'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, check=True,
                            capture_output=True, text=True)  # fmt: skip
    return [file for file in listed.stdout.splitlines() if (ROOT / file).exists()]


class Clean:
    """The sources that were clean, with the digest of everything of ours that they are made of."""

    def __init__(self, record, options):
        self.record = record
        self.known = json.loads(record.read_text()) if record.exists() else {}
        version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True)
        rules = (ROOT / ".clang-tidy").read_bytes()
        self.circumstances = version.stdout + rules + " ".join(options).encode()
        self.headers = {}  # by file name: an include may give more or less of the path
        for header in tracked("*.hpp"):
            self.headers.setdefault(Path(header).name, []).append(header)

    @lru_cache(maxsize=None)
    def includes(self, file):
        return [header for name in INCLUDE.findall((ROOT / file).read_bytes())
                for header in self.headers.get(Path(name.decode()).name, [])]  # fmt: skip

    def digest(self, source):
        reached, waiting = {source}, [source]
        while waiting:
            new = set(self.includes(waiting.pop())) - reached
            reached |= new
            waiting += new
        digest = hashlib.sha256(self.circumstances)
        for file in sorted(reached):
            digest.update(file.encode() + b"\0" + (ROOT / file).read_bytes())
        return digest.hexdigest()

    def add(self, source, digest):
        self.known[source] = digest
        self.record.write_text(json.dumps(self.known, indent=0, sort_keys=True))

    def sum_up(self, sources):
        clean = sum(self.known.get(source) == self.digest(source) for source in sources)
        summary = {"clean": clean, "sources": len(sources)}
        self.record.with_name("summary.json").write_text(json.dumps(summary) + "\n")


def look_at(source, build, options):
    # A source that is not built here (no MPI, a fuzzer's) borrows the command of its neighbour.
    return subprocess.run(
        ["clang-tidy", "--quiet", "-p", build, "--extra-arg=-Wno-unknown-warning-option",
         *options, source], cwd=ROOT, capture_output=True, text=True)  # fmt: skip


def findings_of(output):
    """Pairs of a check's name and the lines about one finding, its notes among them."""
    found = []
    for line in output.splitlines():
        if match := FINDING.match(line):
            found.append((match[1].split(",")[0], [line.replace(f"{ROOT}/", "")]))
        elif found:
            found[-1][1].append(line.replace(f"{ROOT}/", ""))
    return [(check, "\n".join(lines)) for check, lines in found]


class Report:
    def __init__(self, count):
        self.count, self.done = count, 0
        self.told, self.checks, self.failed = set(), Counter(), []

    def tell(self, source, run):
        self.done += 1
        found = findings_of(run.stdout)
        new = [(check, text) for check, text in found if text.split("\n")[0] not in self.told]
        print(f"[{self.done}/{self.count}] {source}" + (f": {len(new)} findings" if new else ""))
        for check, text in new:
            self.told.add(text.split("\n")[0])
            self.checks[check] += 1
            print(text)
        if run.returncode != 0 and not found:
            self.failed.append(source)
            print(f"clang-tidy ended with {run.returncode}:\n{run.stderr.strip()}")
        sys.stdout.flush()
        return run.returncode == 0 and not found

    def sum_up(self):
        for check, count in self.checks.most_common():
            print(f"{count:5}  {check}")
        failed = f"; could not be looked at: {', '.join(self.failed)}" if self.failed else ""
        print(f"{self.done} sources looked at, {self.checks.total()} findings{failed}")
        return 1 if self.checks or self.failed else 0


def main(arguments):
    own, options = arguments, []
    if "--" in arguments:
        own, options = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/lint")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what a source's path begins with")
    args = parser.parse_args(own)

    # What is built against the installed package cannot be looked at before it is.
    everything = tracked("*.cpp", ":!tests/install")
    sources = [file for file in everything if file.startswith(tuple(args.paths or [""]))]
    if not sources:
        parser.error(f"no source's path begins with {' or '.join(args.paths)}")
    clean = Clean(ROOT / args.build / "clean.json", options)
    digests = {source: clean.digest(source) for source in sources}
    waiting = [source for source in sources if clean.known.get(source) != digests[source]]
    if len(waiting) < len(sources):
        print(f"{len(sources) - len(waiting)} of {len(sources)} were clean and are as they were")

    report = Report(len(waiting))
    pool = ThreadPoolExecutor(args.jobs)
    try:
        runs = {pool.submit(look_at, source, args.build, options): source for source in waiting}
        for run in as_completed(runs):
            if report.tell(runs[run], run.result()):
                clean.add(runs[run], digests[runs[run]])
    finally:
        pool.shutdown(cancel_futures=True)  # interrupted: not all the others first
        if not options:  # with all checks, as they are chosen for the project
            clean.sum_up(everything)
    return report.sum_up()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
