"""The program with a library preloaded (faults.cpp) that kills it, stops it or lets calls fail at a chosen moment."""

import os
from pathlib import Path

from _tamis import Case

MEMORY = "/dev/shm"  # files in memory: there fsync costs nothing


class Faulty(Case):
    def environment(self, fault="", log=None):
        """fault: as faults.cpp says; log: where to note what was done to files."""
        library = os.environ.get("TAMIS_FAULTS", "")
        if not os.path.exists(library):
            self.skipTest("the library that makes calls fail was not built (TAMIS_FAULTS)")
        found = os.environ | {"LD_PRELOAD": library, "TAMIS_FAULT": fault}
        found["TAMIS_FAULT_FOLDER"] = str(self.folder.resolve())
        if log is not None:
            found["TAMIS_FAULT_LOG"] = str(log)
        return found

    def run_faulty(self, fault, *arguments, stdin=None, log=None):
        streams = {"env": self.environment(fault, log)}
        if stdin is not None:
            streams["stdin"] = stdin
        return self.finish(self.start(*arguments, **streams))

    def start_and_stop(self, number, *arguments):
        """The program as it stands before a change of its files, until it gets SIGCONT."""
        process = self.start(*arguments, env=self.environment(f"stop:write:{number}"))
        seen = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.assertEqual(seen.si_code, os.CLD_STOPPED, "ended before it could be stopped")
        return process

    def changes(self, *arguments, stdin=None):
        """What a run that succeeds does to its files: a list of (what, name, …)."""
        log = self.folder.with_name(self.folder.name + ".log")
        self.addCleanup(lambda: log.unlink(missing_ok=True))
        log.unlink(missing_ok=True)
        result = self.run_faulty("", *arguments, stdin=stdin, log=log)
        self.assertEqual(result.code, 0, result)
        found = []
        for line in log.read_text().splitlines():
            what, *paths = line.split(" ")
            found.append((what, *[os.path.relpath(path, self.folder.resolve()) for path in paths]))
        return found


def in_memory():
    """A place for the folder of a test that writes to the disk very often."""
    return MEMORY if os.path.isdir(MEMORY) and os.access(MEMORY, os.W_OK) else None


def parts(folder):
    """Names of what was left unfinished."""
    return sorted(path.name for path in Path(folder).iterdir() if ".part" in path.name)
