"""What became of the mutants so far, kept as it comes: a check that was interrupted goes on.

A result holds as long as the sources are what they were. One that survived is tried again when
tests have changed since: one of them may notice it now.
"""

import hashlib
import json

COUNTED = ("killed", "survived", "invalid", "equivalent")


def fingerprint(root, *folders):
    """Of all files in these folders, by name and content."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(f for f in (root / folder).rglob("*") if f.suffix in (".cpp", ".hpp")):
            digest.update(str(file.relative_to(root)).encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class Record:
    def __init__(self, file, root):
        self.file = file
        self.now = {"sources": fingerprint(root, "include", "src"),
                    "tests": fingerprint(root, "tests")}  # fmt: skip
        self.known = {}
        try:
            known = json.loads(file.read_text(encoding="utf-8"))["mutants"]
            self.known = {self.key(one): one for one in known if self.holds(one)}
        except (OSError, ValueError, KeyError):
            pass  # the first time, or it was written by something else

    @staticmethod
    def key(result):
        return result["file"], result["begin"], result["after"]

    def holds(self, result):
        if result["status"] == "equivalent":  # the list of them may have changed
            return False
        unchanged = result["sources"] == self.now["sources"]
        return unchanged and (result["status"] != "survived" or result["tests"] == self.now["tests"])

    def find(self, mutant):
        return self.known.get((mutant.file, mutant.begin, mutant.after))

    def result(self, mutant, status, by, seconds):
        return {"file": mutant.file, "line": mutant.line, "begin": mutant.begin,
                "before": mutant.before, "after": mutant.after, "status": status, "by": by,
                "seconds": round(seconds, 1), **self.now}  # fmt: skip

    def write(self, summary):
        """At once and as a whole: an end in the middle leaves the one before."""
        beside = self.file.with_suffix(".new")
        beside.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
        beside.replace(self.file)


def summary(results, total, seed):
    count = {status: sum(r["status"] == status for r in results) for status in COUNTED}
    judged = count["killed"] + count["survived"]
    return {"candidates": total, "seed": seed, "tried": len(results), **count,
            "noticed_percent": round(100 * count["killed"] / judged, 1) if judged else None,
            "mutants": results}  # fmt: skip
