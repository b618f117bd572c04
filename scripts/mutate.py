#!/usr/bin/env python3
"""Do the tests notice a wrong sign, bound or comparison?

    mutate.py [--count 40] [--seed 0] [--files PATTERN] [--out build/mutation/report.json]

Changes one place at a time in the files of the solvers, constraints and regularizers (in a copy of
the sources), builds what follows from it and runs the tests of the mathematics until one fails. A
change that no test notices has survived: either a test is missing, or it makes no difference and
belongs in scripts/mutation/equivalent.json, with the reason. Needs the release build.
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

ROOT = Path(__file__).resolve().parents[1]
PATTERNS = ["src/encoder/*.?pp", "src/dictionary/*.?pp", "src/constraint/*.?pp",
            "include/tamis/constraint/*.hpp", "include/tamis/regularizer/*.hpp"]  # fmt: skip
# Tests that look at the mathematics, those that end soonest first
PROGRAMS = [
    ("test_reference", "*"),
    ("test_property", "*"),
    ("test_unit", "Encode*:Missing*:Lambda*:Weights*:Surrogate*:Onmf*:Orpca*:Guards*:Constraints*:"
     "Forget*:Init*:Precision*:Reseed*:Determinism*:SimplexKernel*:Overflow*:Verify*:KktBlock*:"
     "DictionaryObjective*:AllowNegative*:BadData*:Passes*:Trace*:Inverse*:Learning*:"
     "Allocation*:Solver*:*Edge*:*Numerics*"),
    ("test_problems", "*"),
]  # fmt: skip
# Headers that everything includes: the files that use what they define
USERS = {
    "include/tamis/constraint/": ["src/dictionary/problem.cpp", "src/prepare.cpp",
                                  "tests/property/projection_test.cpp"],
    "include/tamis/regularizer/code": ["src/problem.cpp", "tests/property/code_prox_test.cpp"],
    "include/tamis/regularizer/outlier": ["src/problem.cpp",
                                          "tests/property/outlier_prox_test.cpp"],
    "include/tamis/regularizer/groups": ["src/problem.cpp", "tests/property/code_prox_test.cpp",
                                         "tests/property/outlier_prox_test.cpp"],
    "include/tamis/regularizer/dictionary": ["src/dictionary/problem.cpp", "src/surrogate.cpp"],
}  # fmt: skip


class Check:
    def __init__(self, build, work):
        self.bench = Bench(ROOT, build, work)
        self.patience = {}  # seconds per program

    def files_to_compile(self, file):
        for beginning, users in USERS.items():
            if file.startswith(beginning):
                return users
        if file.endswith(".cpp"):
            return [file]
        # Tests include few of these headers; what matters is the library.
        return [user for user in self.bench.users.get(file, []) if user.startswith("src/")]

    def outcome(self, objects):
        for program, tests in PROGRAMS:
            begin = time.monotonic()
            noticed = self.bench.judge(self.bench.link(program, objects), tests,
                                       self.patience.get(program, 600))  # fmt: skip
            if noticed:
                return f"{program}: {noticed}"
            # So long, unchanged; ten times that is endless.
            self.patience.setdefault(program, 30 + 10 * (time.monotonic() - begin))
        return None

    def compile(self, file):
        objects = {}
        for name in self.files_to_compile(file):
            made = self.bench.compile(name)
            if made is None:
                return None
            objects[name] = made
        return objects

    def require_that_all_passes_unchanged(self, files):
        """Otherwise a change would be blamed for what was wrong before."""
        objects = {}
        for file in files:
            made = self.compile(file)
            if made is None:
                sys.exit(f"mutate: {file} cannot be compiled as it is")
            objects |= made
        if noticed := self.outcome(objects):
            sys.exit(f"mutate: nothing was changed yet, but {noticed}")

    def try_out(self, mutant):
        """(what became of it, what noticed it)"""
        place = self.bench.tree / mutant.file
        original = place.read_text(encoding="utf-8")
        place.write_text(mutant.apply(original), encoding="utf-8")
        try:
            objects = self.compile(mutant.file)
            if objects is None:
                return "invalid", "the compiler"
            noticed = self.outcome(objects)
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


def summary(results, total, seed):
    count = {status: sum(r["status"] == status for r in results)
             for status in ("killed", "survived", "invalid", "equivalent")}  # fmt: skip
    judged = count["killed"] + count["survived"]
    return {"candidates": total, "seed": seed, "tried": len(results), **count,
            "noticed_percent": round(100 * count["killed"] / judged, 1) if judged else None,
            "mutants": results}  # fmt: skip


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
    known = equivalents()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    check = Check(given.build.resolve(), given.out.parent.resolve())
    check.require_that_all_passes_unchanged(sorted({mutant.file for mutant in found}))
    results = []
    for mutant in sorted(found, key=lambda m: (m.file, m.begin)):
        reason = known.get((mutant.file, mutant.before, mutant.after))
        begin = time.monotonic()
        status, by = ("equivalent", reason) if reason else check.try_out(mutant)
        results.append({"file": mutant.file, "line": mutant.line, "before": mutant.before,
                        "after": mutant.after, "status": status, "by": by})  # fmt: skip
        seconds = time.monotonic() - begin
        print(f"{status} ({seconds:.0f} s) {mutant.describe()}\n  {by}", flush=True)
        given.out.write_text(json.dumps(summary(results, total, given.seed), indent=1) + "\n")
    report = summary(results, total, given.seed)
    print(f"{report['killed']} of {report['killed'] + report['survived']} changes were noticed "
          f"({report['noticed_percent']} %), {report['invalid']} could not be compiled, "
          f"{report['equivalent']} make no difference; {total} are possible")  # fmt: skip


if __name__ == "__main__":
    main()
