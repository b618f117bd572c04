"""The page as a whole: verdicts first, then an experiment after the other."""

import json
from html import escape
from pathlib import Path

import reading
import style
from drawing import drawings
from pages import parts

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
<p class="pale">{escape(provenance(experiments[0]))}</p>
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


def provenance(experiment):
    machine = experiment.found.get("machine", {})
    memory = machine.get("memory_gb")
    known = [f"tamis {experiment.found.get('version', '')}", machine.get("processor"),
             f"{machine['cores']} cores" if "cores" in machine else None,
             f"{memory:.0f} GB" if memory else None, machine.get("compiler"), machine.get("system")]
    return " · ".join(part for part in known if part)


def notices(experiments):
    """What makes the numbers other than the study's: less data, or data that was not there."""
    found = []
    scales = {experiment.found.get("options", {}).get("scale", 1) for experiment in experiments}
    if scales != {1}:
        shown = ", ".join(f"{scale:g}" for scale in sorted(scales))
        found.append(f"Made with --scale {shown}: the data sets are smaller than in the study, "
                     "and verdicts mean little.")
    missing = {entry["data"]: entry.get("why", "") for experiment in experiments
               for entry in experiment.missing}
    found += [f"{style.data_name(data)} was not there. {why}" for data, why in missing.items()]
    return "\n".join(f'<p class="notice">{escape(text)}</p>' for text in found)


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
    about = [f"{runs} runs", f"{style.seconds(experiment.found.get('seconds'))} of fitting",
             *(f"{name} {options[name]:g}" for name in ("scale", "runs", "threads", "seed")
               if options.get(name) is not None)]
    content = [parts.drawing(found, experiment.name) for found in drawings(experiment)]
    content += [parts.picture(path, entry["title"], entry.get("caption", ""))
                for entry, path in further_pictures(experiment)]
    content += [parts.table(found) for found in experiment.tables]
    return f"""<section id="{experiment.name}">
<h2>{escape(experiment.title)}</h2>
<p class="pale">{escape(" · ".join(about))}</p>
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
