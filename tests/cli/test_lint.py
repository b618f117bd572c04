"""The lint looks at every source, tells a finding once and goes on, and remembers what was clean.

clang-tidy is a stand-in that finds fault with every line in which the word BAD stands.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKS = "Checks: some\nHeaderFilterRegex: '[^ ]*\\.hpp$'\n"
STAND_IN = f"""#!{sys.executable}
import sys
from pathlib import Path

if "--version" in sys.argv:
    sys.exit(print("LLVM version 1"))
source = Path.cwd() / sys.argv[-1]
with open(Path(__file__).with_name("runs.txt"), "a") as runs:
    print(source.name, file=runs)
text = source.read_text()
together = [Path(line.split('"')[1]) for line in text.splitlines() if '.cpp"' in line]
sources = together or [source]
if any("BROKEN" in file.read_text() for file in sources):
    sys.exit("cannot be read")
if sum("int twice" in file.read_text() for file in sources) > 1:
    sys.exit(print(f"{{sources[1]}}:1:1: error: twice [clang-diagnostic-error]"))
files = sources + [header for file in sources for header in sorted(file.parent.glob("*.hpp"))
                   if f'"{{header.name}}"' in file.read_text()]
bad = [(file, n) for file in files
       for n, line in enumerate(file.read_text().splitlines(), 1) if "BAD" in line]
for file, n in bad:
    print(f"{{file}}:{{n}}:1: error: it is bad [some-check,-warnings-as-errors]\\nBAD\\n^")
