"""tamis experiment: every experiment on tiny data, and what it writes."""

import json
import math
import os
import re
import subprocess
import unittest
from pathlib import Path

import numpy as np

from _experiment import EXPERIMENTS, REAL_DATA, VERDICTS, ExperimentCase, write_data
from _tamis import png_size

SOURCE = Path(__file__).resolve().parents[2] / "experiments"
RUN_KEYS = {"id", "data", "algorithm", "label", "case", "settings", "seed", "run", "status",
            "samples", "features", "passes", "seconds", "measures", "curves", "pictures"}


class Everything(ExperimentCase):
    def test_all_of_them(self):
        printed = self.experiment("all", "--runs", 1, "--only", "fast,oadmm,bpgd,onmf", scale=0.001).out
        for name in EXPERIMENTS:
            with self.subTest(name):
                result = self.result(name)
                self.check_heading(result, name)
                self.check_runs(result, name)
                self.check_tables(result, name)
                self.check_claims(result, printed)
                self.check_figures(result)
                self.check_pictures(result, name)

    def check_heading(self, result, name):
        self.assertEqual(result["experiment"], name)
        self.assertEqual(result["options"]["scale"], 0.001)
        self.assertEqual(result["options"]["runs"], 1)
        self.assertEqual(result["options"]["threads"], 1)
        self.assertEqual(result["missing"], [])
        self.assertRegex(result["version"], r"^\d+\.\d+\.\d+$")
        self.assertGreater(result["machine"]["cores"], 0)
        self.assertGreater(result["machine"]["memory_gb"], 0)
        total = sum(run["seconds"] for run in result["runs"])
        self.assertAlmostEqual(result["seconds"], total)

    def check_runs(self, result, name):
        ids = [run["id"] for run in result["runs"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual({f"{run}.json" for run in ids}, set(self.run_files(name)))
        for run in result["runs"]:
            self.assertLessEqual(RUN_KEYS, set(run), run["id"])
            self.assertRegex(run["id"], r"^[\w.-]+$")
            points = len(run["curves"].get("objective", {}).get("value", []))
            for measure, value in run["measures"].items():
                if measure == "roughness" and points < 3:
                    continue  # two mini-batches have no course
                self.assertIsInstance(value, (int, float), f"{run['id']} {measure}")
                self.assertTrue(math.isfinite(value))
            self.assertGreater(run["seconds"], 0)
            self.check_curves(run)

    def check_curves(self, run):
        for curve in run["curves"].values():
            self.assertEqual(len(curve["samples"]), len(curve["value"]))
            self.assertEqual(len(curve["seconds"]), len(curve["value"]))
            self.assertGreater(len(curve["value"]), 0)
            for axis in ("samples", "seconds"):
                self.assertTrue(np.all(np.diff(curve[axis]) >= 0), f"{run['id']} {axis}")
            self.assertTrue(np.all(np.isfinite(curve["value"])))
        if "objective" in run["curves"]:
            self.assertEqual(run["measures"]["objective"], run["curves"]["objective"]["value"][-1])
            self.assertEqual(run["seconds"], run["curves"]["objective"]["seconds"][-1])

    def check_tables(self, result, name):
        self.assertGreater(len(result["tables"]), 0)
        for table in result["tables"]:
            lines = self.table(name, table["name"])
            self.assertEqual(lines[0], table["columns"])
            self.assertEqual(len(lines) - 1, len(table["rows"]))
            self.assertGreater(len(table["rows"]), 0, table["name"])
            for line, row in zip(lines[1:], table["rows"], strict=True):
                for text, value in zip(line, row, strict=True):
                    if isinstance(value, (int, float)):
                        self.assertEqual(float(text), value)
                    else:
                        self.assertEqual(text, value or "")

    def check_claims(self, result, printed):
        self.assertGreater(len(result["claims"]), 0)
        for claim in result["claims"]:
            self.assertIn(claim["verdict"], VERDICTS)
            self.assertIn(claim["claim"], printed)
            self.assertIn(claim["measured"], printed)
            if claim["verdict"] == "not tested":
                continue
            held, of = map(int, re.match(r"(\d+) of (\d+) comparisons", claim["measured"]).groups())
            self.assertLessEqual(of, len(claim["numbers"]))
            expected = "confirmed" if held == of else "partly confirmed" if held else "not confirmed"
            self.assertEqual(claim["verdict"], expected)
        tested = [claim for claim in result["claims"] if claim["verdict"] != "not tested"]
        self.assertGreater(len(tested), 0, "nothing was tested")

    def check_figures(self, result):
        curves = {run["id"]: run["curves"] for run in result["runs"]}
        self.assertEqual(bool(result["figures"]), any(map(len, curves.values())))
        for figure in result["figures"]:
            for line in figure["lines"]:
                self.assertIn(figure["curve"], curves[line["run"]])

    def check_pictures(self, result, name):
        files = [picture["file"] for picture in result["pictures"]]
        for run in result["runs"]:
            files += run["pictures"].values()
        self.assertEqual(bool(files), name in ("basis", "shadow", "separation"))
        for file in files:
            width, height = png_size(self.path(f"out/{name}/{file}"))
            self.assertGreater(min(width, height), 40, file)

    def test_one_object(self):
        found = json.loads(self.experiment("basis", "--only", "fast", "--json", scale=0.001).out)
        self.assertEqual(found["status"], "completed")
        self.assertEqual(found["experiments"][0]["experiment"], "basis")
        self.assertEqual(found["experiments"][0]["runs"], len(self.result("basis")["runs"]))
        self.assertFalse(found["experiments"][0]["drawn"])

    def test_quiet(self):
        found = self.experiment("basis", "--only", "fast", "--quiet", scale=0.001)
        self.assertEqual((found.out, found.err), ("", ""))

    def test_the_study_stands_beside(self):
        self.experiment("denoising", "--runs", 2, "--only", "oadmm", scale=0.001)
        table = self.table("denoising", "psnr-K49")
        row = dict(zip(table[0], table[1], strict=True))
        self.assertEqual((row["setting 3 published"], row["setting 3 published std"]), ("11.33", "0.11"))
        values = [run["measures"]["psnr"] for run in self.result("denoising")["runs"]
                  if run["case"]["K"] == 49 and run["case"]["setting"] == 2]
        self.assertEqual(len(values), 2)
        self.assertAlmostEqual(float(row["setting 2"]), np.mean(values), 9)
        self.assertAlmostEqual(float(row["setting 2 std"]), np.std(values, ddof=1), 9)

    def test_batch_algorithms_run_less_often(self):
        self.experiment("denoising", "--only", "fast,bpgd", scale=0.001)
        runs = [run for run in self.result("denoising")["runs"]
                if run["case"]["K"] == 25 and run["case"]["setting"] == 1]
        for label, number in {"fast": 10, "bpgd": 3}.items():
            found = [run for run in runs if run["label"] == label]
            self.assertEqual([run["seed"] for run in found], list(range(number)))
            psnrs = {run["measures"]["psnr"] for run in found}
            self.assertEqual(len(psnrs), number, "initialisations are not different")


class Plots(ExperimentCase):
    def test_they_are_drawn_or_it_says_why_not(self):
        found = self.experiment("basis", "--only", "fast", scale=0.001, plots=True)
        if (SOURCE / "plot.py").exists() and "not drawn" not in found.err:
            self.assertGreater(len(list(self.path("out/basis/plots").glob("*.png"))), 0)
        else:
            self.assertIn("not drawn", found.err)

    def test_a_script_that_fails_is_no_failure(self):
        """Nor does what it prints come into the one object."""
        write_data(self.path("data"))
        program = self.path("bin/tamis")
        program.parent.mkdir()
        program.write_bytes(Path(os.environ["TAMIS_BINARY"]).read_bytes())
        program.chmod(0o755)
        scripts = self.path("share/tamis/experiments")
        scripts.mkdir(parents=True)
        (scripts / "plot.py").write_text("import sys; print('noise'); sys.exit(3)\n")
        words = map(str, self.words("basis", "--only", "fast", "--json", scale=0.001, plots=True))
        found = subprocess.run([program, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertFalse(json.loads(found.stdout)["experiments"][0]["drawn"])
        self.assertIn("not drawn", found.stderr)


@unittest.skipUnless(REAL_DATA.is_dir(), f"the data sets are not in {REAL_DATA}")
class RealData(ExperimentCase):
    def test_the_noise_is_the_studys(self):
        self.experiment("denoising", "--only", "fast", "--runs", 1, scale=0.02, data=REAL_DATA)
        for run in self.result("denoising")["runs"]:
            noisy = {1: 19.3, 2: 15.7, 3: 13.5}[run["case"]["setting"]]
            measures = run["measures"]
            self.assertAlmostEqual(measures["noisy_psnr"], noisy, delta=0.15)
            self.assertGreater(measures["denoised_psnr"], measures["noisy_psnr"] + 3, run["id"])

    def test_shadows_are_there(self):
        self.experiment("shadow", "--only", "fast", scale=0.06, data=REAL_DATA)
        for data, expected in {"yaleb_02": 38, "yaleb_08": 30}.items():
            run = self.find(self.result("shadow"), data=data, K=5)
            measures = run["measures"]
            self.assertAlmostEqual(measures["shadow_error_input"], expected, delta=2)
            self.assertLess(measures["shadow_error"], 0.8 * measures["shadow_error_input"])

    def test_scenes(self):
        self.experiment("separation", "--only", "fast", scale=0.01, data=REAL_DATA)
        self.assertEqual({run["data"] for run in self.result("separation")["runs"]},
                         {"hall", "escalator"})


if __name__ == "__main__":
    unittest.main()
