"""The mutation check finds what can be changed, and goes on where it was interrupted."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from mutation.candidates import mutants_of  # noqa: E402
from mutation.record import Record, summary  # noqa: E402

TEXT = """// 1 + 1 < 2
int f(int a, int b) {
  return a < b ? a + b : -a;
}
"""


class Candidates(unittest.TestCase):
    def test_signs_and_comparisons_are_changed_one_at_a_time_and_comments_are_not(self):
        after = [mutant.after for mutant in mutants_of("f.cpp", TEXT)]
        self.assertEqual(after, ["return a <= b ? a + b : -a;", "return a < b ? a - b : -a;",
                                 "return a < b ? a + b : a;"])  # fmt: skip

    def test_the_changed_text_is_the_line_that_is_described(self):
        for mutant in mutants_of("f.cpp", TEXT):
            changed = mutant.apply(TEXT).splitlines()
            self.assertEqual(changed[mutant.line - 1].strip(), mutant.after)
            self.assertEqual(len(changed), len(TEXT.splitlines()))


class Interrupted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("include", "src", "tests"):
            (self.root / name).mkdir()
        (self.root / "src/f.cpp").write_text(TEXT)
        self.report = self.root / "report.json"
        self.mutants = mutants_of("src/f.cpp", TEXT)

    def record(self):
        return Record(self.report, self.root)

    def known(self):
        record = self.record()
        return [found["status"] if (found := record.find(m)) else None for m in self.mutants]

    def write(self, *statuses):
        record = self.record()
        results = [record.result(m, s, "", 1) for m, s in zip(self.mutants, statuses, strict=False)]
        record.write(summary(results, 3, 0))

    def test_nothing_is_known_at_first_nor_from_a_damaged_report(self):
        self.assertEqual(self.known(), [None] * 3)
        self.report.write_text('{"mutants": [')
        self.assertEqual(self.known(), [None] * 3)

    def test_what_was_tried_is_not_tried_again(self):
        self.write("killed", "survived")
        self.assertEqual(self.known(), ["killed", "survived", None])

    def test_what_survived_is_tried_again_when_tests_have_changed(self):
        self.write("killed", "survived", "invalid")
        (self.root / "tests/new_test.cpp").write_text("// more\n")
        self.assertEqual(self.known(), ["killed", None, "invalid"])

    def test_everything_is_tried_again_when_sources_have_changed(self):
        self.write("killed", "survived", "invalid")
        (self.root / "include/g.hpp").write_text("// more\n")
        self.assertEqual(self.known(), [None] * 3)

    def test_the_list_of_those_without_a_difference_is_read_anew(self):
        self.write("equivalent")
        self.assertEqual(self.known(), [None] * 3)

    def test_the_share_is_of_those_that_make_a_difference(self):
        record = self.record()
        statuses = ["killed", "killed", "killed", "survived", "equivalent", "invalid"]
        results = [record.result(self.mutants[0], status, "", 1) for status in statuses]
        self.assertEqual(summary(results, 9, 0)["noticed_percent"], 75)


if __name__ == "__main__":
    unittest.main()
