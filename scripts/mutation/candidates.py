"""What can be changed in a source file: one sign, bound or comparison at a time.

The files are in clang-format's form, so binary operators have blanks on both sides and brackets of
templates have not; that is enough to tell them apart without a parser. What cannot be compiled is
found out by the compiler.
"""

import re
from dataclasses import dataclass

# (pattern, {found: put there instead}); the group is what is replaced.
SWAPS = [
    (r" (<=|>=|<|>) ", {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    (r" (==|!=) ", {"==": "!=", "!=": "=="}),
    (r" (&&|\|\|) ", {"&&": "||", "||": "&&"}),
    (r" (\+|-) ", {"+": "-", "-": "+"}),
    (r" (\+=|-=) ", {"+=": "-=", "-=": "+="}),
    (r" (\*|/) ", {"*": "/", "/": "*"}),
    (r"(?:[(\[,]|return|[=?:]) ?(-)(?=[\w(])", {"-": ""}),
    (r"(?<![\w.'])([01])(?![\w.'])", {"0": "1", "1": "0"}),
    (r"\b(?:std::)?(min|max)\b(?=[<(])", {"min": "max", "max": "min"}),
    (r"\b(cwiseMin|cwiseMax)\b", {"cwiseMin": "cwiseMax", "cwiseMax": "cwiseMin"}),
    (r"\b(minCoeff|maxCoeff)\b", {"minCoeff": "maxCoeff", "maxCoeff": "minCoeff"}),
    (r"[(&|] ?(!)(?=[\w(])", {"!": ""}),
    (r"\b(continue|break);", {"continue": "break", "break": "continue"}),
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    file: str  # from the root of the project
    line: int
    begin: int  # in the text of the file
    end: int
    before: str  # the line as it is, without blanks around it
    after: str
    put: str

    def apply(self, text):
        return text[: self.begin] + self.put + text[self.end :]

    def describe(self):
        return f"{self.file}:{self.line}\n  - {self.before}\n  + {self.after}"


def blanked(text):
    """The text with everything that is no code (comments, texts, preprocessor, checks at compile
    time, heads of templates) replaced by blanks of the same length."""
    pattern = r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|^[ \t]*\#[^\n]*|\bstatic_assert\([^;]*;
                  |\btemplate\ <[^\n]*>|\bnamespace\b[^\n]*|\boperator\b[^\n(]*
                  |static\ constexpr\ std::string_view[^;]*;"""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text,
                  flags=re.DOTALL | re.MULTILINE | re.VERBOSE)  # fmt: skip


def mutants_of(file, text):
    code = blanked(text)
    found = {}
    for pattern, swaps in SWAPS:
        for match in re.finditer(pattern, code):
            begin, end = match.span(1)
            put = swaps[match[1]]
            first = text.rfind("\n", 0, begin) + 1
            last = text.find("\n", end)
            before = text[first:last]
            after = text[first:begin] + put + text[end:last]
            found[begin, put] = Mutant(
                file, text.count("\n", 0, begin) + 1, begin, end, before.strip(), after.strip(), put
            )
    return [found[key] for key in sorted(found)]
