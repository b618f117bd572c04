"""Builds the extension module by CMake; all else is said in pyproject.toml."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(tamis VERSION ([0-9.]+)", text)[1]


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        build = ROOT / "build" / "pip"
        off = [f"-DTAMIS_BUILD_{part}=OFF" for part in ("PROGRAM", "TESTS", "EXAMPLES")]
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", build, *(["-GNinja"] if shutil.which("ninja") else []),
             "-DCMAKE_BUILD_TYPE=Release", "-DTAMIS_BUILD_PYTHON=ON", *off,
             "-DTAMIS_INSTALL=OFF", f"-DPython_EXECUTABLE={sys.executable}"],
            check=True,
        )  # fmt: skip
        jobs = str(os.cpu_count() or 2)
        subprocess.run(
            ["cmake", "--build", build, "--target", "tamis-python", "--parallel", jobs], check=True
        )
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / "python" / "tamis" / target.name, target)


setup(
    version=version(),
    ext_modules=[Extension("tamis._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
    options={"build": {"build_base": "build/pip/setuptools"}},
)
