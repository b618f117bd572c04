"""The benchmark works, on tiny sizes; the documents are what the kept results give."""

import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))

from documents.readme import BEGIN, END, with_results  # noqa: E402
from harness import table  # noqa: E402
from harness.contenders import CONTENDERS  # noqa: E402
from harness.measures import exponent, interleaved, psnr, psnr_of_codes  # noqa: E402
from harness.process import Failed, measured  # noqa: E402
from harness.program import count_of  # noqa: E402
from sections import SECTIONS, kernels, peers, targets  # noqa: E402

# What Google Benchmark prints: two repetitions, and their mean, which is to be passed over.
KERNELS = """#!/bin/sh
cat <<'END'
{"benchmarks": [
  {"name": "encoder/F:361/K:49/n:64", "real_time": 20, "time_unit": "us", "GFLOPS": 60},
  {"name": "encoder/F:361/K:49/n:64", "real_time": 15, "time_unit": "us", "GFLOPS": 80},
  {"name": "encoder/F:361/K:49/n:64_mean", "run_name": "encoder/F:361/K:49/n:64",
   "run_type": "aggregate", "real_time": 1, "time_unit": "us"},
  {"name": "gemm_pair/F:361/K:49/n:64", "real_time": 12, "time_unit": "us", "GFLOPS": 100},
  {"name": "stream", "real_time": 2, "time_unit": "ms", "bytes_per_second": 1.2e10}
]}
END
"""


def run(script, *arguments):
    return subprocess.run([sys.executable, "-B", BENCH / script, *map(str, arguments)],
                          capture_output=True, text=True)


class Measures(unittest.TestCase):
    def test_psnr(self):
        self.assertAlmostEqual(psnr([[0.0, 0.0]], [[0.1, 0.1]]), 20)
        self.assertAlmostEqual(psnr([[0.0, 1.0]], [[0.0, 0.5]]), 10 * math.log10(8))
        self.assertEqual(psnr([[1.0]], [[1.0]]), math.inf)

    def test_psnr_of_codes_looks_only_at_the_samples_that_were_coded(self):
        codes, atoms = np.array([[1.0], [2.0]]), np.array([[0.1, 0.2]])
        truth = np.array([[0.1, 0.2], [0.2, 0.2], [9, 9]])  # errors: 0, 0, 0, 0.2
        for block in (1, 2, 5):
            self.assertAlmostEqual(psnr_of_codes(truth, codes, atoms, block), 20)

    def test_exponent(self):
        self.assertAlmostEqual(exponent([1, 2, 4], [3, 12, 48]), 2)
        self.assertAlmostEqual(exponent([10, 100], [5, 5]), 0)

    def test_the_least_time_of_runs_in_turns(self):
        turns = []
        times = {"a": iter([3, 1, 2]), "b": iter([5, 4, 6])}

        def taking(name):
            return lambda: turns.append(name) or next(times[name])

        self.assertEqual(interleaved({"a": taking("a"), "b": taking("b")}), {"a": 1, "b": 4})
        self.assertEqual("".join(turns), "ababab")

    def test_a_number_among_the_settings(self):
        self.assertEqual(count_of({"algorithm": "fast:iterations=10,rho=0.1"}, "iterations"), 10)


class Processes(unittest.TestCase):
    def test_a_small_program_is_not_blamed_for_the_memory_of_this_one(self):
        ballast = np.ones(2 * 10**7)
        self.assertLess(measured(["true"]).peak_mb, 50)
        self.assertEqual(len(ballast), 2 * 10**7)

    def test_what_goes_wrong_is_said_in_one_line(self):
        for command, says in ((["sleep", "60"], "not done in 0"), (["ls", "/no/such"], "No such"),
                              (["no-such-program"], "No such file"), (["false"], "ended with 1"),
                              ([sys.executable, "-c", "bytes(10**11)"], "more than 8 GB")):
            with self.assertRaisesRegex(Failed, says):
                measured(command, timeout=0.2 if "sleep" in command else 60)


