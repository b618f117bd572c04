"""What is written is true: examples in docstrings and documents run, stubs fit."""

import ast
import doctest
import importlib.util
import inspect
import pkgutil
import re
import subprocess
import sys
import unittest

from _data import ROOT

import tamis
from tamis import RobustNMF, _core

try:
    import tamis.dask

    HAS_DASK = True
except ImportError:
    HAS_DASK = False


class Documents(unittest.TestCase):
    def test_examples_in_docstrings(self):
        for found in pkgutil.iter_modules(tamis.__path__):
            if found.name in ("dask", "_blocks", "_cluster") and not HAS_DASK:
                continue
            module = importlib.import_module(f"tamis.{found.name}")
            failed, _ = doctest.testmod(module)
            self.assertEqual(failed, 0, found.name)
        self.assertGreater(doctest.testmod(tamis._estimator).attempted, 5)

    def test_examples_in_the_document(self):
        text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 3)
        script = "import os, tempfile; os.chdir(tempfile.mkdtemp())\n" + "\n".join(blocks)
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_public_function_has_a_numpydoc_docstring(self):
        import tamis.plot

        functions = [getattr(tamis.plot, name) for name in tamis.plot.__all__]
        for estimator in [RobustNMF] + ([tamis.dask.RobustNMF] if HAS_DASK else []):
            functions += [
                value for name, value in inspect.getmembers(estimator, inspect.isroutine)
                if not name.startswith("_") and value.__module__.startswith("tamis.")
            ]  # fmt: skip
        self.assertGreater(len(functions), 12)
        for function in functions:
            text = inspect.getdoc(function) or ""
            for name in inspect.signature(function).parameters:
                if name != "self":
                    pattern = rf"^\*{{0,2}}{name}( : |$)"
                    self.assertRegex(text, re.compile(pattern, re.MULTILINE), function.__name__)


class Stubs(unittest.TestCase):
    def test_the_parameters_are_those_of_the_library(self):
        script = ROOT / "scripts" / "python_stub.py"
        spec = importlib.util.spec_from_file_location("python_stub", script)
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        kept = (ROOT / "python" / "tamis" / "_parameters.pyi").read_text(encoding="utf-8")
        self.assertEqual(kept, made.stub(), f"run {script.name} again, see there")

    def test_the_extension_module_has_what_its_stub_says_and_no_more(self):
        stub = (ROOT / "python" / "tamis" / "_core.pyi").read_text(encoding="utf-8")
        classes = {}
        for node in ast.parse(stub).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = {
                    member.name for member in node.body if isinstance(member, ast.FunctionDef)
                }
        for name in ("Progress", "EncodeOptions", "Estimator32", "Estimator64"):
            told = classes[name] or classes["_Estimator"]
            there = {member for member in vars(getattr(_core, name)) if member[0] != "_"}
            self.assertEqual(there - {"dtype"}, told - {"__init__"}, name)

    def test_a_type_checker_agrees(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        result = subprocess.run(
            [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir=/dev/null",
             "--config-file", ROOT / "pyproject.toml", ROOT / "python" / "tamis"],
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
