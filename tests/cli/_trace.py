"""What the program asks of the system, by strace."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from _tamis import Case

SOCKETS = ("socket", "connect", "bind", "listen", "accept", "sendto", "sendmsg")
MAKING = ("creat", "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat",
          "rename", "renameat", "renameat2")  # fmt: skip
WATCHED = ",".join(["open", "openat", "execve", *MAKING, *SOCKETS])


def can_trace():
    if not shutil.which("strace"):
        return False
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True)
    return tried.returncode == 0


class Trace:
    """The system calls of a run: [(name, arguments as strace writes them, succeeded)]"""

    def __init__(self, text, folder):
        self.folder = folder
        self.calls = []
        for line in text.splitlines():
            match = re.match(r"^\d+ +(\w+)\((.*?)(?:\) += (\S+).*| <unfinished \.\.\.>)$", line)
            if match:
                self.calls.append((match[1], match[2], not (match[3] or "0").startswith("-")))

    def paths(self, arguments):
        """Where the file names in the arguments lead, without following links."""
        return [Path(os.path.normpath(self.folder / name))
                for name in re.findall(r'"((?:[^"\\]|\\.)*)"', arguments)]  # fmt: skip

    def sockets(self):
        return [call for call in self.calls if call[0] in SOCKETS]

    def programs(self):
        return [self.paths(arguments)[0] for name, arguments, _ in self.calls if name == "execve"]

    def opened(self):
        return {path for name, arguments, succeeded in self.calls
                if name in ("open", "openat") and succeeded
                for path in self.paths(arguments)[:1]}  # fmt: skip

    def made(self):
        """Every file and folder that was made, also those that are gone again."""
        return {path for name, arguments, succeeded in self.calls
                if succeeded and (name in MAKING or "O_CREAT" in arguments)
                for path in self.paths(arguments)}  # fmt: skip


class TracedCase(Case):
    def traced(self, *arguments, environment=None, code=0):
        """Runs the program, which must end with this code; what it did."""
        place = self.folder.parent / f"{self.folder.name}.trace"
        self.addCleanup(place.unlink, missing_ok=True)
        result = subprocess.run(
            ["strace", "-f", "-qq", "-s", "500", "-e", f"trace={WATCHED}", "-e", "signal=none",
             "-o", place, os.environ["TAMIS_BINARY"], *map(str, arguments)],
            cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env=dict(os.environ) | (environment or {}),
        )  # fmt: skip
        self.assertEqual(result.returncode, code, result.stderr)
        self.said = result.stderr
        return Trace(place.read_text(encoding="utf-8", errors="replace"), self.folder)
