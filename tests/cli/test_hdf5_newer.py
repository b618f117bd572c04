"""HDF5 files of the newer format, in which chunks and links are found in many other ways: read as any
other file."""

import itertools
import unittest

import h5py
import numpy as np
from _tamis import Case


class Newer(Case):
    def setUp(self):
        super().setUp()
        self.V = np.random.default_rng(0).random((1500, 12)).astype("f4")
        self.save("v.npy", self.V, "f4")
        self.expected = self.dictionary_of("v.npy")

    def dictionary_of(self, source):
        self.tamis("fit", source, "--rank", 2, "--out", "m.h5", "--force", "--quiet")
        return self.model()["W"]

    def assert_same(self, source):
        np.testing.assert_array_equal(self.dictionary_of(source), self.expected)

    def test_lists_of_chunks(self):
        """One chunk, a fixed list, one that grows, a tree, with and without sizes of packed ones"""
        largest = [None, (None, 12), (None, None), (4000, 12)]
        packings = [{}, {"compression": "gzip", "shuffle": True}, {"fletcher32": True}]
        chunks = [(1, 12), (7, 5), (1500, 12)]
        for maxshape, packing, chunk in itertools.product(largest, packings, chunks):
            with self.subTest(maxshape=maxshape, packing=packing, chunk=chunk):
                with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
                    file.create_dataset("x", data=self.V, maxshape=maxshape, chunks=chunk, **packing)
                self.assert_same("x.h5")

    def test_large_groups(self):
        for libver, ordered, links in itertools.product(["latest", ("v108", "v108")], [False, True], [20, 900]):
            with self.subTest(libver=libver, ordered=ordered, links=links):
                with h5py.File(self.path("x.h5"), "w", libver=libver, track_order=ordered) as file:
                    for n in range(links):
                        file.create_group(f"a group with a rather long name, number {n}")
                    file["x"] = self.V
                self.assert_same("x.h5")
                self.assert_same("x.h5:x")

    def test_large_attributes(self):
        """Nobody asked for them."""
        with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
            file.create_dataset("x", data=self.V, chunks=(10, 12))
            for n in range(30):
                file["x"].attrs[f"short {n}"] = n
            file["x"].attrs["long"] = "x" * 30000
        self.assert_same("x.h5")

    def test_never_written(self):
        with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
            file.create_dataset("x", (1500, 12), "f4", chunks=(10, 12), fillvalue=0.5)
        self.save("half.npy", np.full((1500, 12), 0.5), "f4")
        np.testing.assert_array_equal(self.dictionary_of("x.h5"), self.dictionary_of("half.npy"))


if __name__ == "__main__":
    unittest.main()
