#!/usr/bin/env python3
"""Sums up gcovr's report by folder. Usage: coverage_summary.py GCOVR_JSON OUT"""

import json
import sys
from pathlib import Path


def folder_of(name):
    parts = Path(name).parts
    return "/".join(parts[:2]) if parts[0] == "src" and len(parts) > 2 else parts[0]


def summarize(files):
    folders = {}
    for file in files:
        for folder in {folder_of(file["filename"]), Path(file["filename"]).parts[0]}:
            lines = folders.setdefault(folder, {"lines": 0, "reached": 0})
            lines["lines"] += file["line_total"]
            lines["reached"] += file["line_covered"]
    return folders


def with_percent(lines):
    return lines | {"percent": round(100 * lines["reached"] / max(lines["lines"], 1), 1)}


def main(source, target):
    files = json.loads(Path(source).read_text(encoding="utf-8"))["files"]
    folders = summarize(files)
    both = {key: folders["src"][key] + folders["cli"][key] for key in ("lines", "reached")}
    report = {
        "src and cli": with_percent(both),
        "folders": {name: with_percent(folders[name]) for name in sorted(folders)},
        "files": {file["filename"]: with_percent(
            {"lines": file["line_total"], "reached": file["line_covered"]}) for file in files},
    }  # fmt: skip
    Path(target).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    worst = sorted(report["files"].items(), key=lambda f: f[1]["reached"] - f[1]["lines"])
    for name, lines in worst[:15]:
        print(f"{lines['lines'] - lines['reached']:5} lines not reached  {lines['percent']:5} %  {name}")
    for name, lines in report["folders"].items():
        print(f"{lines['percent']:5} %  {name}")
    print(f"{report['src and cli']['percent']} % of the lines of src/ and cli/")


if __name__ == "__main__":
    main(*sys.argv[1:])
