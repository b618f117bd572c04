"""The mutation check finds the places that it should, and leaves alone what is no code."""

import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from mutation.candidates import blanked, mutants_of  # noqa: E402

CODE = """// a + b is a comment
#include <vector>
template <class T>
T f(const std::vector<T>& x, int n) {
  const char* text = "1 + 1";
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * T(0.5);
  if (!(sum >= 2) && n != 10) return -sum;
  return std::max(sum, T(1)) - sum / 3;
}
"""


class Candidates(unittest.TestCase):
    def changed(self, code=CODE):
        return {(mutant.before, mutant.after) for mutant in mutants_of("f.cpp", code)}

    def test_signs_bounds_comparisons_and_constants(self):
        found = self.changed()
        loop = "for (int i = 0; i < n; ++i) sum += x[i] * T(0.5);"
        condition = "if (!(sum >= 2) && n != 10) return -sum;"
        result = "return std::max(sum, T(1)) - sum / 3;"
        for before, after in [
            (loop, loop.replace("i < n", "i <= n")),
            (loop, loop.replace("+=", "-=")),
            (loop, loop.replace(" * ", " / ")),
            (loop, loop.replace("i = 0", "i = 1")),
            (condition, condition.replace(">=", ">")),
            (condition, condition.replace("&&", "||")),
            (condition, condition.replace("!=", "==")),
            (condition, condition.replace("(!(", "((")),
            (condition, condition.replace("-sum", "sum")),
            (result, result.replace("max", "min")),
            (result, result.replace("T(1)", "T(0)")),
            (result, result.replace(" - ", " + ")),
            ("T sum = 0;", "T sum = 1;"),
        ]:
            self.assertIn((before, after), found)
        self.assertEqual(len(found), 14)  # and the quotient; not the 0.5, the 10, the 2, the 3

    def test_what_is_no_code_is_left_alone(self):
        for before, _ in self.changed():
            self.assertNotIn("comment", before)
            self.assertNotIn("text", before)
            self.assertNotIn("template", before)
        self.assertEqual(len(blanked(CODE)), len(CODE))
        self.assertEqual(blanked(CODE).count("\n"), CODE.count("\n"))

    def test_each_changes_one_place(self):
        for mutant in mutants_of("f.cpp", CODE):
            lines = zip(CODE.splitlines(), mutant.apply(CODE).splitlines(), strict=True)
            different = [i for i, (one, other) in enumerate(lines, 1) if one != other]
            self.assertEqual(different, [mutant.line])


class Equivalents(unittest.TestCase):
    """What is excused is still there, and somebody said why."""

    def test_each_is_a_possible_change_with_a_reason(self):
        path = ROOT / "scripts" / "mutation" / "equivalent.json"
        for one in json.loads(path.read_text(encoding="utf-8")):
            with self.subTest(one["after"]):
                text = (ROOT / one["file"]).read_text(encoding="utf-8")
                possible = {(m.before, m.after) for m in mutants_of(one["file"], text)}
                self.assertIn((one["before"], one["after"]), possible)
                self.assertGreater(len(one["reason"]), 15)


if __name__ == "__main__":
    unittest.main()
