#!/usr/bin/python3
"""The benchmark: tamis beside other systems, beside its targets, and by itself.

Prints a table per section, and leaves results.json and pictures of it in a folder.
`bench/report.py` makes the documents of that. Needs the packages in scripts/bench-packages.txt;
systems that are not installed are left out.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from harness import machine, plots
from harness.bench import Bench
from harness.contenders import peer_environment
from harness.data import SETTINGS, Data
from harness.process import MEMORY_GB, Failed
from harness.program import Program
from sections import SECTIONS

ROOT = Path(__file__).resolve().parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tamis", type=Path, default=ROOT / "build/release/tamis", metavar="PATH")
    parser.add_argument("--native", type=Path, default=ROOT / "build/native/tamis", metavar="PATH",
                        help="the same, built for this machine only")
    parser.add_argument("--kernels", type=Path, default=ROOT / "build/bench/bench/kernels",
                        metavar="PATH", help="the Google Benchmark program")
    parser.add_argument("--out", type=Path, default=ROOT / "build/bench/results", metavar="DIR")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data", metavar="DIR",
                        help="where cbcl_faces.npy is; without it, data of the same size is made")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--only", type=section_names, metavar="SECTION,...",
                        help=f"of {', '.join(SECTIONS)}; others keep their results in --out")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    return parser.parse_args()


def section_names(text):
    names = text.split(",")
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no section {', '.join(unknown)}")
    return names


def bench_of(wanted, folder, results):
    def program(path):
        return Program(path.resolve(), wanted.threads, folder)

    tamis = program(wanted.tamis)
    return Bench(
        program=tamis,
        native=program(wanted.native) if wanted.native.exists() else None,
        kernels=wanted.kernels if wanted.kernels.exists() else None,
        data=Data(tamis, folder, wanted.data, wanted.quick),
        folder=folder,
        quick=wanted.quick,
        threads=wanted.threads,
        sections={name: measured_section(name) for name in SECTIONS},
        out=wanted.out,
        results=results,
    )


def measured_section(name):
    def measure(bench):
        print(f"\n== {name}", flush=True)
        found = SECTIONS[name].measure(bench) | {"date": machine.now()}
        print(f"\n{SECTIONS[name].show(found)}", flush=True)
        return found

    return measure


def measure_all(wanted, path):
    """Saved after every section: a failure in a late one does not lose the others."""
    results = {}
    if wanted.only and path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["machine"]["quick"] == wanted.quick:
            results = {name: section for name, section in kept["sections"].items()
                       if name not in wanted.only}
    with tempfile.TemporaryDirectory(dir=wanted.out, prefix="work-") as folder:
        bench = bench_of(wanted, Path(folder), results)
        description = machine.describe(bench.program, peer_environment(wanted.threads))
        description |= {"quick": wanted.quick, "repeats": bench.repeats, "limit_gb": MEMORY_GB,
                        "faces": "CBCL" if bench.data.has_faces else "stand-in",
                        "settings": SETTINGS}
        for name in wanted.only or SECTIONS:
            bench.section(name)
            found = {"machine": description, "sections": results}
            path.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")
    return found


def main():
    wanted = arguments()
    if not os.access(wanted.tamis, os.X_OK):
        sys.exit(f"{wanted.tamis} is not there; build it first (make)")
    wanted.out.mkdir(parents=True, exist_ok=True)
    # tamis chooses OpenBLAS's kernels by itself, peers are told: a choice for this shell is of none.
    os.environ.pop("OPENBLAS_CORETYPE", None)
    path = wanted.out / "results.json"
    try:
        results = measure_all(wanted, path)
    except Failed as failure:
        sys.exit(f"bench: {failure}")
    pictures = plots.draw_all(results["sections"], wanted.out)
    print("\n" + "\n".join(f"wrote {file}" for file in [path, *pictures]))


if __name__ == "__main__":
    main()
