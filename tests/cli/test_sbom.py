"""The bill of materials says what the program is made of: the truth is Debian's database."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from _tamis import Case

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ["TAMIS_BINARY"])


@unittest.skipUnless(shutil.which("dpkg-query"), "this is no Debian system")
@unittest.skipUnless(shutil.which("ninja") and (PROGRAM.parent / "build.ninja").exists(),
                     "not built by Ninja")  # fmt: skip
class Bill(Case):
    def setUp(self):
        super().setUp()
        self.write_bill("sbom.json")
        self.bill = json.loads(self.path("sbom.json").read_text(encoding="utf-8"))
        self.components = {part["name"]: part for part in self.bill["components"]}

    def write_bill(self, name):
        subprocess.run(
            [sys.executable, "-B", ROOT / "scripts" / "sbom.py", "--binary", PROGRAM,
             "--out", self.path(name)],
            check=True, capture_output=True,
        )  # fmt: skip

    def used(self, name):
        return {p["name"]: p["value"] for p in self.components[name]["properties"]}["tamis:used"]

    def find(self, beginning, how):
        """The one package of this beginning that is used like this, or several."""
        return [n for n in self.components if n.startswith(beginning) and self.used(n) == how]

    def test_what_is_linked_and_what_is_compiled_in(self):
        for beginning in ["libhdf5-1", "libhdf5-cpp-1", "libopencv-core", "libopencv-imgcodecs",
                          "libopencv-videoio", "libopenblas", "libtbb", "libfmt", "libhwy", "libc6",
                          "libstdc++"]:  # fmt: skip
            self.assertTrue(self.find(beginning, "linked"), beginning)
        for name in ["libeigen3-dev", "nlohmann-json3-dev", "libcli11-dev", "librandom123-dev"]:
            self.assertEqual(self.used(name), "headers")
        self.assertTrue(self.find("libavcodec", "loaded by others"))  # of OpenCV's video module
        self.assertNotIn("libgtest-dev", self.components)  # of tests only

    def test_versions_are_those_installed(self):
        answer = subprocess.run(
            ["dpkg-query", "-W", "-f=${Package}\t${Version}\n", *self.components],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        installed = dict(line.split("\t") for line in answer.splitlines())
        self.assertEqual({n: part["version"] for n, part in self.components.items()}, installed)

    def test_licences_are_told_where_they_can_be_read(self):
        named = [name for name, part in self.components.items() if part.get("licenses")]
        self.assertGreater(len(named), len(self.components) / 2)
        eigen = [licence["license"] for licence in self.components["libeigen3-dev"]["licenses"]]
        self.assertIn({"id": "MPL-2.0"}, eigen)

    def test_the_form_is_that_of_cyclonedx(self):
        self.assertEqual((self.bill["bomFormat"], self.bill["specVersion"]), ("CycloneDX", "1.5"))
        me = self.bill["metadata"]["component"]
        version = self.tamis("--version").out
        self.assertIn(me["version"], version)
        refs = [me["bom-ref"], *(part["bom-ref"] for part in self.bill["components"])]
        self.assertEqual(len(set(refs)), len(refs))
        graph = {entry["ref"]: entry["dependsOn"] for entry in self.bill["dependencies"]}
        self.assertEqual(set(graph), set(refs))
        reached, waiting = set(), [me["bom-ref"]]
        while waiting:
            ref = waiting.pop()
            if ref not in reached:
                reached.add(ref)
                waiting += graph[ref]
        self.assertEqual(reached, set(refs))  # nothing is there without a reason

    def test_the_same_program_gives_the_same_bill(self):
        self.write_bill("again.json")
        self.assertEqual(self.path("again.json").read_bytes(), self.path("sbom.json").read_bytes())


if __name__ == "__main__":
    unittest.main()
