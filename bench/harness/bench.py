"""What every section is given."""

from dataclasses import dataclass, field
from pathlib import Path

from harness.data import Data
from harness.program import Program


@dataclass
class Bench:
    program: Program
    native: Program | None  # built for this machine only
    kernels: Path | None  # the Google Benchmark program
    data: Data
    folder: Path  # for files that are thrown away
    quick: bool
    threads: int
    sections: dict  # name → measure(bench)
    out: Path  # for pictures
    results: dict = field(default_factory=dict)
    pictures: dict = field(default_factory=dict)

    def section(self, name):
        """Results of another section, which is measured if it was not yet."""
        if name not in self.results:
            self.results[name] = self.sections[name](self)
        return self.results[name]

    @property
    def repeats(self):
        return 1 if self.quick else 3
