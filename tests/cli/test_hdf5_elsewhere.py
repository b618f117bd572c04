"""HDF5 arrays whose entries lie in other files, as those of large measurements do: read from there, or
an error, but never the zeros that the library has for what it does not find."""

import os
import unittest

import h5py
import numpy as np
from _tamis import Case


def samples(first=0):
    return np.arange(first, first + 60, dtype="f4").reshape(12, 5) % 17 / 17


class Elsewhere(Case):
    def setUp(self):
        super().setUp()
        self.path("far").mkdir()
        self.write("far/one.h5", samples())

    def write(self, name, array, **options):
        with h5py.File(self.path(name), "w") as file:
            file.create_dataset("x", data=array, **options)

    def virtual(self, name, sources, shape=(12, 5), array="x"):
        layout = h5py.VirtualLayout((shape[0] * len(sources), shape[1]), "f4")
        for i, source in enumerate(sources):
            layout[i * shape[0] : (i + 1) * shape[0]] = h5py.VirtualSource(source, array, shape)
        with h5py.File(self.path(name), "w", libver="latest") as file:
            file.create_virtual_dataset("x", layout)

    def dictionary_of(self, source, **environment):
        process = self.start("fit", source, "--rank", 2, "--out", "m.h5", "--force", "--quiet",
                             env=os.environ | environment)  # fmt: skip
        result = self.finish(process)
        self.assertEqual(result.code, 0, result)
        return self.model()["W"]

    def assert_same(self, source, array, **environment):
        self.save("same.npy", array)
        expected = self.dictionary_of("same.npy")
        np.testing.assert_array_equal(self.dictionary_of(source, **environment), expected)

    def assert_refused(self, source, *says):
        self.refused(3, "fit", source, "--rank", 2, "--out", "bad.h5", says=says)

    def test_links(self):
        for options in [{}, {"chunks": (4, 5), "compression": "gzip"}]:
            self.write("far/one.h5", samples(), **options)
            with h5py.File(self.path("x.h5"), "w") as file:
                file["link"] = h5py.ExternalLink("far/one.h5", "/x")
                file["group/soft"] = h5py.SoftLink("/link")
                file["x"] = np.ones((3, 4))
            with self.subTest(**options):
                self.assert_same("x.h5:/link", samples())
                self.assert_same("x.h5:/group/soft", samples())
        self.path("far/one.h5").unlink()
        self.assert_refused("x.h5:/link", "x.h5", "link")

    def test_virtual_arrays(self):
        self.write("far/two.h5", samples(7), chunks=(4, 5), compression="gzip")
        self.virtual("x.h5", ["far/one.h5", "far/two.h5"])
        both = np.concatenate([samples(), samples(7)])
        self.assert_same("x.h5", both)
        self.virtual("of virtual.h5", ["x.h5"], (24, 5))
        self.assert_same("of virtual.h5", both)

    def test_virtual_arrays_that_grow_with_their_source(self):
        self.write("far/one.h5", samples(), maxshape=(None, 5))
        with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
            layout = h5py.VirtualLayout((12, 5), "f4", maxshape=(None, 5))
            source = h5py.VirtualSource("far/one.h5", "x", (12, 5), maxshape=(None, 5))
            layout[: h5py.h5s.UNLIMITED] = source[: h5py.h5s.UNLIMITED]
            file.create_virtual_dataset("x", layout)
        self.assert_same("x.h5", samples())
        more = np.concatenate([samples(), samples(7)])
        self.write("far/one.h5", more, maxshape=(None, 5))
        self.assert_same("x.h5", more)

    def test_found_beside_the_file_from_anywhere(self):
        self.virtual("far/x.h5", ["one.h5"])
        self.assert_same("far/x.h5", samples())
        self.virtual("by prefix.h5", ["one.h5"])
        self.assert_same("by prefix.h5", samples(), HDF5_VDS_PREFIX=str(self.path("far")))

    def test_what_is_missing_is_not_zero(self):
        self.virtual("x.h5", ["far/one.h5", "far/two.h5"])
        self.assert_refused("x.h5", "x.h5", "far/two.h5", "not there")
        self.write("far/two.h5", samples()[:9])
        self.assert_refused("x.h5", "far/two.h5", "smaller")
        self.path("far/two.h5").write_bytes(b"something else")
        self.assert_refused("x.h5", "far/two.h5", "cannot be read")
        with h5py.File(self.path("far/two.h5"), "w") as file:
            file["y"] = samples()
        self.assert_refused("x.h5", "far/two.h5", "not there")

    def test_circles(self):
        self.virtual("itself.h5", ["itself.h5"])
        self.virtual("dot.h5", ["."])
        self.virtual("a.h5", ["b.h5"])
        self.virtual("b.h5", ["a.h5"])
        for name in ["itself.h5", "dot.h5", "a.h5"]:
            with self.subTest(name):
                self.assert_refused(name, "refers to itself")

    def test_numbered_files(self):
        with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
            space = h5py.h5s.create_simple((12, 5), (h5py.h5s.UNLIMITED, 5))
            one = h5py.h5s.create_simple((12, 5))
            space.select_hyperslab((0, 0), (h5py.h5s.UNLIMITED, 1), (12, 1), (12, 5))
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_virtual(space, b"far/%b.h5", b"x", one)
            h5py.h5d.create(file.id, b"x", h5py.h5t.IEEE_F32LE, space, properties)
        self.assert_refused("x.h5", "%b")

    def test_plain_files(self):
        raw = samples().tobytes()
        self.path("raw").write_bytes(b"head" + raw)
        with h5py.File(self.path("x.h5"), "w") as file:
            halves = [("raw", 4, 120), ("raw", 124, h5py.h5f.UNLIMITED)]
            file.create_dataset("x", (12, 5), "f4", external=halves)
        self.assert_same("x.h5", samples())
        for damaged in [raw, raw[:100]]:
            self.path("raw").write_bytes(damaged)
            self.assert_refused("x.h5", "raw", "smaller")
        self.path("raw").unlink()
        self.assert_refused("x.h5", "raw", "not there")
        os.mkfifo(self.path("raw"))
        self.assert_refused("x.h5", "raw")

    def test_large_samples_in_small_files(self):
        large = np.arange(3 * 4_000_000, dtype="f4").reshape(3, -1) % 13
        self.write("far/large.h5", large)
        self.virtual("x.h5", ["far/large.h5"], large.shape)
        with h5py.File(self.path("x.h5")) as file:
            self.assertEqual(file["x"].shape, large.shape)
        self.assert_same("x.h5", large)


if __name__ == "__main__":
    unittest.main()
