#!/usr/bin/python3
"""Makes the documents of the benchmark's results, or checks that they are what the results give.

Usage: report.py RESULTS_JSON      what bench/run.py wrote
       report.py --check           of docs/performance.json
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

from documents.performance import performance
from documents.readme import with_results
from harness import kept, plots

ROOT = Path(__file__).resolve().parents[1]


def documents(results, root):
    """Path → text, for all that is text."""
    readme = root / "README.md"
    return {
        root / "docs" / "performance.md": performance(results),
        readme: with_results(readme.read_text(encoding="utf-8"), results),
    }


def write(results, root):
    (root / "docs" / "images").mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    (root / "docs" / "performance.json").write_text(text, encoding="utf-8")
    # From here on what a check will read: keys sorted.
    kept.write(documents(json.loads(text), root))
    if not plots.overview(results["sections"], root / "docs" / "images" / "performance.png"):
        print("no picture: matplotlib or a section is missing")


def check(root):
    """The files that are not what the kept results give."""
    results = json.loads((root / "docs" / "performance.json").read_text(encoding="utf-8"))
    return kept.stale(documents(results, root), root)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", nargs="?", type=Path, metavar="RESULTS_JSON")
    parser.add_argument("--check", action="store_true", help="change nothing, compare")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR",
                        help="where README.md and docs/ are")
    wanted = parser.parse_args()
    if wanted.check == (wanted.results is not None):
        parser.error("either RESULTS_JSON or --check")
    if wanted.check:
        stale = check(wanted.root)
        sys.exit(f"not what docs/performance.json gives: {', '.join(stale)}" if stale else 0)
    results = json.loads(wanted.results.read_text(encoding="utf-8"))
    masks = wanted.results.parent / "street.png"
    if "peers" not in results["sections"]:
        sys.exit("the section peers is missing, and without it there is little to say")
    write(results, wanted.root)
    if masks.exists():
        shutil.copy(masks, wanted.root / "docs" / "images" / "scenes.png")


if __name__ == "__main__":
    main()
