"""Every script in examples/ runs, and says something true."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from _data import HAS_SKLEARN, ROOT, Case

EXAMPLES = ROOT / "examples"


class Examples(Case):
    tested = set()

    def run_example(self, name, *arguments):
        Examples.tested.add(name)
        result = subprocess.run(
            [sys.executable, "-B", "-W", "error::UserWarning:tamis", EXAMPLES / name, *arguments],
            capture_output=True, text=True, cwd=self.folder,
        )  # fmt: skip
        if "skipped: " in result.stderr:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        return [float(number) for number in re.findall(r"\d+\.\d+", result.stdout)], result.stdout

    def test_quickstart(self):
        (given, denoised), _ = self.run_example("quickstart.py")
        self.assertLess(denoised, given / 4)

    def test_faces(self):
        (given, repaired), _ = self.run_example("faces.py", "--out", "faces.png")
        self.assertGreater(repaired, given + 10)
        self.assertEqual(self.names(), ["faces.png"])

    def test_faces_from_a_file(self):
        faces = Path(os.environ.get("TAMIS_SHARED_DATA", "")) / "cbcl_faces.npy"
        if not faces.is_file():
            self.skipTest("the shared data are not there")
        (given, repaired), _ = self.run_example("faces.py", faces)
        self.assertGreater(repaired, given + 8)

    def test_topics(self):
        _, out = self.run_example("topics.py")
        topics = [set(line.split(": ")[1].split()) for line in out.splitlines()[:4]]
        self.assertIn(set("ship wave sail harbour anchor tide".split()), topics)
        self.assertIn(set("bread oven salt pan butter flour".split()), topics)
        self.assertIn("no topic", out)

    def test_missing(self):
        (error, of_means), _ = self.run_example("missing.py")
        self.assertLess(error, of_means / 3)

    def test_background(self):
        (_, f), _ = self.run_example("background.py", "--out", "background.png")
        self.assertGreater(f, 0.85)
        self.assertEqual(self.names(), ["background.png"])

    def test_stream(self):
        _, out = self.run_example("stream.py", "--megabytes", "40")
        needed = int(re.search(r"needed (\d+) MB", out)[1])
        self.assertLess(needed, 30)

    def test_mpi(self):
        (given, denoised), out = self.run_example("mpi.py")
        self.assertIn("20000 samples in 1 processes", out)
        self.assertLess(denoised, given / 4)

    def test_cluster(self):
        (explained, share), _ = self.run_example("cluster.py")
        self.assertGreater(explained, 0.9)
        self.assertAlmostEqual(share, 0.05, delta=0.02)

    @unittest.skipUnless(HAS_SKLEARN, "scikit-learn is not installed")
    def test_compare(self):
        _, out = self.run_example("compare.py")
        errors = {}
        for line in out.splitlines()[1:]:
            share, model, _, error = line.split()
            errors[share, model] = float(error)
        for share in ("5%", "20%"):
            self.assertLess(errors[share, "RobustNMF"], errors[share, "MiniBatchNMF"] / 4)

    def test_compare_without_scikit_learn(self):
        Examples.tested.add("compare.py")
        script = (EXAMPLES / "compare.py").read_text(encoding="utf-8")
        hidden = "import sys; sys.modules['sklearn'] = None\n" + script
        result = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
        self.assertIn("skipped: scikit-learn is not installed", result.stderr)

    @classmethod
    def tearDownClass(cls):
        missing = {path.name for path in EXAMPLES.glob("*.py")} - cls.tested
        assert not missing, f"not tested: {missing}"


if __name__ == "__main__":
    unittest.main()
