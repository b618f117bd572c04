#!/usr/bin/env python3
"""Do the tests notice a wrong sign, bound or comparison?

    mutate.py [--count 40] [--seed 0] [--files PATTERN] [--out build/mutation/report.json]

Changes one place at a time in the files of the solvers, constraints and regularizers (in a copy of
the sources), builds what follows from it and runs the tests of the mathematics until one fails. A
change that no test notices has survived: either a test is missing, or it makes no difference and
belongs in scripts/mutation/equivalent.json, with the reason. Needs the release build. Results are
kept as they come: the same command goes on where it was interrupted, and tries what survived again
when tests have changed.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from fnmatch import fnmatch
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from mutation.bench import Bench  # noqa: E402
from mutation.candidates import mutants_of  # noqa: E402
from mutation.record import Record, summary  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
PATTERNS = ["src/encoder/*.?pp", "src/dictionary/*.?pp", "src/constraint/*.?pp",
            "include/tamis/constraint/*.hpp", "include/tamis/regularizer/*.hpp"]  # fmt: skip
# What takes long, or is about something else: files, pictures, processes
SLOW = "*Kernels*:Verify*:Allocation*:Determinism*:*Ranks*:Resume*:HostileSettings*:ModelFile*"
ELSEWHERE = ("Separation*:BackgroundModel*:SeveralFiles*:MatrixMarket*:TextTable*:Hdf5*:Fork*:"
             "Relight*:CleanPhoto*:Concurrency*:NpyFiles*:Permutation*:DamagedFile*:StreetScene*:"
             "Image*:Video*:Generator*:Claims*:*Claims*:UnwritableFile*:Prefetch*:Regions*:Mask*:"
             "Ssim*:PatchGrid*:*ReaderSource*")  # fmt: skip
# The tests, those that end soonest first
STAGES = [
    ("test_reference", "*"),
    ("test_property", "-*EncodingGrid*"),
    ("test_unit", f"-{SLOW}:{ELSEWHERE}"),
    ("test_problems", "*"),
    ("test_property", "*EncodingGrid*"),
    ("test_unit", f"{SLOW}"),
]
# Headers that everything includes: the test of what they define, its suites, and the sources that
# use them
PROX = "test_property", "*Prox*:*Projection*"
HEADERS = {
    "include/tamis/constraint/": ("projection", ["src/dictionary/problem.cpp", "src/prepare.cpp"]),
    "include/tamis/regularizer/code": ("code_prox", ["src/problem.cpp", "src/algorithm/fast.cpp"]),
    "include/tamis/regularizer/outlier": ("outlier_prox", ["src/problem.cpp"]),
    "include/tamis/regularizer/groups": ("code_prox", ["src/problem.cpp"]),
    "include/tamis/regularizer/dictionary": (None, ["src/dictionary/problem.cpp",
                                                    "src/surrogate.cpp", "src/algorithm/fast.cpp"]),
}  # fmt: skip
SETTINGS = "src/settings/validate.cpp"  # their fields


class DoesNotCompile(Exception):
    pass


class Check:
    def __init__(self, build, work):
        self.bench = Bench(ROOT, build, work)
        self.patience = {}  # seconds per stage
        if noticed := self.outcome([[]]):
            sys.exit(f"mutate: nothing was changed yet, but {noticed}")

    def files_to_compile(self, file):
        """In one or two rounds: what is most likely to notice a change comes first."""
        for beginning, (test, sources) in HEADERS.items():
            if file.startswith(beginning):
                tests = [[f"tests/property/{test}_test.cpp"]] if test else []
                return [*tests, [*sources, SETTINGS]]
        if file.endswith(".cpp"):
            return [[file]]
        # Of the tests that include it only its own, if it has some, looks at what it defines.
        own = f"/{Path(file).stem}_test.cpp"
        return [[user for user in self.bench.users.get(file, [])
                 if user.startswith("src/") or user.endswith(own)]]  # fmt: skip

    def compiled(self, files):
        objects = {}
        for name in files:
            objects[name] = self.bench.compile(name)
            if objects[name] is None:
                raise DoesNotCompile(name)
        return objects

    def outcome(self, rounds):
        """None if all tests pass with these files compiled anew, otherwise what noticed it."""
        objects = {}
        for files in rounds:
            objects |= self.compiled(files)
            linked = {}
            for stage in STAGES if files is rounds[-1] else [PROX]:
                program, tests = stage
                if program not in linked:
                    linked[program] = self.bench.link(program, objects)
                begin = time.monotonic()
                noticed = self.bench.judge(linked[program], tests, self.patience.get(stage, 600))
                if noticed:
                    return f"{program}: {noticed}"
                # So long, unchanged; five times that is endless.
                self.patience.setdefault(stage, 20 + 5 * (time.monotonic() - begin))
        return None

    def require_that_all_passes_unchanged(self, files):
        """Otherwise a change would be blamed for what was wrong before."""
        needed = {name for file in files for names in self.files_to_compile(file) for name in names}
        try:
            noticed = self.outcome([sorted(needed)])
        except DoesNotCompile as problem:
            noticed = f"{problem} cannot be compiled"
        if noticed:
            sys.exit(f"mutate: without any change, compiled as the changes were: {noticed}")

    def try_out(self, mutant):
        """(what became of it, what noticed it)"""
        place = self.bench.tree / mutant.file
        original = place.read_text(encoding="utf-8")
        place.write_text(mutant.apply(original), encoding="utf-8")
        try:
            noticed = self.outcome(self.files_to_compile(mutant.file))
        except DoesNotCompile:
            return "invalid", "the compiler"
        except subprocess.CalledProcessError:
            return "invalid", "the linker"
        finally:
            place.write_text(original, encoding="utf-8")
        return ("killed", noticed) if noticed else ("survived", "")


def candidates(patterns):
    files = sorted(file for pattern in PATTERNS for file in ROOT.glob(pattern))
    names = [str(file.relative_to(ROOT)) for file in files]
    return [mutant for name in names if not patterns or any(fnmatch(name, p) for p in patterns)
            for mutant in mutants_of(name, (ROOT / name).read_text(encoding="utf-8"))]  # fmt: skip


def equivalents():
    known = json.loads((ROOT / "scripts/mutation/equivalent.json").read_text(encoding="utf-8"))
    return {(one["file"], one["before"], one["after"]): one["reason"] for one in known}


def try_all(found, total, given):
    """The report. What is known from before is not tried again."""
    no_difference = equivalents()
    record = Record(given.out, ROOT)
    results, open_ones = [], []
    for mutant in found:
        reason = no_difference.get((mutant.file, mutant.before, mutant.after))
        if reason:
            results.append(record.result(mutant, "equivalent", reason, 0))
        elif known := record.find(mutant):
            results.append(known)
        else:
            open_ones.append(mutant)
    if open_ones:
        check = Check(given.build.resolve(), given.out.parent.resolve())
    for mutant in open_ones:
        begin = time.monotonic()
        status, by = check.try_out(mutant)
        seconds = time.monotonic() - begin
        results.append(record.result(mutant, status, by, seconds))
        print(f"{status} ({seconds:.0f} s) {mutant.describe()}\n  {by}", flush=True)
        record.write(summary(results, total, given.seed))
    if open_ones:
        # A file with a survivor has passed everything already.
        changed = {status: {r["file"] for r in results if r["status"] == status}
                   for status in ("killed", "survived")}  # fmt: skip
        check.require_that_all_passes_unchanged(changed["killed"] - changed["survived"])
    report = summary(sorted(results, key=lambda r: (r["file"], r["begin"])), total, given.seed)
    record.write(report)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40, help="how many are tried (0: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the choice")
    parser.add_argument("--files", action="append", help="only files like this, e.g. src/encoder/*")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--out", type=Path, default=ROOT / "build/mutation/report.json")
    parser.add_argument("--list", action="store_true", help="show the candidates and end")
    given = parser.parse_args()

    found = candidates(given.files)
    total = len(found)
    random.Random(given.seed).shuffle(found)
    if given.count:
        found = found[: given.count]
    if given.list:
        for mutant in found:
            print(mutant.describe())
        return
    given.out.parent.mkdir(parents=True, exist_ok=True)
    report = try_all(found, total, given)
    print(f"{report['killed']} of {report['killed'] + report['survived']} changes were noticed "
          f"({report['noticed_percent']} %), {report['invalid']} could not be compiled, "
          f"{report['equivalent']} make no difference; {total} are possible")  # fmt: skip


if __name__ == "__main__":
    main()
