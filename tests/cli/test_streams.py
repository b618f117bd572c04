"""Streams as input: frames that come from another program, without an end."""

import os
import shutil
import signal
import socket
import subprocess
import unittest

import numpy as np
from _tamis import Case, Terminal

PICTURE = "testsrc=size=96x64:rate=50"  # FFmpeg's moving test picture


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not there to send a stream")
class Streams(Case):
    def send(self, *output):
        """FFmpeg sends the test picture until the test is over."""
        sender = subprocess.Popen(
            ["ffmpeg", "-loglevel", "error", "-re", "-f", "lavfi", "-i", PICTURE, "-g", "10", *output],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(sender.wait)
        self.addCleanup(sender.kill)

    def tcp(self):
        """A stream that waits for who wants to see it."""
        port = free_port()
        self.send("-c:v", "mpeg2video", "-f", "mpegts", f"tcp://127.0.0.1:{port}?listen=1")
        # Whoever only looks whether it is there has taken its place: the table of sockets tells.
        waiting = f"0100007F:{port:04X} 00000000:0000 0A"
        self.wait_until(lambda: waiting in open("/proc/net/tcp", encoding="ascii").read())
        return f"tcp://127.0.0.1:{port}"

    def rtsp(self):
        """Here the sender comes to the receiver, because FFmpeg is no server."""
        url = f"rtsp://127.0.0.1:{free_port()}/street"
        os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "rtsp_flags;listen"
        self.addCleanup(os.environ.pop, "OPENCV_FFMPEG_CAPTURE_OPTIONS")
        return url

    def stopped(self, process, terminal):
        """What it leaves when Ctrl-C is pressed after the first frames."""
        terminal.close_theirs()
        terminal.read(until="frames")
        process.send_signal(signal.SIGINT)
        terminal.read()
        result = self.finish(process)
        terminal.close()
        self.assertEqual(result.code, 0, terminal.text)
        masks = self.load("masks.npy")
        self.assertEqual(masks.shape[1:], (64, 96))
        self.assertGreater(len(masks), 0)
        self.assertTrue(set(np.unique(masks)) <= {0, 255})

    def test_tcp_until_enough(self):
        self.tamis("separate", self.tcp(), "--limit", "60", "--background", "b.npy", "--quiet")
        self.assertEqual(self.load("b.npy").shape, (60, 64, 96))

    def test_tcp_until_stopped(self):
        terminal = Terminal()
        process = self.start("separate", self.tcp(), "--live", "--mask", "masks.npy",
                             stderr=terminal.theirs)
        self.stopped(process, terminal)

    def test_rtsp_until_stopped(self):
        terminal = Terminal()
        url = self.rtsp()
        process = self.start("separate", url, "--live", "--mask", "masks.npy",
                             stderr=terminal.theirs)
        port = int(url.split(":")[2].split("/")[0])
        self.wait_until(lambda: f":{port:04X} 00000000:0000 0A"
                        in open("/proc/net/tcp", encoding="ascii").read())
        self.send("-c:v", "mpeg4", "-f", "rtsp", "-rtsp_transport", "tcp", url)
        self.stopped(process, terminal)

    def test_fit_learns_from_a_stream(self):
        self.tamis("fit", self.tcp(), "--rank", "3", "--limit", "40", "--out", "m.h5", "--quiet")
        self.assertEqual(self.model()["samples"], 40)

    def test_nobody_there(self):
        self.refused(3, "separate", f"tcp://127.0.0.1:{free_port()}", "--mask", "m.npy",
                     says=["no frame comes from it"])


if __name__ == "__main__":
    unittest.main()