class Tables(unittest.TestCase):
    ROWS = [["one", "1.5"], ["three", "22.5"]]

    def test_as_text(self):
        self.assertEqual(table.text(["", "dB"], self.ROWS).splitlines(),
                         ["         dB", "-----------", "one     1.5", "three  22.5"])

    def test_as_markdown(self):
        self.assertEqual(table.markdown(["", "dB"], self.ROWS).splitlines(),
                         ["|  | dB |", "| --- | ---: |", "| one | 1.5 |", "| three | 22.5 |"])

    def test_numbers(self):
        for value, shown in ((None, ""), (0, "0"), (math.inf, "inf"), (0.001234, "0.00123"),
                             (1.0, "1.00"), (12.34, "12.3"), (1234.5, "1,234"), (-0.5, "-0.500")):
            self.assertEqual(table.number(value), shown)


class Sections(unittest.TestCase):
    def test_names_of_kernels_are_taken_apart(self):
        self.assertEqual(kernels.parsed("encoder/F:361/n:64/real_time"),
                         ("encoder", {"F": 361, "n": 64}))
        self.assertEqual(kernels.parsed("stream"), ("stream", {}))

    def test_targets_are_met_on_the_right_side(self):
        for sense, bound, value, met in (("≥", 2, 2, True), ("≥", 2, 1, False), ("≤", 2, 1, True),
                                         ("≤", 2, 3, False), ("≤", None, 3, None),
                                         ("≥", 2, None, None)):
            self.assertIs(targets.target("", "", sense, bound, value)["met"], met)

    def test_speed_is_related_to_ours(self):
        rows = {"tamis": {"samples": 100, "seconds": 2.0}, "other": {"samples": 10, "seconds": 1.0},
                "absent": {"skipped": "not installed"}}
        peers.relate(rows)
        self.assertEqual(rows["other"], {"samples": 10, "seconds": 1.0, "samples_per_second": 10.0,
                                         "times_slower": 5.0})
        self.assertEqual(rows["absent"], {"skipped": "not installed"})


