"""Logarithmic axes with numbers that people read."""

from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

WIDE = 50  # ratio from which 1, 10, 100 are enough


def plain_powers(axis, ratio):
    """Labels 1, 2, 5, 10 … or, over a wide range, powers of ten alone."""
    axis.set_major_locator(LogLocator(subs=(1,) if ratio > WIDE else (1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    # They are many and take longer to lay out than all the rest.
    axis.set_minor_locator(NullLocator())
