"""What settings and sizes cost: the tables of the curve and of the scaling."""

from harness import table
from harness.program import count_of

ENOUGH = 0.1  # dB below the best that nobody sees


def defaults(sections):
    section = sections["curve"]
    tables = [knob_table(section, knob) for knob in ("iterations", "sweeps", "batch size")]
    return f"""## Why the defaults are what they are

CBCL ×{section['repeat']}, K = {section['rank']}: seconds of the fit, PSNR in dB of `encode` with its model;
the default is bold.
{sentence(section)}

""" + "\n\n".join(tables)


def sentence(section):
    """How few iterations would do."""
    words = []
    for setting in settings(section):
        rows = {row["value"]: row["psnr"] for row in section["rows"]
                if (row["setting"], row["knob"]) == (setting, "iterations")}
        least = min(value for value in rows if rows[value] >= max(rows.values()) - ENOUGH)
        words.append(f"{least} in setting {setting}")
    return f"The fewest iterations within {ENOUGH} dB of the best: {', '.join(words)}."


def settings(section):
    return sorted({row["setting"] for row in section["rows"]})


def default_value(section, knob):
    found = section["defaults"]
    return found["batch_size"] if knob == "batch size" else count_of(found, knob)


def knob_table(section, knob):
    rows = {}
    for row in section["rows"]:
        if row["knob"] == knob:
            cells = [table.number(row["seconds"]), table.decibel(row["psnr"])]
            rows.setdefault(row["value"], []).extend(cells)
    default = default_value(section, knob)
    header = [knob] + [f"{what}, setting {setting}" for setting in settings(section)
                       for what in ("seconds", "PSNR")]
    lines = [[value, *cells] for value, cells in rows.items()]
    return table.markdown(header, [[f"**{cell}**" for cell in line] if line[0] == default else line
                                   for line in lines])


def growth(sections):
    section = sections["scaling"]
    rows = [[row["size"], f"{row['values'][0]:,} … {row['values'][-1]:,}",
             f"{table.number(row['seconds'][0])} … {table.number(row['seconds'][-1])}",
             f"{row['exponent']:.2f}"] for row in section["rows"]]
    return f"""## How time grows

Synthetic data, N = {section['samples']:,}, F = {section['features']}, K = {section['rank']},
τ = {section['batch']} where they are not varied; time grows as the size to the power of the exponent
(least squares on logarithms).

{table.markdown(["size", "from … to", "seconds", "exponent"], rows)}"""
