"""A drawing, and the files that it becomes: the same input gives the same bytes."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass

import matplotlib
import style
from matplotlib.figure import Figure

WHITE = "#ffffff"


@dataclass(frozen=True)
class Drawing:
    name: str  # of its files
    title: str
    caption: str
    alt: str  # what it shows, for those who cannot see it
    size: tuple  # inches
    paint: Callable  # paint(figure)

    def figure(self):
        with matplotlib.rc_context(style.MATPLOTLIB):
            figure = Figure(figsize=self.size, layout="constrained")
            self.paint(figure)
            # Laid out once: it takes longer than drawing, and both files shall be alike.
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            return figure

    def svg(self):
        return svg_of(self.figure())

    def write(self, folder):
        """Both files; returns their paths."""
        figure, paths = self.figure(), [folder / f"{self.name}.{form}" for form in ("png", "svg")]
        paths[0].write_bytes(saved(figure, "png", {"Software": None}, dpi=150))
        paths[1].write_text(svg_of(figure), encoding="utf-8")
        return paths


def saved(figure, form, metadata, **options):
    buffer = io.BytesIO()
    with matplotlib.rc_context(style.MATPLOTLIB):
        figure.savefig(buffer, format=form, metadata=metadata, facecolor=WHITE, **options)
    return buffer.getvalue()


def svg_of(figure):
    """Text of the file; text in it stays text."""
    return saved(figure, "svg", {"Date": None, "Creator": None}).decode()


def inline(svg, name):
    """For HTML: no prolog, ink of the page's colour, no background, names that nothing else has."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"', "", svg).replace("xlink:href", "href")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"(\d\.\d\d)\d+", r"\1", svg)  # hundredths of a point are enough
    for colour, variable in ((style.INK, "ink"), (style.PALE, "pale"), (style.RULE, "rule"),
                             (WHITE, "paper")):
        svg = svg.replace(colour, f"var(--{variable})")
    # The page decides how large it is: only the view box stays.
    opening = re.sub(r' (width|height)="[^"]*"', "", svg[:svg.index(">")])
    return opening + svg[svg.index(">"):]


def legend(axes, handles, labels, columns=None):
    """Alone in axes of its own, so that it never hides a line."""
    axes.set_axis_off()
    axes.legend(handles, labels, loc="center left", ncol=columns or len(labels), borderaxespad=0,
                handlelength=2.2, columnspacing=1.2, handletextpad=0.5).set_in_layout(False)
