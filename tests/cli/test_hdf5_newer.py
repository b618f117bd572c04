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

    def test_long_links(self):
        """Longer than what fits into the blocks in which links are kept"""
        for libver, ordered in itertools.product(["latest", ("v108", "v108")], [False, True]):
            with self.subTest(libver=libver, ordered=ordered):
                with h5py.File(self.path("x.h5"), "w", libver=libver, track_order=ordered) as file:
                    for n in range(300):
                        file[f"short {n}"] = h5py.SoftLink("/x")
                    for n in range(40):
                        file[f"long {n}"] = h5py.SoftLink("/" + "q" * (5000 + n))
                    file["m" * 5000] = 1.5
                    file["x"] = self.V
                self.assert_same("x.h5")
                self.assert_same("x.h5:x")

    def test_attributes_that_look_like_headers(self):
        """A long header is read in two parts, and the second may begin with any bytes."""
        self.save("half.npy", np.full((30, 8), 0.5), "f4")
        half = self.dictionary_of("half.npy")
        for seed in range(20):
            truth = np.random.default_rng(seed).random((20, 20 + seed)) < 0.5
            with self.subTest(seed=seed):
                with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
                    x = file.create_dataset("x", (30, 8), "f4", chunks=(30, 8), fillvalue=0.5)
                    x.attrs["truth"] = truth
                np.testing.assert_array_equal(self.dictionary_of("x.h5:x"), half)

    def test_attributes_with_words_of_the_format(self):
        """The second part begins with such a word."""
        self.save("half.npy", np.full((30, 8), 0.5), "f4")
        half = self.dictionary_of("half.npy")
        for word, length in itertools.product([b"TREE", b"SNOD", b"BTHD", b"FRHP"], range(1, 9)):
            with self.subTest(word=word, length=length):
                with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
                    x = file.create_dataset("x", (30, 8), "f4", fillvalue=0.5)
                    x.attrs["a" * length] = np.void(word * 200)
                np.testing.assert_array_equal(self.dictionary_of("x.h5:x"), half)

    def test_large_attributes(self):
        """Nobody asked for them."""
        with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
            file.create_dataset("x", data=self.V, chunks=(10, 12))
            for n in range(30):
                file["x"].attrs[f"short {n}"] = n
            file["x"].attrs["long"] = "x" * 30000
        self.assert_same("x.h5")

    def test_chunks_of_any_type(self):
        """Also where an entry is only the place of what it has"""
        types = {
            "texts": h5py.string_dtype(),
            "lists": h5py.vlen_dtype("i4"),
            "references": h5py.ref_dtype,
            "regions": h5py.regionref_dtype,
            "names": h5py.enum_dtype({"A": 1, "BBBBBBBBB": 2}, "i2"),
            "records": np.dtype([("a", "i4", (2, 3)), ("b", [("x", "f8"), ("y", "S7")])]),
            "blocks": np.dtype(("f8", (2, 3))),
            "bytes": "V10",
            "truth": "?",
            "complex": "c16",
            "long": "longdouble",
        }
        for libver in ("earliest", "latest"):
            with h5py.File(self.path("x.h5"), "w", libver=libver) as file:
                for name, dtype in types.items():
                    file.create_dataset(name, (7,), dtype=dtype, chunks=(3,), maxshape=(None,))
                for name in ("lists", "records", "complex"):
                    file[f"type of {name}"] = np.dtype(types[name])
                    file.create_dataset(f"named {name}", (7,), dtype=file[f"type of {name}"], chunks=(3,))
            result = self.run_tamis("fit", "x.h5", "--rank", 2, "--out", "of_x.h5")
            self.assertIn("has no array of numbers", result.err)
            self.assertIn("/lists", result.err)
            self.assertNotIn("damaged", result.err)

    def test_never_written(self):
        with h5py.File(self.path("x.h5"), "w", libver="latest") as file:
            file.create_dataset("x", (1500, 12), "f4", chunks=(10, 12), fillvalue=0.5)
        self.save("half.npy", np.full((1500, 12), 0.5), "f4")
        np.testing.assert_array_equal(self.dictionary_of("x.h5"), self.dictionary_of("half.npy"))


if __name__ == "__main__":
    unittest.main()
