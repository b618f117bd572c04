#!/usr/bin/env python3
"""Puts the figures of docs/reliability.json into docs/reliability.md.

    reliability.py                  writes the table of the document
    reliability.py --collect [DIR]  before that, takes over what tools have written under DIR
    reliability.py --check          only says whether the document has the figures of the JSON

Taken over (DIR is build, if not given) are coverage/summary.json, mutation/report.json, fuzz/report.txt, lint/summary.json,
soak.json (soak.py --json), and what tests left in release/reliability/*.json, a list of {"key": …, "what": …, "value": …,
"command": …}. A figure that was not measured again stays as it is.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "reliability.json"
DOCUMENT = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- figures:begin -->", "<!-- figures:end -->"


def read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def coverage(report):
    lines = report["src and cli"]
    return [{
        "key": "coverage",
        "what": "lines of `src/` and `cli/` that the tests reach",
        "value": f"{lines['percent']} % ({lines['reached']:,} of {lines['lines']:,})",
        "command": "make coverage",
    }]  # fmt: skip


def mutation(report):
    judged = report["killed"] + report["survived"]
    return [{
        "key": "mutation",
        "what": "wrong signs, bounds and comparisons in solvers, constraints and regularizers that"
                f" the tests notice; a sample of the {report['candidates']:,} that are possible",
        "value": f"{report['noticed_percent']} % ({report['killed']:,} of {judged:,})",
        "command": f"make mutate COUNT={report['tried']}",
    }]  # fmt: skip


def lint(report):
    return [{
        "key": "lint",
        "what": "sources in which clang-tidy finds nothing, with the headers that they include",
        "value": f"{report['clean']:,} of {report['sources']:,}",
        "command": "make lint",
    }]  # fmt: skip


def soak(report):
    return [{
        "key": f"soak-{run['name']}",
        "what": f"a stream into `{run['name']}`, as fast as it is taken, with a slow reader: all of it came through",
        "value": f"{run['samples']:,} samples, {run['gigabytes']:.3g} GB in {run['seconds']:.0f} s; peak"
                 f" {run['peak_after_a_twentieth_mb']:.1f} MB after a twentieth, {run['peak_mb']:.1f} MB at the end",
        "command": f"scripts/soak.py {run['seconds'] // 10 * 10:.0f}",  # takes a little longer
    } for run in report]  # fmt: skip


FUZZED = re.compile(r"(?P<name>\w+) +(?P<seconds>\d+) s +(?P<runs>\d+) runs +(?P<result>.*?)"
                    r"(?: \((?P<faults>\d+) in libraries\))?")  # fmt: skip


def harnesses():
    return {file.stem for file in (ROOT / "tests" / "fuzz").glob("*.cpp")}


def fuzz(report):
    """A line of the report is one run of a harness, of which the latest counts."""
    existing = harnesses()
    latest = {run["name"]: run for run in map(FUZZED.fullmatch, report.splitlines())
              if run and run["name"] in existing}  # fmt: skip
    if not latest:
        return []
    runs = {name: int(run["runs"]) for name, run in latest.items()}
    seconds = {name: int(run["seconds"]) for name, run in latest.items()}
    least, most = min(seconds.values()), max(seconds.values())
    found = [name for name, run in latest.items() if run["result"] != "clean"]
    faults = [f"{name} {run['faults']}" for name, run in latest.items() if run["faults"]]
    missing = sorted(existing - set(latest))
    return [{
        "key": "fuzz",
        "what": f"made-up inputs that {len(latest)} of the {len(existing)} harnesses got, each for "
                + (f"{least} s" if least == most else f"{least} to {most} s")
                + (f" (not run: {', '.join(missing)})" if missing else ""),
        "value": f"{sum(runs.values()):,}, from {min(runs.values()):,} to {max(runs.values()):,} for one; "
                 + (f"not mended: {', '.join(found)}" if found else "nothing is left that was found")
                 + (f"; times that a library behind read where nothing is: {', '.join(faults)}"
                    if faults else ""),
        "command": f"make fuzz SECONDS={least // 10 * 10 or least}",  # takes a little longer
        "harnesses": {name: {"seconds": seconds[name], "runs": runs[name]} for name in sorted(runs)},
    }]  # fmt: skip


def collect(build, figures):
    """The figures, with those that were measured now in the place of older ones."""
    found = []
    for path, rows in (("coverage/summary.json", coverage), ("mutation/report.json", mutation),
                       ("lint/summary.json", lint), ("soak.json", soak)):
        report = read(build / path)
        found += rows(report) if report else []
    fuzzed = build / "fuzz/report.txt"
    if fuzzed.exists():
        found += fuzz(fuzzed.read_text(encoding="utf-8"))
    for path in sorted(build.glob("release/reliability/*.json")):
        found += read(path)
    merged = {row["key"]: row for row in figures} | {row["key"]: row for row in found}
    return [merged[key] for key in sorted(merged)]


def table(figures):
    if not figures:
        return "Not measured yet."
    rows = ["| figure | value | command |", "|---|---|---|"]
    rows += [f"| {row['what']} | {row['value']} | `{row['command']}` |" for row in figures]
    return "\n".join(rows)


def filled(text, figures):
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table(figures)}\n{END}{rest.split(END)[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--collect", type=Path, nargs="?", const=ROOT / "build", metavar="DIR")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    figures = read(FIGURES) or []
    if given.collect:
        figures = collect(given.collect, figures)
        text = json.dumps(figures, indent=1, ensure_ascii=False)
        FIGURES.write_text(text + "\n", encoding="utf-8")
    text = DOCUMENT.read_text(encoding="utf-8")
    if given.check and filled(text, figures) != text:
        sys.exit("docs/reliability.md: run scripts/reliability.py, the figures are others")
    if not given.check:
        DOCUMENT.write_text(filled(text, figures), encoding="utf-8")


if __name__ == "__main__":
    main()
