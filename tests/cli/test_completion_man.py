"""Completion scripts and the manual page: they know what --help knows."""

import os
import re
import shutil
import subprocess
import unittest

from _tamis import Case


class Help(Case):
    def commands(self):
        """Names of all commands, from the help."""
        text = self.tamis("--help").out
        listed = re.split(r"^(?:Sub)?[Cc]ommands:$", text, flags=re.MULTILINE)
        self.assertEqual(len(listed), 2, text)
        return re.findall(r"^  ([a-z][\w-]*)", listed[1], re.MULTILINE)

    def flags(self, *command):
        text = self.tamis(*command, "--help").out
        flags = re.findall(r"^ +(?:-\w, ?)?(--[a-z][\w-]*)", text, re.MULTILINE)
        return sorted({*flags, *re.findall(r"--no-[a-z-]+", text)})


class Bash(Help):
    def setUp(self):
        super().setUp()
        if shutil.which("bash") is None:
            self.skipTest("there is no bash here")
        self.path("completion.bash").write_text(self.tamis("completion", "bash").out)

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = (
            "source completion.bash; COMP_WORDS=(tamis \"$@\"); COMP_CWORD=$#; "
            'COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=(); '
            '_tamis tamis "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; '
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        result = subprocess.run(
            ["bash", "--norc", "-c", script, "bash", *words],
            cwd=self.folder, capture_output=True, text=True
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return sorted(result.stdout.split())

    def test_is_valid(self):
        for shell in ["bash", "zsh"]:
            self.path("script").write_text(self.tamis("completion", shell).out)
            result = subprocess.run(
                ["bash", "-n", self.path("script")], capture_output=True, text=True
            )
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_registers_itself(self):
        result = subprocess.run(
            ["bash", "--norc", "-c", "source completion.bash; complete -p tamis"],
            cwd=self.folder, capture_output=True, text=True
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("_tamis", result.stdout)

    def test_works_in_a_strict_shell(self):
        script = (
            "set -eu; source completion.bash; COMP_WORDS=(tamis fit --ra); COMP_CWORD=2; _tamis; "
            'echo "${COMPREPLY[0]}"'
        )
        result = subprocess.run(
            ["bash", "--norc", "-c", script], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual((result.stdout, result.stderr), ("--rank\n", ""))

    def test_commands(self):
        commands = self.commands()
        for name in ["fit", "encode", "denoise", "info", "inspect", "demo", "completion", "man"]:
            self.assertIn(name, commands)
        offered = self.complete("")
        for name in commands:
            self.assertIn(name, offered)
        self.assertEqual(self.complete("enc"), ["encode"])
        self.assertEqual(self.complete("in"), ["info", "inspect"])

    def test_flags_of_every_command(self):
        for command in self.commands():
            with self.subTest(command):
                self.assertEqual(self.complete(command, "--"), self.flags(command))
        self.assertEqual(self.complete("fit", "v.npy", "--ra"), ["--rank"])
        self.assertEqual(self.complete("fit", "v.npy", "--rank", "3", "--outl"),
                         ["--outlier-groups", "--outlier-penalty", "--outliers"])  # fmt: skip

    def test_values(self):
        for flag, values in {
            "--algorithm": ["badmm", "bpgd", "fast", "oadmm", "onmf", "opgd", "orpca"],
            "--constraint": ["ball", "elastic-net", "none", "nonneg", "simplex"],
            "--init": ["half-normal", "nndsvd", "samples", "uniform"],
            "--code-penalty": ["group", "lasso", "none", "sparse-group", "tikhonov"],
            "--outlier-penalty": ["group", "l1", "sparse-group", "tikhonov"],
            "--forget": ["decay", "none", "poly"],
            "--normalize": ["max", "none"],
            "--precision": ["double", "float"],
            "--missing": ["nan"],
            "--header": ["auto", "no", "yes"],
        }.items():
            with self.subTest(flag):
                self.assertEqual(self.complete("fit", "v.npy", flag, ""), values)
        self.assertEqual(self.complete("fit", "v.npy", "--algorithm", "op"), ["opgd"])

    def test_shells(self):
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh"])

    def test_experiments(self):
        names = self.complete("experiment", "")
        for name in ["all", "convergence", "denoising"]:
            self.assertIn(name, names)
        self.assertEqual(self.complete("experiment", "conv"), ["convergence"])
        self.path("results").mkdir()
        self.assertEqual(self.complete("experiment", "all", "--out", ""),
                         ["completion.bash", "results"])  # fmt: skip
        self.assertEqual(self.complete("experiment", "all", "--sc"), ["--scale"])

    def test_lambda(self):
        offered = self.complete("fit", "v.npy", "--lambda", "")
        for word in ["auto", "paper"]:
            self.assertIn(word, offered)
        for word in ["a", "number"]:  # which describe a value and are none
            self.assertNotIn(word, offered)

    def test_files(self):
        self.path("data.npy").write_text("")
        self.path("model.h5").write_text("")
        self.assertIn("data.npy", self.complete("fit", ""))
        self.assertEqual(self.complete("fit", "da"), ["data.npy"])
        self.assertEqual(self.complete("encode", "mo"), ["model.h5"])
        self.assertEqual(self.complete("fit", "data.npy", "--out", "mo"), ["model.h5"])
        # A file of the name of a command changes nothing.
        self.path("fit").write_text("")
        self.assertIn("--codes", self.complete("encode", "fit", "--co"))

    def test_a_file_name_with_a_blank(self):
        self.path("my data.npy").write_text("")
        script = (
            "source completion.bash; COMP_WORDS=(tamis fit my); COMP_CWORD=2; _tamis; "
            'printf "%s|" "${COMPREPLY[@]}"'
        )
        result = subprocess.run(
            ["bash", "--norc", "-c", script], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(result.stdout, "my data.npy|")

    def test_unknown_shells(self):
        self.refused(2, "completion", "fish", says=["fish", "bash"])
        self.refused(2, "completion", says=["SHELL"])


class Zsh(Help):
    def test_offers_flags(self):
        if shutil.which("zsh") is None:
            self.skipTest("there is no zsh here")
        self.path("completion.zsh").write_text(self.tamis("completion", "zsh").out)
        script = (
            "autoload -U +X compinit && compinit -D -u; source ./completion.zsh; "
            "COMP_WORDS=(tamis fit --ra); COMP_CWORD=2; _tamis; print -l $COMPREPLY"
        )
        result = subprocess.run(
            ["zsh", "-f", "-c", script], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--rank", result.stdout)


class ManualPage(Help):
    def render(self):
        """The page as text."""
        if shutil.which("groff") is None:
            self.skipTest("there is no groff here")
        page = self.tamis("man").bytes
        result = subprocess.run(
            ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-rLL=100n", "-rHY=0", "-P-c"],
            input=page, capture_output=True
        )  # fmt: skip
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr.decode(), "")  # no warnings
        text = re.sub(".\b", "", result.stdout.decode())
        return re.sub("\x1b\\[[0-9;]*m", "", text)

    def test_lists_every_command_and_flag(self):
        text = self.tamis("man").out.replace("\\-", "-")
        for command in self.commands():
            self.assertIn(f".SS tamis {command}\n", text)
            section = text.split(f".SS tamis {command}\n")[1].split(".SS ")[0]
            for flag in self.flags(command):
                if flag != "--help":
                    self.assertRegex(section, rf"{flag}\b", f"{command} {flag}")

    def test_has_the_sections_that_pages_have(self):
        text = self.tamis("man").out
        self.assertTrue(text.startswith(".TH TAMIS 1"), text[:80])
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS"]:
            self.assertIn(f".SH {section}\n", text)

    def test_is_shown_without_warnings(self):
        text = self.render()
        for words in ["tamis - Online", "tamis fit", "--rank K", "λ", "130", "EXIT STATUS"]:
            self.assertIn(words, text)

    def test_man_shows_it(self):
        if shutil.which("man") is None:
            self.skipTest("there is no man here")
        page = self.tamis("man").bytes
        self.path("tamis.1").write_bytes(page)
        result = subprocess.run(
            ["man", "--warnings", "-l", "tamis.1"], cwd=self.folder, capture_output=True,
            env=os.environ | {"MANPAGER": "cat", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"}
        )  # fmt: skip
        if b"minimized" in result.stdout:
            self.skipTest("man is only a stand-in here")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.decode(), "")

    def test_lines_are_not_taken_for_commands(self):
        known = {".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".B", ".I", ".RS", ".RE", ".br"}
        for line in self.tamis("man").out.splitlines():
            if line.startswith((".", "'")):
                self.assertIn(line.split()[0], known, line)


class HelpText(Help):
    def test_fits_a_terminal(self):
        for command in ["", *self.commands()]:
            text = self.tamis(*command.split(), "--help").out
            for line in text.splitlines():
                self.assertLessEqual(len(line), 100, f"{command}: {line}")
            self.assertNotIn("POSITIVE", text)
            self.assertNotIn("{", text)

    def test_has_an_example(self):
        for command in set(self.commands()) - {"demo"}:  # which needs none
            self.assertIn("Example", self.tamis(command, "--help").out)

    def test_says_what_no_reseed_means(self):
        self.assertIn("--no-reseed", self.tamis("fit", "--help").out)


if __name__ == "__main__":
    unittest.main()
