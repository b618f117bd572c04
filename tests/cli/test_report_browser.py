"""The report of experiments in a real browser: it shows something, and fits a phone."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html import escape
from pathlib import Path

import numpy as np
from _experiment import EXPERIMENTS, write_data
from _experiments import Results
from PIL import Image

REPORT = Path(__file__).resolve().parents[2] / "experiments" / "report.py"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)
DESKTOP, PHONE = 1200, 390  # pixels
HEIGHT = 2400
# What a page has measured about itself, told to the page that it is framed by.
PROBE = """<script>
const root = document.documentElement, wide = [];
for (const element of document.querySelectorAll("body *"))
  if (element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, pre"))
    wide.push(element.tagName + "." + element.className);
parent.document.documentElement.setAttribute(
  "data-probe", [innerWidth, root.scrollWidth, wide.slice(0, 5)].join(" "));
</script></body>"""


@unittest.skipUnless(BROWSER, "no Chromium is installed (scripts/browser-packages.txt)")
@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class InABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tamis-browser-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        out = cls.folder / "out"
        cls.make_results(out)
        subprocess.run([sys.executable, "-B", REPORT, out], check=True, capture_output=True)
        cls.page = out / "report.html"

    @staticmethod
    def make_results(out):
        Results(out, points=60).write("convergence", "denoising", "shadow")

    def browse(self, page, width, *flags):
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--force-device-scale-factor=1", f"--user-data-dir={self.folder / 'profile'}",
                   f"--window-size={width},{HEIGHT}", *flags, page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def screenshot(self, width, *flags):
        path = self.folder / f"{width}.png"
        self.browse(self.page, width, f"--screenshot={path}", *flags)
        with Image.open(path) as picture:
            self.assertEqual(picture.size, (width, HEIGHT))
            shown = np.asarray(picture.convert("RGB"))
        keep = os.environ.get("TAMIS_SCREENSHOTS")  # for those who want to look themselves
        if keep:
            shutil.copy(path, Path(keep) / f"report{''.join(flags and ['-dark'])}-{width}.png")
        return shown

    def assert_filled(self, shown):
        """Text and lines from top to bottom: no blank stretch, and verdicts in their colours."""
        for strip in np.array_split(shown, 6):
            self.assertGreater(len(np.unique(strip.reshape(-1, 3), axis=0)), 20)
            self.assertGreater(strip.std(), 8)

    def test_it_is_shown_on_a_desktop_and_on_a_phone(self):
        for width in (DESKTOP, PHONE):
            with self.subTest(width=width):
                shown = self.screenshot(width)
                self.assert_filled(shown)
                self.assertGreater(shown[0, 0].min(), 200, "a light page")

    def test_it_is_dark_for_those_who_prefer_that(self):
        shown = self.screenshot(DESKTOP, "--blink-settings=preferredColorScheme=0")
        self.assert_filled(shown)
        self.assertLess(shown[0, 0].max(), 60)

    def test_nothing_but_what_scrolls_is_wider_than_the_window(self):
        page = escape(self.page.read_text(encoding="utf-8").replace("</body>", PROBE))
        framing = self.folder / "framing.html"
        for width in (DESKTOP, PHONE):
            with self.subTest(width=width):
                # In a frame: Chromium's windows are never narrower than 500 pixels.
                framing.write_text(f'<meta charset="utf-8"/><iframe width="{width}" height="800" '
                                   f'frameborder="0" srcdoc="{page}"></iframe>', encoding="utf-8")
                shown = self.browse(framing, DESKTOP, "--dump-dom")
                found = re.search(r'data-probe="([^"]*)"', shown)
                inner, scrolled, *wide = found[1].split(" ")
                self.assertEqual(int(inner), width)
                self.assertLessEqual(int(scrolled), width)
                self.assertEqual("".join(wide), "")


def has_experiments(program):
    asked = [program, "experiment", "--help"]
    return bool(program) and subprocess.run(asked, capture_output=True).returncode == 0


@unittest.skipUnless(has_experiments(os.environ.get("TAMIS_BINARY")), "no program with experiments")
class OfARealRun(InABrowser):
    """The same of what the program itself has measured, all of it in small."""

    @staticmethod
    def make_results(out):
        data = out.parent / "data"
        write_data(data)
        subprocess.run([os.environ["TAMIS_BINARY"], "experiment", "all", "--out", out, "--data", data,
                        "--scale", "0.001", "--runs", "1", "--quiet"],
                       check=True, capture_output=True)

    def test_every_experiment_is_on_the_page(self):
        page = self.page.read_text(encoding="utf-8")
        for name in EXPERIMENTS:
            self.assertIn(f'id="{name}"', page)


if __name__ == "__main__":
    unittest.main()
