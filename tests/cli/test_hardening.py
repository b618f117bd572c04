"""The program as it was linked: what protects it when something in it is wrong after all."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

PROGRAM = Path(os.environ["TAMIS_BINARY"])
MODULES = sorted(PROGRAM.parent.glob("python/tamis/_core*.so"))


def readelf(flags, path):
    return subprocess.run(
        ["readelf", *flags, path], capture_output=True, text=True, check=True
    ).stdout


def flags(path):
    return re.findall(r"\w+", "".join(re.findall(r"\(FLAGS_1\)(.*)", readelf(["-dW"], path))))


def imported(path):
    """The names that a program takes from libraries."""
    lines = [line.split() for line in readelf(["--dyn-syms", "-W"], path).splitlines()]
    return {words[7].split("@")[0] for words in lines if len(words) > 7 and words[6] == "UND"}


@unittest.skipUnless(shutil.which("readelf"), "there is no readelf here")
class Linked(unittest.TestCase):
    def test_libraries_are_never_looked_for_where_the_program_is_started(self):
        for path in [PROGRAM, *MODULES]:
            for places in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", readelf(["-dW"], path)):
                for place in places.split(":"):
                    with self.subTest(path=path.name, place=place):
                        self.assertRegex(place, r"^(/|\$ORIGIN)")


@unittest.skipUnless(os.environ.get("TAMIS_HARDENED") == "ON", "built without TAMIS_HARDEN")
@unittest.skipUnless(shutil.which("readelf"), "there is no readelf here")
class Hardened(unittest.TestCase):
    def test_the_program_can_be_loaded_anywhere(self):
        self.assertRegex(readelf(["-hW"], PROGRAM), r"Type:\s+DYN")
        self.assertIn("PIE", flags(PROGRAM))

    def test_tables_of_addresses_are_read_only(self):
        for path in [PROGRAM, *MODULES]:
            with self.subTest(path.name):
                self.assertIn("GNU_RELRO", readelf(["-lW"], path))
                self.assertIn("NOW", flags(path))

    def test_nothing_is_both_written_and_executed(self):
        for path in [PROGRAM, *MODULES]:
            with self.subTest(path.name):
                segments = readelf(["-lW"], path)
                pattern = r"^  (LOAD|GNU_STACK)\s+(?:0x\w+\s+){5}([RWE ]+?)\s+0x"
                found = re.findall(pattern, segments, re.MULTILINE)
                self.assertIn("GNU_STACK", dict(found))
                self.assertGreater(len(found), 3)
                for segment, how in found:
                    self.assertFalse("W" in how and "E" in how, f"{segment} {how}")

    def test_the_stack_and_calls_of_the_c_library_are_guarded(self):
        for path in [PROGRAM, *MODULES]:
            with self.subTest(path.name):
                self.assertIn("__stack_chk_fail", imported(path))
        checked = {"__memcpy_chk", "__memset_chk", "__memmove_chk", "__read_chk", "__snprintf_chk"}
        self.assertTrue(checked & imported(PROGRAM))
        self.assertIn("_ZSt21__glibcxx_assert_failPKciS0_S0_", imported(PROGRAM))


if __name__ == "__main__":
    unittest.main()
