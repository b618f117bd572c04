#!/usr/bin/python3
"""Makes one HTML page of all experiments in a folder: verdicts, plots, pictures, tables.

Usage: report.py OUT         what `tamis experiment` wrote, or its summary; makes OUT/report.html
"""

import argparse
import sys
from pathlib import Path

import reading
from pages.page import page


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--html", type=Path, metavar="FILE", help="instead of OUT/report.html")
    wanted = parser.parse_args()
    path = wanted.html or wanted.out / "report.html"
    try:
        text = page(reading.load_all(wanted.out))
    except reading.Unusable as error:
        sys.exit(f"report: {error}")
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
