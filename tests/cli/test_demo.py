"""The program as a user meets it first: demo, version, bad usage."""

import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

PICTURES = ["examples.png", "basis.png", "basis-without.png", "objective.png", "scene.png"]


def tamis(*arguments, cwd=None):
    return subprocess.run(
        [os.environ["TAMIS_BINARY"], *arguments], cwd=cwd, capture_output=True, text=True
    )


def png_size(path):
    """Width and height, from the header that every PNG begins with."""
    header = path.read_bytes()[:24]
    if header[:8] != b"\x89PNG\r\n\x1a\n" or header[12:16] != b"IHDR":
        raise ValueError(f"{path} is not a PNG")
    return struct.unpack(">II", header[16:24])


class Demo(unittest.TestCase):
    def test_shows_the_parts_and_is_repeatable(self):
        with tempfile.TemporaryDirectory() as folder:
            first = tamis("demo", cwd=folder)  # no arguments: into ./demo
            self.assertEqual(first.returncode, 0, first.stderr)
            self.assertEqual(first.stderr, "")
            for word in ("limbs found", "PSNR", "samples per second", "noise scale"):
                self.assertIn(word, first.stdout)
            found = first.stdout.split("limbs found")[1].split()
            self.assertGreaterEqual(int(found[0]), 14, first.stdout)  # "15 of 16  0 of 16"
            self.assertLess(int(found[3]), int(found[0]), first.stdout)
            pictures = {}
            for name in PICTURES:
                self.assertIn(name, first.stdout)
                path = Path(folder, "demo", name)
                width, height = png_size(path)
                self.assertGreater(width, 400)
                self.assertGreater(height, 250)
                pictures[name] = path.read_bytes()
            self.assertEqual(sorted(os.listdir(Path(folder, "demo"))),
                             sorted([*PICTURES, "README.txt"]))
            guide = Path(folder, "demo", "README.txt").read_text(encoding="utf-8")
            for name in PICTURES:
                self.assertIn(name, guide)
            tamis_f, mean_f = first.stdout.split("found: F")[1].split()[:2]
            self.assertGreater(float(tamis_f), 0.95, first.stdout)
            self.assertGreater(float(tamis_f), float(mean_f) + 0.3, first.stdout)

            again = tamis("demo", "--out", "demo", cwd=folder)  # the folder is there already
            self.assertEqual(again.returncode, 0, again.stderr)
            for name in PICTURES:
                self.assertEqual(Path(folder, "demo", name).read_bytes(), pictures[name], name)

    def test_says_where_it_cannot_write(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "occupied").write_text("a file, not a folder")
            result = tamis("demo", "--out", "occupied", cwd=folder)
            self.assertEqual(result.returncode, 3)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("occupied", result.stderr)


class Usage(unittest.TestCase):
    def check_refused(self, *arguments):
        result = tamis(*arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("tamis: "), result.stderr)

    def test_refuses_what_it_does_not_know(self):
        self.check_refused("demo", "--no-such-flag")
        self.check_refused("no-such-command")
        self.check_refused("demo", "--out")
        self.check_refused()

    def test_tells_its_version(self):
        result = tamis("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^tamis \d+\.\d+\.\d+\n$")

    def test_helps(self):
        result = tamis("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("demo", result.stdout)


if __name__ == "__main__":
    unittest.main()
