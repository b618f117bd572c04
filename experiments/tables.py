"""Tables of the results, ready to be shown: numbers as text, mean and deviation in one cell."""

import style

DIGITS = 4
DEVIATION = " std"


def cell(value):
    if value is None:
        return ""
    if isinstance(value, float) and abs(value) >= 1e-3:
        return style.table.number(value, DIGITS)
    return style.number(value)


def as_fine(deviation, text):
    """A deviation with the decimals of its mean; with its own digits if these would hide it."""
    decimals = len(text.partition(".")[2])
    shown = f"{deviation:,.{decimals}f}"
    return shown if "e" not in text and (float(shown.replace(",", "")) or not deviation) else \
        style.table.number(float(deviation), 2)


def folded(table):
    """Columns and rows of text; "psnr" and "psnr std" become one column, 22.13 ± 0.05."""
    names = table["columns"]
    deviations = {names.index(name[:-len(DEVIATION)]): index for index, name in enumerate(names)
                  if name.endswith(DEVIATION) and name[:-len(DEVIATION)] in names}
    kept = [index for index in range(len(names)) if index not in deviations.values()]

    def shown(row, index):
        text = cell(row[index])
        deviation = row[deviations[index]] if index in deviations else None
        return text if deviation is None or not text else f"{text} ± {as_fine(deviation, text)}"

    return ([names[index] for index in kept],
            [[shown(row, index) for index in kept] for row in table["rows"]])
