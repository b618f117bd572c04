"""What the program does beside its work, as the system sees it: it talks to nobody, starts nothing,
and makes files only where its outputs are."""

import re
import unittest

import h5py
import numpy as np
from _tamis import Planted
from _trace import TracedCase, can_trace


@unittest.skipUnless(can_trace(), "strace does not work here")
class Isolation(TracedCase):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")

    def assert_alone(self, trace, outside=()):
        self.assertEqual(trace.sockets(), [])
        self.assertEqual(len(trace.programs()), 1)  # itself
        for path in trace.made():
            if path.parent not in outside:
                self.assertTrue(path.is_relative_to(self.folder), path)

    def test_commands_talk_to_nobody_and_write_beside_their_outputs(self):
        for arguments in [
            ["fit", "v.npy", "--rank", 4, "--out", "m.h5", "--codes", "H.npy", "--outliers", "R.h5",
             "--checkpoint", "c.h5", "--checkpoint-every", 2],
            ["encode", "m.h5", "v.npy", "--codes", "G.csv", "--outliers", "R.mtx"],
            ["denoise", "m.h5", "v.npy", "--out", "clean.npy"],
            ["inspect", "m.h5", "--basis", "basis.png"],
            ["info", "m.h5"],
            ["generate", "swimmer", "--copies", 1, "--out", "s.npy", "--truth", "truth"],
            ["generate", "video", "--frames", 40, "--height", 32, "--width", 40, "--out", "c.avi"],
            ["separate", "c.avi", "--background", "b.mp4", "--mask", "masks/"],
            ["evaluate", "psnr", "v.npy", "clean.npy"],
        ]:  # fmt: skip
            with self.subTest(arguments):
                self.assert_alone(self.traced(*arguments, "--quiet"))

    def test_an_address_is_the_exception(self):
        trace = self.traced("fit", "tcp://127.0.0.1:9", "--rank", 2, "--out", "m.h5", code=3)
        self.assertTrue(any("AF_INET" in arguments for _, arguments, _ in trace.sockets()))

    def test_temporary_files_have_names_that_nobody_can_guess(self):
        rows = ["%%MatrixMarket matrix coordinate real general", "40 5 200"]
        rows += [f"{i} {j} {i + j}" for j in range(1, 6) for i in range(40, 0, -1)]
        self.path("x.mtx").write_text("\n".join(rows) + "\n")
        place = self.path("temporary")
        place.mkdir()
        seen = set()
        for out in ["a.h5", "b.h5"]:
            trace = self.traced("fit", "x.mtx", "--rank", 2, "--out", out, "--quiet",
                                environment={"TMPDIR": str(place)})  # fmt: skip
            self.assert_alone(trace)
            made = {path.name for path in trace.made() if path.parent == place}
            self.assertTrue(made)
            for name in made:
                self.assertRegex(name, r"^tamis-\w{6}$")
            for _, arguments, _ in trace.calls:
                if "O_CREAT" in arguments and str(place) in arguments:
                    self.assertIn("O_EXCL, 0600", arguments)
            self.assertFalse(seen & made)
            seen |= made
        self.assertEqual(list(place.iterdir()), [])

    def test_a_disguised_image_reaches_no_other_decoder(self):
        # OpenCV hands these kinds to other libraries, by a file of which it gives away the name.
        jpeg2000, hdr = b"\0\0\0\x0cjP  \r\n\x87\n", b"#?RADIANCE\n"
        for beginning in [b"NITF02.10", b"\x93NUMPY", b"GIF89a", b"RIFF\0\0\0\0WEBP", b"v/1\x01",
                          jpeg2000, hdr, b"P7\n", b"Pf\n"]:  # fmt: skip
            self.path("x.png").write_bytes(beginning + bytes(200))
            with self.subTest(beginning):
                trace = self.traced("fit", "x.png", "--rank", 1, "--out", "m.h5", code=3)
                self.assertIn("x.png", self.said)
                self.assertEqual(trace.made(), set())

    def test_a_disguised_playlist_opens_nothing(self):
        self.path("secret.avi").write_bytes(b"RIFF")
        session = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n"
        for text in [
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nsecret.avi\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:9/a.ts\n",
            "ffconcat version 1.0\nfile secret.avi\n",
            session + "m=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
        ]:
            self.path("clip.mp4").write_text(text)
            with self.subTest(text):
                trace = self.traced("fit", "clip.mp4", "--rank", 1, "--out", "m.h5", code=3)
                self.assertIn("clip.mp4", self.said)
                self.assert_alone(trace)
                self.assertNotIn(self.path("secret.avi"), trace.opened())

    def test_a_file_does_not_load_code(self):
        chunk = np.ones((8, 4), "f4").tobytes()
        with h5py.File(self.path("x.h5"), "w") as file:
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_chunk((8, 4))
            properties.set_filter(32001, h5py.h5z.FLAG_OPTIONAL, ())  # Blosc's number
            space = h5py.h5s.create_simple((8, 4))
            array = h5py.h5d.create(file.id, b"x", h5py.h5t.IEEE_F32LE, space, properties)
            array.write_direct_chunk((0, 0), chunk, 0)
        fit = ["fit", "x.h5", "--rank", 2, "--out", "m.h5"]
        trace = self.traced(*fit, code=3)
        self.assertIn("filter 32001", self.said)
        asked = [call for call in trace.calls if re.search("hdf5.*plugin", call[1])]
        self.assertEqual(asked, [])
        # Only if he who runs it wants it
        plugins = self.path("plugins")
        plugins.mkdir()
        trace = self.traced(*fit, code=3, environment={"HDF5_PLUGIN_PATH": str(plugins)})
        self.assertIn(plugins, trace.opened())

    def test_a_model_does_not_read_other_files(self):
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--quiet")
        self.path("secret").write_bytes(self.load("v.npy")[:4].astype("f4").tobytes())
        with h5py.File(self.path("other.h5"), "w") as other:
            other["W"] = self.load("v.npy")[:4]
        for how in ["external", "link", "virtual"]:
            self.path("x.h5").write_bytes(self.path("m.h5").read_bytes())
            with h5py.File(self.path("x.h5"), "r+") as file:
                shape = file["W"].shape
                del file["W"]
                if how == "external":
                    place = [(str(self.path("secret")), 0, h5py.h5f.UNLIMITED)]
                    file.create_dataset("W", shape, "f4", external=place)
                elif how == "link":
                    file["W"] = h5py.ExternalLink("other.h5", "/W")
                else:
                    layout = h5py.VirtualLayout(shape, "f4")
                    layout[:] = h5py.VirtualSource("other.h5", "W", shape)
                    file.create_virtual_dataset("W", layout)
            with self.subTest(how):
                trace = self.traced("encode", "x.h5", "v.npy", "--codes", "H.npy", code=3)
                self.assertIn("/W", self.said)
                self.assertFalse({self.path("secret"), self.path("other.h5")} & trace.opened())


if __name__ == "__main__":
    unittest.main()
