"""The package can be installed by the commands in the README, without downloading anything."""

import importlib.util
import os
import re
import subprocess
import sys
import unittest

from _data import ROOT, Case


def commands():
    """Those of the README that make an environment and install the package there."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith(("/usr/bin/python3 -m venv", "env/"))]


class Install(Case):
    def test_pip_install(self):
        for module in ("ensurepip", "pip", "setuptools", "wheel"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"Python's {module} is not installed")
        env = self.folder / "env"
        outside = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        # What pip could download is not there.
        outside |= {"PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1", "PIP_NO_INPUT": "1"}
        found = commands()
        self.assertEqual(len(found), 2)
        for command in found:
            words = command.replace("/usr/bin/python3 ", f"{sys.executable} ").split()
            words = [str(env) + w[3:] if w == "env" or w.startswith("env/") else w for w in words]
            result = subprocess.run(words, cwd=ROOT, env=outside, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        script = (
            "import tamis, numpy, os\n"
            "print(os.path.dirname(tamis.__file__), tamis.__version__)\n"
            "tamis.RobustNMF(2).fit(numpy.random.random((100, 5)))\n"
            "assert 'py.typed' in os.listdir(os.path.dirname(tamis.__file__))\n"
        )
        result = subprocess.run(
            [env / "bin" / "python", "-c", script],
            cwd=self.folder, env=outside, capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(env), result.stdout)


if __name__ == "__main__":
    unittest.main()
