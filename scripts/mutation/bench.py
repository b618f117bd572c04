"""Builds and judges one mutant, with as little work as will do.

The release build's objects are the starting point. Only the files that a mutant touches are
compiled again, from a copy of the sources and with little optimisation, and linked in front of the
library, so that what they define is taken from them. Assertions of Eigen and of the C++ library are
on in them, as in the project's development build.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

DROPPED = {"-DNDEBUG", "-Winvalid-pch", "-Werror"}
EXTRA = ["-O1", "-w", "-D_GLIBCXX_ASSERTIONS"]
PRECOMPILED = "#include <Eigen/Dense>\n#include <fmt/format.h>\n#include <vector>\n"
FOLDERS = ("include", "src", "tests")
LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []  # several times faster, if it is there


class Bench:
    def __init__(self, root, build, work):
        self.root, self.build, self.work = root, build, work
        self.tree = work / "tree"
        for folder in FOLDERS:
            shutil.rmtree(self.tree / folder, ignore_errors=True)
            shutil.copytree(root / folder, self.tree / folder)
        (work / "objects").mkdir(parents=True, exist_ok=True)
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {}
        for entry in commands:
            name = os.path.relpath(entry["file"], root)
            words = shlex.split(entry["command"])
            self.commands[name] = (words, words[words.index("-o") + 1])
        self.users = self.find_users()
        self.links = {}
        self.precompiled = {}

    def find_users(self):
        """{header: [source files that include it]}, both from the root of the project"""
        users, object_of = {}, {made: name for name, (_, made) in self.commands.items()}
        text = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], check=True,
                              capture_output=True, text=True).stdout  # fmt: skip
        current = None
        for line in text.splitlines():
            if line and not line.startswith(" "):
                current = object_of.get(line.split(": ")[0])
            elif current and line.strip():
                header = os.path.relpath(self.build / line.strip(), self.root)
                users.setdefault(header, []).append(current)
        return users

    def flags(self, name):
        words, _ = self.commands[name]
        kept, skip = [], False
        for word in words[1:]:
            if skip:
                skip = False
            elif word in ("-include", "-o", "-c"):
                skip = True
            elif word not in DROPPED and not re.match(r"-(O|W[^lp])", word):
                for folder in FOLDERS:
                    word = re.sub(rf"^(-I|){re.escape(str(self.root / folder))}\b",
                                  lambda m, f=folder: f"{m[1]}{self.tree / f}", word)  # fmt: skip
                kept.append(word)
        if f"-I{self.root / 'tests'}" in words:
            kept.append(f"-I{self.tree / 'tests'}")
        return [*kept, *EXTRA]

    def run(self, command, **more):
        return subprocess.run(command, cwd=self.build, capture_output=True, text=True,
                              errors="replace", **more)  # fmt: skip

    def header_for(self, compiler, flags, test):
        """A precompiled header for these flags: what takes most of the time otherwise."""
        key = tuple(flags), test
        if key not in self.precompiled:
            folder = self.work / f"precompiled{len(self.precompiled)}"
            folder.mkdir(exist_ok=True)
            header = folder / "all.hpp"
            header.write_text(PRECOMPILED + ("#include <gtest/gtest.h>\n" if test else ""))
            made = f"{header}.gch"
            self.run([compiler, *flags, "-x", "c++-header", header, "-o", made], check=True)
            self.precompiled[key] = header
        return self.precompiled[key]

    def compile(self, name):
        """The new object, or None if it cannot be compiled."""
        words, _ = self.commands[name]
        flags = self.flags(name)
        header = self.header_for(words[0], flags, name.startswith("tests/"))
        made = self.work / "objects" / (name.replace("/", "-") + ".o")
        done = self.run([words[0], *flags, "-include", header, "-c", self.tree / name, "-o", made])
        return made if done.returncode == 0 else None

    def link(self, program, objects):
        """objects: {source file: its new object}; what is new goes before what is old, so that
        functions defined in headers are taken from there too."""
        if program not in self.links:
            text = self.run(["ninja", "-t", "commands", program], check=True).stdout
            self.links[program] = shlex.split(text.strip().splitlines()[-1])
        words = [w for w in self.links[program] if w not in (":", "&&")]
        made = self.work / program
        words[words.index("-o") + 1] = str(made)
        new = []
        for name, file in objects.items():
            old = self.commands[name][1]
            if old in words:
                words.remove(old)
            elif not name.startswith("src/"):
                continue  # a test of another program
            new.append(str(file))
        self.run([words[0], *LINKER, *new, *words[1:]], check=True)
        return made

    def judge(self, program, gtest_filter, timeout):
        """None if all tests of a program pass, otherwise what noticed the change."""
        arguments = ["--gtest_fail_fast", "--gtest_brief=1", f"--gtest_filter={gtest_filter}"]
        try:
            done = self.run([program, *arguments], timeout=timeout,
                            env=os.environ | {"TAMIS_TEST_EFFORT": "small"})  # fmt: skip
        except subprocess.TimeoutExpired:
            return "it does not end"
        if done.returncode == 0:
            return None
        failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", done.stdout, re.MULTILINE)
        asserted = re.search(r"Assertion .*", done.stderr)
        if failed:
            return failed[1]
        return asserted[0][:120] if asserted else f"ended by {done.returncode}"
