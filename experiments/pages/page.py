"""The page as a whole: verdicts first, then an experiment after the other."""

import json
from html import escape
from pathlib import Path

import reading
import style
from drawing import drawings
from pages import about, parts

CSS = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
TITLE = "tamis: the study's claims, measured"


def page(experiments):
    """Well-formed also as XML; no scripts, nothing from elsewhere."""
    sections = "\n".join(section(experiment) for experiment in experiments)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{TITLE}</title>
<style>
{CSS}</style>
</head>
<body>
<header>
<h1>{TITLE}</h1>
<p class="pale">{escape(about.provenance(experiments[0]))}</p>
{notices(experiments)}
{parts.counts(experiments)}
<nav aria-label="Experiments"><ul>{"".join(link(one) for one in experiments)}</ul></nav>
</header>
<main>
<section id="claims">
<h2>Claims and verdicts</h2>
{claims(experiments)}
</section>
{sections}
</main>
<footer><p>R. Zhao, V. Y. F. Tan, Online Nonnegative Matrix Factorization With Outliers, IEEE
Transactions on Signal Processing 65(3), 2017. Times published there were measured in MATLAB R2015b
on an i7-4790.</p></footer>
</body>
</html>
"""


def notices(experiments):
    return "\n".join(f'<p class="notice">{escape(text)}</p>' for text in about.notices(experiments))


def link(experiment):
    return f'<li><a href="#{experiment.name}">{escape(experiment.name)}</a></li>'


def claims(experiments):
    groups = (f'<h3><a href="#{experiment.name}">{escape(experiment.title)}</a></h3>\n'
              f'<div class="claims">{"".join(map(parts.claim, experiment.claims))}</div>'
              for experiment in experiments if experiment.claims)
    return "\n".join(groups)


def section(experiment):
    runs = len(experiment.runs)
    options = experiment.found.get("options", {})
    facts = [f"{runs} runs", f"{style.seconds(experiment.found.get('seconds'))} of fitting",
             *(f"{name} {options[name]:g}" for name in ("scale", "runs", "threads", "seed")
               if options.get(name) is not None)]
    content = [parts.drawing(found, experiment.name) for found in drawings(experiment)]
    content += [parts.picture(path, entry["title"], entry.get("caption", ""))
                for entry, path in further_pictures(experiment)]
    content.append(parts.tables_of(experiment))
    return f"""<section id="{experiment.name}">
<h2>{escape(experiment.title)}</h2>
<p class="pale">{escape(" · ".join(facts))}</p>
{"".join(content)}
{settings(experiment)}
</section>"""


def further_pictures(experiment):
    """Those that are not in a contact sheet already."""
    shown = {file for run in experiment.runs for file in run.get("pictures", {}).values()}
    for entry in experiment.pictures:
        path = experiment.picture(entry["file"])
        if path and entry["file"] not in shown:
            yield entry, path


def settings(experiment):
    found = reading.common_settings(experiment)
    if not found:
        return ""
    lines = "\n".join(f"{name}: {json.dumps(values, ensure_ascii=False)}"
                      for name, values in found.items())
    return ("<details><summary>settings that all runs of an algorithm share</summary>"
            f"<pre>{escape(lines)}</pre></details>")
