"""Tables, for people at a terminal and for documents."""

import math


def text(header, rows):
    """Columns as wide as their widest entry; numbers to the right, words to the left."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    columns = [aligned(column) for column in zip(*cells)]
    lines = ["  ".join(line).rstrip() for line in zip(*columns)]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def aligned(column):
    width = max(map(len, column))
    return [cell.rjust(width) if numeric(column) else cell.ljust(width) for cell in column]


def numeric(column):
    """Whether what is below the header begins as numbers do; bold, bounds and nothing are allowed."""
    starts = (cell.lstrip("*≥≤ -")[:1] for cell in column[1:])
    return all(not start or start.isdigit() for start in starts)


def markdown(header, rows):
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    rule = ["---:" if numeric(column) else "---" for column in zip(*cells)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [cells[0], rule, *cells[1:]])


def number(value, digits=3):
    """With so many digits that count; nothing in the place of a missing number."""
    if value is None:
        return ""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:,.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def decibel(value):
    return "" if value is None else f"{value:.2f}"
