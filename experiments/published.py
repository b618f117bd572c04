"""The study's numbers, from the columns of an experiment's tables that end in "published"."""

import re

SUFFIX = "published"


def published(experiment, measure, **where):
    """Algorithm → number, of the table and the columns that fit, such as K=49 and setting=1."""
    found = {}
    for table in experiment.tables:
        for column, title in enumerate(table["columns"]):
            if title.endswith(SUFFIX) and about(table, title, measure):
                found |= column_of(table, column, where)
    return found


def about(table, title, measure):
    """The measure is named by the column or else by the table."""
    words = re.split(r"[^A-Za-z]+", f"{table['name']} {title}".lower())
    return measure in words or (measure == "seconds" and "time" in words)


def column_of(table, column, where):
    """Every condition has to be met: by a column of the row, or by the words of table and title."""
    named = f"{table['name']} {table['columns'][column]}"
    names = table["columns"]
    asked = {key: value for key, value in where.items() if key not in names}
    if not all(stands_in(named, key, value) for key, value in asked.items()):
        return {}
    found = {}
    for row in table["rows"]:
        cells = dict(zip(names, row))
        fits = all(cells[key] == value for key, value in where.items() if key in names)
        if fits and isinstance(row[column], (int, float)):
            found[cells["algorithm"]] = row[column]
    return found


def stands_in(text, key, value):
    """`K49`, `K 49`, `setting 1`, or the plain value of a word."""
    if isinstance(value, str):
        return value in text
    return re.search(rf"(?<![A-Za-z]){key}[ =]*{value}(?![\d.])", text) is not None
