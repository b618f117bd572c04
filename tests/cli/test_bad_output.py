"""Outputs that cannot be written: one line that names what is wrong, and nothing is left behind."""

import os
import unittest

import numpy as np
from _tamis import Case, Planted

ROOT = os.geteuid() == 0  # who may do anything, so that nothing is forbidden


class Outputs(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")
        self.once("m.h5", "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.fit = ["fit", "v.npy", "--rank", 4]

    def everywhere(self, place):
        """Every command and flag that writes to a place."""
        return [
            [*self.fit, "--out", place],
            [*self.fit, "--out", "n.h5", "--codes", place],
            [*self.fit, "--out", "n.h5", "--outliers", place],
            ["encode", "m.h5", "v.npy", "--codes", place],
            ["encode", "m.h5", "v.npy", "--outliers", place, "--codes", "H.npy"],
            ["denoise", "m.h5", "v.npy", "--out", place],
            ["denoise", "v.npy", "--out", place],
            ["inspect", "m.h5", "--basis", place],
        ]

    def test_a_folder_that_does_not_exist(self):
        for arguments in self.everywhere("no/where.npy"):
            with self.subTest(arguments):
                self.refused(3, *arguments, says=["no/where.npy"])
        self.refused(3, *self.fit, "--out", "v.npy/inside.h5", says=["v.npy/inside.h5"])
        fit = [*self.fit, "--out", "n.h5", "--checkpoint", "no/where.h5"]
        self.refused(3, *fit, says=["no/where.h5"])

    def test_the_name_is_taken(self):
        self.path("taken.npy").write_text("precious")
        for arguments in self.everywhere("taken.npy"):
            with self.subTest(arguments):
                self.refused(3, *arguments, says=["taken.npy", "--force"])
        self.assertEqual(self.path("taken.npy").read_text(), "precious")

    def test_force_replaces(self):
        for arguments in self.everywhere("taken.npy"):
            model = arguments[:-1] == [*self.fit, "--out"]
            name = "taken.png" if "inspect" in arguments else "taken.h5" if model else "taken.npy"
            arguments = [name if word == "taken.npy" else word for word in arguments]
            self.path(name).write_text("precious")
            with self.subTest(arguments):
                self.tamis(*arguments, "--force", "--quiet")
                self.assertNotEqual(self.path(name).read_bytes()[:8], b"precious")
                self.assertEqual([n for n in self.names() if n.endswith(".part")], [])

    def test_force_does_not_replace_a_folder_by_a_file(self):
        for name in ["folder.npy", "folder.png"]:
            self.path(name).mkdir()
            self.path(name).joinpath("precious").write_text("precious")
        picture = ["inspect", "m.h5", "--basis", "folder.png"]
        for arguments in [*self.everywhere("folder.npy")[:-1], picture]:
            with self.subTest(arguments):
                self.refused(3, *arguments, "--force", says=["folder."])

    def test_what_is_there_survives_a_failure(self):
        V = self.load("v.npy")
        V[-1, -1] = np.nan  # found late
        self.save("bad.npy", V)
        for name in ["old.h5", "old.npy"]:
            self.path(name).write_text("precious")
        fit = ["fit", "bad.npy", "--out", "old.h5", "--codes", "old.npy", "--force"]
        self.refused(3, *fit, says=["bad.npy"])
        self.refused(3, "encode", "m.h5", "bad.npy", "--codes", "old.npy", "--force")
        self.refused(3, "denoise", "m.h5", "bad.npy", "--out", "old.npy", "--force")

    def test_a_file_called_part_survives_a_refusal(self):
        for arguments in self.everywhere("x.npy")[::2]:
            self.path("x.npy").write_text("taken")
            self.path("x.npy.part").write_text("precious")
            with self.subTest(arguments):
                self.refused(3, *arguments, says=["x.npy"])

    def test_the_input_may_be_replaced_when_forced(self):
        before = self.load("v.npy")
        self.tamis("denoise", "m.h5", "v.npy", "--out", "clean.npy")
        self.tamis("denoise", "m.h5", "v.npy", "--out", "v.npy", "--force")
        np.testing.assert_array_equal(self.load("v.npy"), self.load("clean.npy"))
        self.assertEqual(self.load("v.npy").shape, before.shape)

    def test_nothing_else_that_is_read_is_replaced(self):
        os.link(self.path("v.npy"), self.path("other-name.npy"))
        os.symlink("m.h5", self.path("link.h5"))
        np.save(self.path("part-1.npy"), self.load("v.npy"))
        for arguments in [
            [*self.fit, "--out", "v.npy"],
            [*self.fit, "--out", "./other-name.npy"],
            [*self.fit, "--out", "n.h5", "--codes", "v.npy"],
            [*self.fit, "--out", "n.h5", "--checkpoint", "v.npy"],
            ["fit", "part-?.npy", "--rank", 4, "--out", "n.h5", "--outliers", "part-1.npy"],
            ["fit", "m.h5:/W", "--rank", 2, "--out", "m.h5"],
            ["encode", "m.h5", "v.npy", "--codes", "m.h5"],
            ["encode", "m.h5", "v.npy", "--codes", "link.h5:/H"],
            ["encode", "m.h5", "v.npy", "--outliers", "v.npy"],
            ["denoise", "m.h5", "v.npy", "--out", "m.h5"],
            ["inspect", "m.h5", "--basis", "m.h5"],
            ["generate", "corrupt", "v.npy", "--out", "v.npy"],
        ]:
            for flags in [[], ["--force"]]:
                with self.subTest(arguments, flags=flags):
                    self.refused(2, *arguments, *flags, says=["is read"])

    def test_pictures_that_are_read_are_not_replaced(self):
        self.tamis("generate", "video", "--frames", 4, "--height", 16, "--width", 16, "--out", "in")
        for arguments in [
            ["fit", "in", "--rank", 2, "--out", "n.h5", "--outliers", "in"],
            ["fit", "in/*.png", "--rank", 2, "--out", "n.h5", "--outliers", "in/"],
            ["separate", "in", "--mask", "in"],
            ["separate", "in", "--panel", "in/000001.png"],
            ["denoise", "in", "--rank", 2, "--out", "clean", "--panel", "in"],
            ["denoise", "in/000000.png", "--out", "c.png", "--missing-mask", "in/000001.png",
             "--panel", "in/000001.png"],
        ]:  # fmt: skip
            with self.subTest(arguments):
                self.refused(2, *arguments, "--force", says=["is read"])

    def test_a_state_stays_until_its_run_has_ended(self):
        self.tamis(*self.fit, "--out", "n.h5", "--checkpoint", "c.h5", "--checkpoint-every", 1)
        self.refused(2, *self.fit, "--out", "c.h5", "--resume", "c.h5", "--force", says=["is read"])
        self.tamis(*self.fit, "--out", "n.h5", "--resume", "c.h5", "--checkpoint", "c.h5", "--force")

    def test_an_ending_that_cannot_be_written(self):
        for arguments in self.everywhere("out.xyz")[1:-1]:  # models and pictures have one format
            with self.subTest(arguments):
                self.refused(3, *arguments, says=["out.xyz"])

    def test_the_same_output_twice(self):
        for arguments in [
            [*self.fit, "--out", "n.h5", "--codes", "x.npy", "--outliers", "x.npy"],
            [*self.fit, "--out", "x.npy", "--codes", "x.npy"],
            ["encode", "m.h5", "v.npy", "--codes", "x.npy", "--outliers", "x.npy"],
            [*self.fit, "--out", "n.h5", "--codes", "x.npy", "--outliers", "./x.npy"],
            [*self.fit, "--out", "n.h5", "--checkpoint", "n.h5"],
        ]:
            with self.subTest(arguments):
                self.refused(2, *arguments, says=["twice"])

    @unittest.skipIf(ROOT, "root may write everywhere")
    def test_no_permission_to_write(self):
        locked = self.path("locked")
        locked.mkdir(0o500)
        self.addCleanup(locked.chmod, 0o700)
        for arguments in self.everywhere("locked/x.npy"):
            with self.subTest(arguments):
                self.refused(3, *arguments, says=["locked/x.npy"])

    def test_a_place_where_nothing_can_be_written(self):
        if not os.path.isdir("/proc/self"):
            self.skipTest("there is no /proc here")
        for arguments in self.everywhere("/proc/self/x.npy")[::2]:
            with self.subTest(arguments):
                self.refused(3, *arguments, says=["/proc/self/x.npy"])


if __name__ == "__main__":
    unittest.main()
