"""The README says what is true: its code, its commands, its links."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands():
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line.split("#")[0].strip() for line in lines]


class Readme(unittest.TestCase):
    def test_its_example_is_the_one_that_is_compiled_and_run(self):
        example = (ROOT / "examples" / "quickstart.cpp").read_text(encoding="utf-8")
        self.assertEqual(blocks("cpp"), [example])

    def test_its_commands_are_run_elsewhere(self):
        ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
        run_elsewhere = {line.strip() for line in ci}
        run_elsewhere.add("build/release/tamis demo")  # by test_demo.py
        for command in commands():
            if not command.startswith("tamis "):
                self.assertIn(command, run_elsewhere)

    def test_its_examples_work_one_after_the_other(self):
        program = Path(os.environ["TAMIS_BINARY"])
        results = []
        with tempfile.TemporaryDirectory() as folder:
            for command in commands():
                if command.startswith("tamis "):
                    result = subprocess.run(
                        [program, *command.split()[1:]], cwd=folder, capture_output=True, text=True
                    )
                    self.assertEqual(result.returncode, 0, f"{command}: {result.stderr}")
                    if command.startswith("tamis evaluate psnr"):
                        results.append(result.stdout)
        before, after = (float(re.search(r"-?[0-9.]+", text)[0]) for text in results)
        self.assertGreater(after, before + 5)  # dB

    def test_its_links_lead_somewhere(self):
        targets = re.findall(r"\]\(([^)]+)\)", README)
        self.assertTrue(targets)
        for target in targets:
            if "://" not in target:
                self.assertTrue((ROOT / target).exists(), target)

    def test_its_pictures_are_small(self):
        for picture in (ROOT / "docs" / "images").iterdir():
            self.assertLess(picture.stat().st_size, 100 * 1024, picture.name)


if __name__ == "__main__":
    unittest.main()
