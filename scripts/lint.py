#!/usr/bin/env python3
"""Runs clang-tidy over every source of the project, or those whose path begins with one given.

    lint.py [--build build/lint] [--jobs 2] [PATH ...] [-- OPTIONS OF CLANG-TIDY ...]

Tells each finding once, though a header is seen from many sources, and goes on; exits with 1 if
there was any. A source that was clean is not looked at again until it, a header of the project that
it includes, or .clang-tidy changes (build/lint/clean.json; remove it to look at all). How many of
all sources are clean is written to build/lint/summary.json.

Much of the time goes to the headers of libraries, so sources that can be compiled together are looked
at together, as a source that includes them; where that finds anything, each by itself. Checks that
heed the main file only (misc-unused-alias-decls) see what is looked at alone.
"""

import argparse
import hashlib
import json
import os
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
        names = INCLUDE.findall((ROOT / file).read_bytes())
        return [header for name in names for header in self.meant(file, name.decode())]

    def meant(self, file, name):
        """The headers that an include can be: the one beside the file, or those whose path ends so."""
        beside = os.path.normpath(Path(file).parent / name)
        named = self.headers.get(Path(name).name, [])
        if beside in named:
            return [beside]
        return [header for header in named if f"/{header}".endswith(f"/{name}")] or named

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


def clang_tidy(source, build, options):
    # A source that is not built here (no MPI, a fuzzer's) borrows the command of its neighbour.
    return subprocess.run(
        ["clang-tidy", "--quiet", "-p", build, "--extra-arg=-Wno-unknown-warning-option",
         *options, source], cwd=ROOT, capture_output=True, text=True)  # fmt: skip


class Packs:
    """Sources that are compiled alike and define no name twice, to be looked at together."""

    MOST = 10

    def __init__(self, build):
        self.folder = ROOT / build / "packs"
        self.commands = {}  # by source, without its own name and its output's
        for entry in json.loads((ROOT / build / "compile_commands.json").read_text()):
            command = re.sub(r" -o \S+", "", entry["command"]).replace(entry["file"], "{source}")
            self.commands[os.path.relpath(entry["file"], ROOT)] = command, entry["directory"]
        self.filter = re.search(r"HeaderFilterRegex: '(.*)'", (ROOT / ".clang-tidy").read_text())[1]

    def names(self, source):
        """What is defined at the left margin, or None if macros are: that source stays alone."""
        text = (ROOT / source).read_text(encoding="utf-8")
        if re.search(r"^\s*#\s*(define|undef)", text, re.MULTILINE) or source not in self.commands:
            return None
        lines = re.findall(r"^(?!namespace |using |template )[a-z].*|^[A-Z]\w*[<: ].*", text, re.MULTILINE)
        defined = (re.search(r"(::)?\b(\w+)(?: ?[({=;]| :| final)", line) for line in lines)
        return {match[2] for match in defined if match and not match[1]}  # members have names of their own

    def of(self, sources, most):
        packs = []
        for source in sources:
            command, names = self.commands.get(source), self.names(source)
            for pack in packs:
                if names is not None and pack["command"] == command and len(pack["sources"]) < most \
                        and not pack["names"] & names:  # fmt: skip
                    pack["sources"].append(source)
                    pack["names"] |= names
                    break
            else:
                packs.append({"command": command if names is not None else None, "names": names,
                              "sources": [source]})  # fmt: skip
        return [pack["sources"] for pack in packs]

    def suspects(self, sources, options):
        """Runs clang-tidy over all of them at once: which have to be looked at by themselves?"""
        folder = self.folder / hashlib.sha256("".join(sources).encode()).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        together = folder / "together.cpp"
        together.write_text("".join(f'#include "{ROOT / source}"  // NOLINT\n' for source in sources))
        command, directory = self.commands[sources[0]]
        entry = {"file": str(together), "directory": directory,
                 "command": command.replace("{source}", str(together))}  # fmt: skip
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        header_filter = "--header-filter=" + self.filter.replace(r"\.hpp", r"\.[ch]pp")
        run = clang_tidy(str(together), str(folder), [*options, header_filter])
        found = {text.split(":")[0] for _, text in findings_of(run.stdout)}
        # A finding in a header may be anyone's, and without a place it is not known whose.
        if "clang-diagnostic-error" in run.stdout or (run.returncode != 0 and not found):
            return sources
        return found if found <= set(sources) else sources


def look_at(sources, packs, build, options):
    """Pairs of a source and how clang-tidy ended, or None if it was clean together with others."""
    suspects = packs.suspects(sources, options) if len(sources) > 1 else sources
    return [(source, clang_tidy(source, build, options) if source in suspects else None)
            for source in sources]  # fmt: skip


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
        found = findings_of(run.stdout) if run else []
        new = [(check, text) for check, text in found if text.split("\n")[0] not in self.told]
        print(f"[{self.done}/{self.count}] {source}" + (f": {len(new)} findings" if new else ""))
        for check, text in new:
            self.told.add(text.split("\n")[0])
            self.checks[check] += 1
            print(text)
        failed = run is not None and run.returncode != 0
        if failed and not found:
            self.failed.append(source)
            print(f"clang-tidy ended with {run.returncode}:\n{run.stderr.strip()}")
        sys.stdout.flush()
        return not failed and not found

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
        packs = Packs(args.build)
        most = min(packs.MOST, -(-len(waiting) // args.jobs))
        runs = [pool.submit(look_at, sources, packs, args.build, options)
                for sources in packs.of(waiting, most)]  # fmt: skip
        for run in as_completed(runs):
            for source, ended in run.result():
                if report.tell(source, ended):
                    clean.add(source, digests[source])
    finally:
        pool.shutdown(cancel_futures=True)  # interrupted: not all the others first
        if not options:  # with all checks, as they are chosen for the project
            clean.sum_up(everything)
    return report.sum_up()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
