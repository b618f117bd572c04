"""Tables of everyone on the same data, for the README and for docs/performance.md."""

from harness import table
from harness.contenders import CONTENDERS, FAST
from harness.plots import MAIN_SET, data_set, ranked
from sections.peers import found

NAMES = [contender.name for contender in CONTENDERS]


def bold(name, cells):
    return [f"**{cell}**" if cell and name == FAST else cell for cell in cells]


def qualities(section, name):
    """PSNR by setting, as 24.6 / 24.3 / 23.5."""
    rows = (found(section, f"cbcl-50-{setting}", name) for setting in (1, 2, 3))
    return " / ".join(f"{row['psnr']:.1f}" for row in rows if row and "psnr" in row)


def faces(sections):
    """The main table: fastest first, with a star where fewer samples were used."""
    whole = data_set(sections, MAIN_SET)["samples"]
    rows = []
    for row in reversed(ranked(sections)):
        star = "" if row["samples"] == whole else " *"
        rows.append(bold(row["name"], [
            row["name"] + star, f"{row['samples_per_second']:,.0f}",
            table.number(row["times_slower"], 2), qualities(sections["peers"], row["name"]),
            f"{row['peak_mb']:,.0f}"]))
    header = ["", "samples/s", "times slower", "PSNR in settings 1 / 2 / 3, dB", "peak MB"]
    return table.markdown(header, rows)


def others(sections):
    """All sets that are not faces: samples/s and, in brackets, the PSNR."""
    sets = [data for data in sections["peers"]["sets"] if not data["name"].startswith("cbcl")]
    if not sets:
        return ""
    rows = [[name, *(outcome(sections["peers"], data, name) for data in sets)] for name in NAMES]
    return table.markdown(["", *(data["title"] for data in sets)],
                          [bold(row[0], row) for row in rows if any(row[1:])])


def outcome(section, data, name):
    row = found(section, data["name"], name)
    if row is None:
        return next((r["failed"] for r in data["rows"] if r["name"] == name and "failed" in r), "")
    star = "" if row["samples"] == data["samples"] else "*"
    return f"{table.number(row['samples_per_second'])}{star} ({row['psnr']:.1f})"