class QuickRun(unittest.TestCase):
    """One run of everything, looked at from several sides."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tamis-bench-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        program = cls.folder / "kernels"
        program.write_text(KERNELS, encoding="ascii")
        program.chmod(0o755)
        tamis = os.environ["TAMIS_BINARY"]
        cls.done = run("run.py", "--quick", "--tamis", tamis, "--native", tamis, "--kernels",
                       program, "--out", cls.folder / "out", "--data",
                       os.environ.get("TAMIS_SHARED_DATA", cls.folder))
        if cls.done.returncode != 0:
            raise AssertionError(cls.done.stdout + cls.done.stderr)
        cls.text = (cls.folder / "out" / "results.json").read_text(encoding="utf-8")
        cls.results = json.loads(cls.text)
        cls.sections = cls.results["sections"]

    def test_every_section_is_there_and_was_printed(self):
        self.assertEqual(list(self.sections), list(SECTIONS))
        for name in SECTIONS:
            self.assertIn(f"== {name}\n", self.done.stdout)

    def test_every_contender_was_measured_or_is_not_installed(self):
        rows = [row for data in self.sections["peers"]["sets"] for row in data["rows"]]
        self.assertEqual({row["name"] for row in rows}, {who.name for who in CONTENDERS})
        installed = {who.name: who.installed for who in CONTENDERS}
        for row in rows:
            if not installed[row["name"]]:
                self.assertEqual(row["skipped"], "not installed")
                continue
            for number in ("seconds", "wall", "peak_mb", "samples_per_second", "times_slower"):
                self.assertGreater(row[number], 0, row)
            self.assertGreater(row["psnr"], 5, row)
            self.assertTrue(math.isfinite(row["psnr"]), row)
            self.assertGreaterEqual(row["wall"], row["seconds"], row)

    def test_times_are_positive_and_qualities_finite(self):
        for row in self.sections["memory"]["rows"] + self.sections["curve"]["rows"]:
            self.assertGreater(row["seconds"], 0)
        for row in self.sections["curve"]["rows"]:
            self.assertTrue(math.isfinite(row["psnr"]))
        self.assertEqual([row["size"] for row in self.sections["scaling"]["rows"]], list("NFKτ"))
        for row in self.sections["scaling"]["rows"]:
            self.assertTrue(all(seconds > 0 for seconds in row["seconds"]))
            self.assertTrue(math.isfinite(row["exponent"]))

    def test_of_a_kernel_the_fastest_repetition_counts(self):
        self.assertEqual(len(self.sections["kernels"]["rows"]), 3)
        [row] = [row for row in self.sections["targets"]["rows"] if "encoder" in row["work"]]
        self.assertAlmostEqual(row["measured"], 80)  # percent
        self.assertTrue(row["met"])

    def test_every_target_was_looked_at(self):
        rows = self.sections["targets"]["rows"]
        self.assertGreater(len(rows), 15)
        all_there = all(who.installed for who in CONTENDERS)
        for row in rows:
            if all_there and (os.cpu_count() or 1) > 1:
                self.assertIsNotNone(row["measured"], row)

    def test_it_tells_the_machine_but_not_its_folders(self):
        for key in ("date", "processor", "cores", "threads", "tamis", "python", "packages"):
            self.assertTrue(self.results["machine"][key], key)
        self.assertNotRegex(self.text, r'"/|[ :]/(tmp|home|root|usr|work)')

    def test_one_section_can_be_measured_again(self):
        out = self.folder / "again"
        shutil.copytree(self.folder / "out", out)
        done = run("run.py", "--quick", "--tamis", os.environ["TAMIS_BINARY"], "--kernels",
                   self.folder / "missing", "--out", out, "--only", "kernels")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = json.loads((out / "results.json").read_text(encoding="utf-8"))["sections"]
        self.assertEqual(again["kernels"]["rows"], [])
        self.assertEqual(again["peers"], self.sections["peers"])

    def test_the_documents_can_be_made_of_it(self):
        root = self.folder / "root"
        root.mkdir()
        shutil.copy(ROOT / "README.md", root)
        made = run("report.py", self.folder / "out" / "results.json", "--root", root)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(run("report.py", "--check", "--root", root).returncode, 0)
        page = (root / "docs" / "performance.md").read_text(encoding="utf-8")
        for heading in ("Beside others", "Targets", "Why the defaults", "Where the time goes",
                        "Kernels and the limit", "How time grows", "How it was measured"):
            self.assertIn(f"## {heading}", page)
        self.assertNotRegex(page, r"None|nan|\{|\}")
        self.assertIn("| **tamis** |", (root / "README.md").read_text(encoding="utf-8"))
        if importlib.util.find_spec("matplotlib"):
            picture = root / "docs" / "images" / "performance.png"
            self.assertLess(picture.stat().st_size, 100 * 1024)

        changed = re.sub(r"\*\*tamis\*\* \| \*\*\d", "**tamis** | **9", page)
        self.assertNotEqual(changed, page)
        (root / "docs" / "performance.md").write_text(changed, encoding="utf-8")
        check = run("report.py", "--check", "--root", root)
        self.assertNotEqual(check.returncode, 0)
        self.assertIn("performance.md", check.stderr)

    def test_only_what_is_between_the_marks_changes(self):
        text = with_results(f"above\n{BEGIN}\nold\n{END}\nbelow\n", self.results)
        self.assertTrue(text.startswith(f"above\n{BEGIN}\n## "))
        self.assertTrue(text.endswith(f"\n{END}\nbelow\n"))
        self.assertNotIn("old\n", text)


class Documents(unittest.TestCase):
    def test_they_are_what_the_kept_results_give(self):
        if not (ROOT / "docs" / "performance.json").exists():
            self.skipTest("docs/performance.json is not there")
        done = run("report.py", "--check")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
