"""How experiments look, everywhere: colours, lines, names, number formats."""

import sys
from dataclasses import dataclass
from pathlib import Path

# Tables and small pictures are made as those of the benchmark are.
sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from harness import table  # noqa: E402

INK, PALE, RULE = "#1f2430", "#6b7280", "#d8dce3"


@dataclass(frozen=True)
class Line:
    label: str
    colour: str
    marker: str
    dashes: str = "-"
    width: float = 1.5


# Okabe and Ito's palette, told apart by all kinds of eyes. A method keeps its family of hues,
# batch algorithms are paler and dashed, and each has a marker of its own.
ALGORITHMS = {
    "fast": Line("fast", "#009e73", "o", width=2.2),
    "oadmm": Line("OADMM", "#d55e00", "s"),
    "opgd": Line("OPGD", "#0072b2", "^"),
    "orpca": Line("ORPCA", "#cc79a7", "P"),
    "onmf": Line("ONMF", "#8a8f98", "X"),
    "badmm": Line("BADMM", "#e69f00", "D", "--"),
    "bpgd": Line("BPGD", "#56b4e9", "v", "--"),
}
OTHER = Line("", PALE, ".", ":")

DATA = {"synthetic": "synthetic data", "cbcl": "CBCL faces", "yaleb_02": "Yale B, subject 2",
        "yaleb_08": "Yale B, subject 8", "hall": "Hall", "escalator": "Escalator"}

FACTORS = {"tau": "mini-batch size τ", "K": "rank K", "rho": "ADMM penalty ρ",
           "kappa": "step size κ", "setting": "outlier setting", "init": "start of W"}
SYMBOLS = {"tau": "τ", "K": "K", "rho": "ρ", "kappa": "κ", "setting": "setting", "init": ""}

# Measures as panels show them: title, unit; times are drawn on a logarithmic axis.
MEASURES = {
    "seconds": ("running time", "seconds"),
    "psnr": ("PSNR", "dB"),
    "hoyer": ("sparsity (Hoyer)", ""),
    "spread": ("spread", "1 is all over the image"),
    "speckle": ("speckle", "share of an atom that is noise"),
    "shadow_error": ("error in shadows", "gray levels"),
    "lit_change": ("change where lit", "gray levels"),
    "artefacts": ("artefacts", "gray levels"),
    "background_brightness": ("brightness of background", "1 is the median's"),
    "background_error": ("error of background", "gray levels"),
    "foreground_residue": ("residue in foreground", "gray levels"),
    "foreground_kept": ("foreground kept", "share of what moves"),
}
LOGARITHMIC = ("seconds",)

# Values of a factor, in their order: from dark to light, but seen on white and on black.
SHADES = ("#8344c0", "#3b74c9", "#1f968b", "#67a82f", "#d99a00")
VALUE_DASHES = ("-", (0, (5, 1.5)), (0, (3, 1.5, 1, 1.5)), (0, (1, 1.2)), (0, (7, 2, 1, 2, 1, 2)))

MATPLOTLIB = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9,
    "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.labelsize": 9, "axes.spines.top": False, "axes.spines.right": False,
    "axes.edgecolor": PALE, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": RULE, "grid.linewidth": 0.6,
    "text.color": INK, "axes.labelcolor": INK, "axes.titlecolor": INK,
    "xtick.color": PALE, "ytick.color": PALE, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "legend.frameon": False, "legend.fontsize": 8.5, "figure.dpi": 100,
    "lines.solid_capstyle": "round", "lines.dash_capstyle": "butt",
    # The same input gives the same bytes; text stays text.
    "svg.hashsalt": "tamis", "svg.fonttype": "none",
}


def line(algorithm):
    """Unknown algorithms are drawn too, under the name that they have."""
    return ALGORITHMS.get(algorithm) or Line(algorithm, OTHER.colour, OTHER.marker, OTHER.dashes)


def label(algorithm):
    return line(algorithm).label


def ordered(algorithms):
    """In the order of the table above; others after them."""
    found = set(algorithms)
    return [name for name in ALGORITHMS if name in found] + sorted(found - ALGORITHMS.keys())


def data_name(data):
    return DATA.get(data, data)


def case_value(factor, value):
    """A value of a factor as it is written: τ = 5, setting 2, half-normal."""
    shown = f"{value:g}" if isinstance(value, (int, float)) else str(value)
    if factor == "setting":
        return f"setting {shown}"
    return shown if factor == "init" else f"{SYMBOLS.get(factor, factor)} = {shown}"


def number(value):
    """Anything that a table or a claim may hold, with three digits that count."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return small(value) if 0 < abs(value) < 1e-3 else table.number(value)
    return str(value)


def small(value):
    mantissa, _, exponent = f"{value:.1e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def seconds(value):
    """3.21 s, 4.2 min, 1.3 h."""
    if value is None:
        return "–"
    for unit, size in (("h", 3600), ("min", 60)):
        if value >= 2 * size:
            return f"{table.number(value / size, 2)} {unit}"
    return f"{table.number(value)} s"
