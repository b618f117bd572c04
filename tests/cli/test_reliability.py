"""docs/reliability.md says what is true: its tests exist, its figures are those of the JSON."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROGRAMS = ("unit", "property", "problems", "reference")
SCRIPTED = ("cli", "python", "mpi", "install")


def sources(folder):
    return "\n".join(f.read_text(encoding="utf-8") for f in (ROOT / "tests" / folder).glob("*.cpp"))


def named_tests():
    """Everything in the second column of a table of promises that stands in `quotes`."""
    promises = TEXT.split("<!-- figures:end -->")[1]
    for row in re.findall(r"^\| .* \| (.*) \|$", promises, re.MULTILINE):
        yield from re.findall(r"`([^`]+)`", row)


def copy_into(root):
    for name in ["docs/reliability.md", "docs/reliability.json", "scripts/reliability.py"]:
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    return root


class Reliability(unittest.TestCase):
    def assert_exists(self, name):
        kind, *rest = name.split(".")
        if name.startswith("make "):
            self.assertTrue(re.search(rf"(?m)^{re.escape(name.split()[1])}:", MAKEFILE))
        elif kind in PROGRAMS:
            self.assertTrue((ROOT / "tests" / kind).is_dir())
            pattern = r"\s*,\s*".join(rest) + r"\b"
            self.assertTrue(not rest or re.search(rf"TEST(_F|_P)?\({pattern}", sources(kind)))
        elif kind in SCRIPTED:
            self.assertEqual(len(rest), 1, "one script")
            scripts = list((ROOT / "tests" / kind).glob(f"{rest[0]}.*"))
            self.assertTrue(scripts or kind == "install")
        else:
            self.assertTrue((ROOT / name).exists(), "neither a test nor a file")

    def test_the_tests_that_it_names_exist(self):
        names = list(named_tests())
        self.assertGreater(len(names), 20)
        for name in names:
            with self.subTest(name):
                self.assert_exists(name)

    def test_a_name_that_does_not_exist_would_be_found(self):
        for name in ["unit.NoSuchSuite", "cli.test_nothing", "make nothing", "unit.Guards.Nothing"]:
            with self.subTest(name), self.assertRaises(AssertionError):
                self.assert_exists(name)

    def script(self, root, *arguments):
        command = [sys.executable, "-B", root / "scripts" / "reliability.py", *arguments]
        return subprocess.run(command, capture_output=True).returncode

    def test_its_figures_are_those_of_the_json(self):
        self.assertEqual(self.script(ROOT, "--check"), 0)

    def test_links_lead_somewhere(self):
        for document in [ROOT / "docs" / "reliability.md", ROOT / "SECURITY.md"]:
            for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
                self.assertTrue((document.parent / target).exists(), target)

    def test_every_harness_is_described(self):
        text = (ROOT / "docs" / "fuzzing.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (`[^|]*) \|.*\|.*\|$", text, re.MULTILINE)
        described = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
        harnesses = [file.stem for file in (ROOT / "tests" / "fuzz").glob("*.cpp")]
        self.assertEqual(sorted(described), sorted(harnesses))

    def test_figures_are_collected_from_what_tools_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            root = copy_into(Path(folder))
            old = [{"key": "old", "what": "an older one", "value": "7", "command": "old"}]
            (root / "docs/reliability.json").write_text(json.dumps(old))
            self.assertNotEqual(self.script(root, "--check"), 0)
            (root / "build/coverage").mkdir(parents=True)
            lines = {"lines": 2000, "reached": 1900, "percent": 95.0}
            (root / "build/coverage/summary.json").write_text(json.dumps({"src and cli": lines}))
            (root / "build/lint").mkdir()
            (root / "build/lint/summary.json").write_text('{"clean": 399, "sources": 400}')
            (root / "build/release/reliability").mkdir(parents=True)
            new = [{"key": "kills", "what": "kills", "value": "7", "command": "ctest -R kills"}]
            (root / "build/release/reliability/kills.json").write_text(json.dumps(new))
            (root / "tests/fuzz").mkdir(parents=True)
            for name in ["npy", "image_folder", "video"]:
                (root / f"tests/fuzz/{name}.cpp").touch()
            (root / "build/fuzz").mkdir()
            (root / "build/fuzz/report.txt").write_text(
                "npy                5 s       1000 runs  FOUND: broken: a promise\n"
                "image_folder     604 s      20000 runs  clean\n"
                "no_longer_there    1 s          1 runs  clean\n"
                "npy              605 s     300000 runs  clean (2 in libraries)\n"
            )
            self.assertEqual(self.script(root, "--collect"), 0)
            text = (root / "docs/reliability.md").read_text(encoding="utf-8")
            for row in ["| an older one | 7 | `old` |", "| kills | 7 | `ctest -R kills` |",
                        "| 399 of 400 | `make lint` |",
                        "2 of the 3 harnesses got, each for 604 to 605 s (not run: video) |",
                        "| `make fuzz SECONDS=600` |",
                        "| 320,000, from 20,000 to 300,000 for one;",
                        "nothing is left that was found; times that a library behind read where nothing is: npy 2 |",
                        "95.0 % (1,900 of 2,000) | `make coverage` |"]:  # fmt: skip
                self.assertIn(row, text)
            self.assertEqual(self.script(root, "--check"), 0)
            figures = json.loads((root / "docs/reliability.json").read_text(encoding="utf-8"))
            fuzzed = next(row for row in figures if row["key"] == "fuzz")
            self.assertEqual(fuzzed["harnesses"]["npy"], {"seconds": 605, "runs": 300000})

    def test_what_was_found_last_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            root = copy_into(Path(folder))
            (root / "tests/fuzz").mkdir(parents=True)
            (root / "tests/fuzz/npy.cpp").touch()
            (root / "build/fuzz").mkdir(parents=True)
            (root / "build/fuzz/report.txt").write_text(
                "npy              600 s     300000 runs  clean\n"
                "npy                7 s       1000 runs  FOUND: broken: a promise\n"
            )
            self.assertEqual(self.script(root, "--collect"), 0)
            text = (root / "docs/reliability.md").read_text(encoding="utf-8")
            self.assertIn("1 of the 1 harnesses got, each for 7 s |", text)
            self.assertIn("not mended: npy |", text)


if __name__ == "__main__":
    unittest.main()