sys.exit(1 if bad else 0)
"""


@unittest.skipUnless(shutil.which("git"), "no git is installed")
class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.write("scripts/lint.py", (ROOT / "scripts/lint.py").read_text(encoding="utf-8"))
        self.write("bin/clang-tidy", STAND_IN)
        (self.root / "bin/clang-tidy").chmod(0o755)
        self.write(".clang-tidy", CHECKS)
        self.write("src/a.cpp", '#include "shared.hpp"\n')
        self.write("src/b.cpp", '#include "shared.hpp"\n')
        self.write("cli/c.cpp", "int c;\n")
        self.write("src/shared.hpp", '#include "deep.hpp"\n')
        self.write("src/deep.hpp", "int deep;\n")
        self.compiled("cli/c.cpp", "src/a.cpp", "src/b.cpp")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        subprocess.run(["git", "add", "src", "cli"], cwd=self.root, check=True)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def compiled(self, *sources):
        entries = [{"directory": str(self.root), "file": str(self.root / source),
                    "command": f"c++ -o {source}.o -c {self.root / source}"} for source in sources]  # fmt: skip
        self.write("build/lint/compile_commands.json", json.dumps(entries))

    def runs(self):
        """The sources that clang-tidy got since the last time, a list."""
        record = self.root / "bin/runs.txt"
        found = sorted(record.read_text().splitlines())
        record.unlink()
        return found

    def lint(self, *paths):
        command = [sys.executable, "-B", self.root / "scripts/lint.py", *paths]
        environment = os.environ | {"PATH": f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout

    def summary(self):
        return json.loads((self.root / "build/lint/summary.json").read_text())

    def test_every_source_is_looked_at(self):
        code, output = self.lint()
        self.assertEqual(code, 0)
        for source in ["cli/c.cpp", "src/a.cpp", "src/b.cpp"]:
            self.assertIn(f"/3] {source}\n", output)
        self.assertIn("3 sources looked at, 0 findings", output)

    def test_a_finding_in_a_header_is_told_once_and_the_others_too(self):
        self.write("src/shared.hpp", "int shared;\nBAD\n")
        self.write("cli/c.cpp", "BAD\n")
        code, output = self.lint()
        self.assertEqual(code, 1)
        self.assertEqual(output.count("src/shared.hpp:2:1: error: it is bad"), 1)
        self.assertEqual(output.count("cli/c.cpp:1:1: error: it is bad"), 1)
        self.assertIn("    2  some-check\n3 sources looked at, 2 findings\n", output)

    def test_what_was_clean_is_looked_at_again_only_when_changed(self):
        self.write("cli/c.cpp", "BAD\n")
        self.lint()
        self.assertIn("1 sources looked at, 1 findings", self.lint()[1])
        self.write("cli/c.cpp", "int c;\n")
        self.assertEqual(self.lint()[0], 0)
        self.assertIn("\n0 sources looked at", self.lint()[1])
        self.write("src/deep.hpp", "int deeper;\n")
        self.assertIn("\n2 sources looked at, 0 findings", self.lint()[1])
        self.write("src/shared.hpp", "BAD\n")
        self.assertIn("2 sources looked at, 1 findings", self.lint()[1])
        self.write(".clang-tidy", CHECKS.replace("some", "others"))
        self.assertIn("3 sources looked at", self.lint()[1])

    def test_a_part_of_the_sources(self):
        self.write("cli/c.cpp", "BAD\n")
        code, output = self.lint("src")
        self.assertEqual(code, 0)
        self.assertIn("2 sources looked at", output)
        self.assertEqual(self.summary(), {"clean": 2, "sources": 3})

    def test_the_summary_is_of_the_sources_as_they_are(self):
        self.lint()
        self.assertEqual(self.summary(), {"clean": 3, "sources": 3})
        self.write("src/deep.hpp", "int deeper;\n")
        self.lint("cli")
        self.assertEqual(self.summary(), {"clean": 1, "sources": 3})
        self.lint("--", "--checks=-some")
        self.assertEqual(self.summary(), {"clean": 1, "sources": 3})

    def test_a_source_that_cannot_be_looked_at_is_no_clean_one(self):
        self.write("cli/c.cpp", "BROKEN\n")
        code, output = self.lint()
        self.assertEqual(code, 1)
        self.assertIn("could not be looked at: cli/c.cpp", output)

    def test_sources_are_looked_at_together_if_they_can_be_compiled_so(self):
        self.lint("--jobs", "1")
        self.assertEqual(self.runs(), ["together.cpp"])
        self.write("src/a.cpp", '#include "shared.hpp"\nint c;\n')  # a name of cli/c.cpp
        self.write("src/b.cpp", '#include "shared.hpp"\n#define B\n')
        self.write("cli/c.cpp", "// another\nint c;\n")
        self.assertEqual(self.lint("--jobs", "1")[0], 0)
        self.assertEqual(self.runs(), ["a.cpp", "b.cpp", "c.cpp"])

    def test_only_those_with_findings_are_looked_at_alone(self):
        self.write("src/b.cpp", "BAD\n")
        code, output = self.lint("--jobs", "1")
        self.assertEqual((code, output.count("it is bad")), (1, 1))
        self.assertEqual(self.runs(), ["b.cpp", "together.cpp"])
        self.assertEqual(self.summary(), {"clean": 2, "sources": 3})

    def test_what_cannot_be_compiled_together_after_all_is_looked_at_alone(self):
        for source in ["src/a.cpp", "src/b.cpp"]:
            self.write(source, "  int twice;\n")  # not where the lint expects it
        self.assertEqual(self.lint("--jobs", "1")[0], 0)
        self.assertEqual(self.runs(), ["a.cpp", "b.cpp", "c.cpp", "together.cpp"])
        self.assertEqual(self.summary(), {"clean": 3, "sources": 3})

    def test_a_header_of_the_same_name_elsewhere_is_another(self):
        self.write("cli/c.cpp", '#include "shared.hpp"\n')
        self.write("cli/shared.hpp", "int other;\n")
        subprocess.run(["git", "add", "cli"], cwd=self.root, check=True)
        self.lint()
        self.write("cli/shared.hpp", "int another;\n")
        self.assertIn("\n1 sources looked at", self.lint()[1])


if __name__ == "__main__":
    unittest.main()
