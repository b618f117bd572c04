"""Plots, report, summary and document of experiments, made of results that the test makes up."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from html import escape
from pathlib import Path

import numpy as np
from _experiments import ALGORITHMS, Results

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments"
TEMPLATE = (EXPERIMENTS / "reproduction.md.in").read_text(encoding="utf-8")
NAMED_CLAIMS = re.findall(r"\{\{claim (.*?)\}\}", TEMPLATE)
PLOTS = {
    "convergence": {f"{data}-{what}" for data in ("synthetic", "cbcl")
                    for what in ("online", "online-batch")},
    "sensitivity": {"nesterov"} | {f"{data}-{factor}" for data in ("synthetic", "cbcl")
                                   for factor in ("tau", "K", "rho", "kappa", "setting", "init")},
    "basis": {"cbcl-basis-K25", "cbcl-basis-K49", "sparsity"},
    "denoising": {"gains-K49"} | {f"{what}-K{K}" for what in ("psnr", "seconds")
                                  for K in (25, 49, 100)},
    "shadow": {f"yaleb_0{subject}-{what}" for subject in (2, 8)
               for what in ("pictures", "measures")},
    "separation": {f"{data}-{what}" for data in ("hall", "escalator")
                   for what in ("pictures", "measures")},
}


def run(script, *arguments):
    return subprocess.run([sys.executable, "-B", EXPERIMENTS / script, *map(str, arguments)],
                          capture_output=True, text=True)


def succeeded(done):
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done


def results_of(out):
    return {name: json.loads((out / name / f"{name}.json").read_text(encoding="utf-8"))
            for name in PLOTS}


def tags(page):
    """Every element of the page, which has to be well-formed for that."""
    return list(ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>")).iter())


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Made(unittest.TestCase):
    """Everything is made once, and looked at by the tests."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tamis-report-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.out, cls.summary = cls.folder / "out", cls.folder / "summary"
        results = Results(cls.out, named_claims=NAMED_CLAIMS)
        results.write()
        results.write_again()
        succeeded(run("summarize.py", cls.out, cls.summary))
        succeeded(run("report.py", cls.out))
        cls.page = (cls.out / "report.html").read_text(encoding="utf-8")
        cls.found = results_of(cls.out)

    # Plots

    def test_every_plot_is_drawn_and_again_the_same(self):
        for name, expected in PLOTS.items():
            succeeded(run("plot.py", self.out / name))
            plots = self.out / name / "plots"
            self.assertEqual({path.stem for path in plots.glob("*.png")}, expected)
            self.assertEqual({path.stem for path in plots.glob("*.svg")}, expected)
            for path in plots.glob("*.svg"):
                ElementTree.parse(path)
                self.assertNotIn("<dc:date>", path.read_text(encoding="utf-8"))
        plots = self.out / "shadow" / "plots"
        before = {path.name: path.read_bytes() for path in plots.iterdir()}
        succeeded(run("plot.py", self.out / "shadow"))
        self.assertEqual({path.name: path.read_bytes() for path in plots.iterdir()}, before)

    def test_what_is_missing_is_left_out(self):
        out = self.folder / "partial"
        shutil.copytree(self.out, out, ignore=shutil.ignore_patterns("plots", "report.html"))
        for name, found in self.found.items():
            kept = [run for run in found["runs"] if run["algorithm"] in ("opgd", "onmf")]
            for run_ in kept[1::3]:  # one that failed: no numbers
                run_ |= {"measures": {}, "curves": {}, "seconds": None, "status": "diverged"}
            partial = found | {"runs": kept, "claims": None, "pictures": [],
                               "missing": [{"data": "cbcl", "why": "Get it & <there>."}]}
            for key in ("tables", "options", "machine"):
                partial.pop(key)
            Results.save(out / name / f"{name}.json", partial)
        Results.save(out / "basis" / "basis.json", {"experiment": "basis"})
        for picture in (out / "separation" / "pictures").iterdir():
            picture.unlink()
        succeeded(run("plot.py", out / "separation"))
        succeeded(run("report.py", out))
        page = (out / "report.html").read_text(encoding="utf-8")
        tags(page)
        self.assertIn("Get it &amp; &lt;there&gt;.", page)

    def test_what_is_no_result_is_refused_in_one_line(self):
        broken = self.folder / "convergence"
        broken.mkdir()
        cases = [("plot.py", (self.folder / "nothing",), "is not there"),
                 ("plot.py", (broken,), "is not there"),
                 ("report.py", (self.folder / "nothing",), "no results"),
                 ("summarize.py", (self.folder / "nothing", broken), "no results")]
        for script, arguments, says in cases:
            self.refused(script, arguments, says)
        for content, says in (("{", "no JSON"), ("[]", "not the result of an experiment")):
            (broken / "convergence.json").write_text(content, encoding="ascii")
            self.refused("plot.py", (broken,), says)

    def refused(self, script, arguments, says):
        done = run(script, *arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    # Report

    def test_the_page_needs_nothing_else(self):
        self.assertNotRegex(self.page, r"https?:|<script|@import|url\((?!#)")
        ids = [tag.get("id") for tag in tags(self.page) if tag.get("id")]
        self.assertEqual(len(ids), len(set(ids)), "names are used twice")
        for tag in tags(self.page):
            for target in (tag.get("src"), tag.get("href")):
                if target and not target.startswith("data:"):
                    self.assertIn(target.removeprefix("#"), ids)

    def test_pictures_are_described(self):
        images = [tag for tag in tags(self.page) if tag.tag == "img"]
        drawings = [tag for tag in tags(self.page) if tag.tag == "svg"]
        self.assertEqual(len(images), 2)  # the sheets; other pictures are in drawings
        self.assertEqual(len(drawings), sum(map(len, PLOTS.values())))
        for tag in images + drawings:
            self.assertGreater(len(tag.get("alt") or tag.get("aria-label")), 10)

    def test_every_claim_is_on_the_page(self):
        claims = [claim for found in self.found.values() for claim in found["claims"]]
        for claim in claims:
            for field in ("claim", "published", "measured"):
                self.assertIn(escape(claim[field]), self.page)
            self.assertIn("1,234,567", self.page)
        for verdict in {claim["verdict"] for claim in claims}:
            count = sum(claim["verdict"] == verdict for claim in claims)
            self.assertRegex(self.page, rf"<b>{count}</b><span[^>]*>.</span> {verdict}<")

    def test_every_table_is_on_the_page(self):
        sys.path.insert(0, str(EXPERIMENTS))
        import tables
        shown = {tag.text for tag in tags(self.page) if tag.tag in ("td", "th")}
        for found in self.found.values():
            for table in found["tables"]:
                self.assertIn(escape(table["title"]), self.page)
                columns, rows = tables.folded(table)
                for text in [*columns, *(cell for row in rows for cell in row if cell)]:
                    self.assertIn(text, shown)
        for text in ("4,322", "1.2e-4", "20.50 ± 0.25", "11.37 ± 0.02", "60.50 ± 2.50", "416.7"):
            self.assertIn(text, shown)

    def test_it_tells_version_machine_and_scale(self):
        for text in ("tamis 9.8.7", "Abacus 3000", "GCC 12.2.0", "(--scale): 0.01 in ",
                     "&quot;ball&quot;"):
            self.assertIn(text, self.page)

    # Summary

    def test_a_summary_is_small(self):
        size = sum(path.stat().st_size for path in self.summary.rglob("*.json"))
        self.assertLess(size, 400_000)
        pictures = list(self.summary.rglob("*.jpg"))
        self.assertGreater(len(pictures), 40)
        self.assertLess(max(path.stat().st_size for path in pictures), 60_000)
        self.assertEqual(list(self.summary.rglob("*.png")), [])
        for found in results_of(self.summary).values():
            for run_ in found["runs"]:
                self.assertNotIn("settings", run_)
                for curve in run_.get("curves", {}).values():
                    self.assertLessEqual(len(curve["value"]), 60)
            self.assertNotIn("data", found["options"])
            self.assertEqual(found["settings"]["opgd"]["constraint"], "ball")

    def test_a_summary_says_the_same(self):
        small = results_of(self.summary)
        for name, found in self.found.items():
            self.assertEqual(small[name]["tables"], found["tables"])
            self.assertEqual([claim["verdict"] for claim in small[name]["claims"]],
                             [claim["verdict"] for claim in found["claims"]])
        case = {"algorithm": "opgd", "K": 49, "setting": 2}
        ours = [run["measures"]["psnr"] for run in self.found["denoising"]["runs"]
                if case.items() <= (run["case"] | run).items()]
        [run_] = [run for run in small["denoising"]["runs"]
                  if case.items() <= (run["case"] | run).items()]
        self.assertEqual(len(ours), 3)
        self.assertAlmostEqual(run_["measures"]["psnr"], np.mean(ours), delta=0.01)
        self.assertAlmostEqual(run_["deviations"]["psnr"], np.std(ours, ddof=1), delta=0.001)
        for whole, thin in zip(self.found["convergence"]["runs"], small["convergence"]["runs"]):
            self.assertEqual(whole["id"], thin["id"])
            whole, thin = whole["curves"]["objective"], thin["curves"]["objective"]
            near = np.interp(*(np.log(values) for values in
                               (whole["samples"], thin["samples"], thin["value"])))
            self.assertLess(np.max(np.abs(near - np.log(whole["value"]))), 0.02)

    def test_a_summary_can_be_reported(self):
        few = self.folder / "few-summary"
        for name in ("convergence", "basis", "denoising"):
            shutil.copytree(self.summary / name, few / name)
        succeeded(run("report.py", few))
        again = (few / "report.html").read_text(encoding="utf-8")
        cells = re.findall(r"<td[^>]*>[^<]*</td>", again)
        self.assertGreater(len(cells), 100)
        self.assertLessEqual(set(cells), set(re.findall(r"<td[^>]*>[^<]*</td>", self.page)))

    # Document

    def test_the_document_is_made_and_checked(self):
        root = self.folder / "root"
        done = succeeded(run("document.py", self.summary, "--root", root))
        self.assertEqual(done.stderr, "")
        page = (root / "docs" / "reproduction.md").read_text(encoding="utf-8")
        self.assertNotRegex(page, r"\{\{|\}\}|None|nan|not measured")
        for found in self.found.values():
            for claim in found["claims"]:
                self.assertIn(claim["claim"], page)
                self.assertIn(claim["measured"][1:], page)
        self.assertIn("15.7, 15.7 and\n15.7 dB", page)
        self.assertIn("With 1% of the samples and 4 initialisations of each", page)
        found = re.search(r"deviation of their\nPSNR is at most (\S+) dB", page)
        self.assertAlmostEqual(float(found[1]), self.largest_deviation(), delta=0.01)
        pictures = re.findall(r"!\[.+?\]\((.+?)\)", page)
        self.assertGreater(len(pictures), 15)
        for picture in pictures:
            self.assertLess((root / "docs" / picture).stat().st_size, 100_000)
        self.assertEqual(run("document.py", self.summary, "--check", "--root", root).returncode, 0)
        (root / "docs" / "reproduction.md").write_text(page.replace("15.7", "15.8"))
        check = run("document.py", self.summary, "--check", "--root", root)
        self.assertNotEqual(check.returncode, 0)
        self.assertIn("docs/reproduction.md", check.stderr)

    def largest_deviation(self):
        """Of the PSNR over initialisations, among the results that were made once more."""
        path = self.out / "initialisations" / "denoising" / "denoising.json"
        cases = {}
        for run_ in json.loads(path.read_text(encoding="utf-8"))["runs"]:
            cases.setdefault((run_["algorithm"], *run_["case"].items()), []).append(
                run_["measures"]["psnr"])
        return max(np.std(values, ddof=1) for values in cases.values())

    def test_results_that_are_not_there_are_told(self):
        out, root = self.folder / "few", self.folder / "few-root"
        Results(out).write("shadow")
        done = succeeded(run("document.py", out, "--root", root))
        self.assertIn("{{claim online-faster-than-batch}}", done.stderr)
        page = (root / "docs" / "reproduction.md").read_text(encoding="utf-8")
        self.assertIn("*not measured*", page)


class Kept(unittest.TestCase):
    def test_the_document_is_what_the_kept_results_give(self):
        if not (EXPERIMENTS / "results").exists():
            self.skipTest("experiments/results is not there")
        done = run("document.py", "--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_document_speaks_of_claims_that_the_program_makes(self):
        sources = "".join(path.read_text(encoding="utf-8") for path in EXPERIMENTS.glob("*.cpp"))
        if not sources:
            self.skipTest("the program makes no experiments")
        for claim in NAMED_CLAIMS:
            self.assertIn(f'"{claim}"', sources)

    def test_all_algorithms_have_a_style(self):
        sys.path.insert(0, str(EXPERIMENTS))
        import style
        self.assertEqual(style.ALGORITHMS.keys(), ALGORITHMS.keys())
        looks = {(line.colour, line.dashes) for line in style.ALGORITHMS.values()}
        self.assertEqual(len(looks), len(ALGORITHMS))
        for name, kind in ALGORITHMS.items():
            self.assertEqual(style.line(name).dashes != "-", kind == "batch")


if __name__ == "__main__":
    unittest.main()
