"""Fills a template with results: {{verb argument …}} becomes text. No number is written by hand.

    {{counts}}                          12 confirmed, 3 not confirmed
    {{machine}}  {{notices}}            what it was measured on; what was smaller or missing
    {{overview}}                        a table of all claims and verdicts
    {{claim ID}}                        a claim, its verdict, the published and the measured
    {{further NAME}}                    the claims of an experiment that the template does not name
    {{table NAME/TABLE}}                a table of an experiment
    {{caption NAME/TABLE}}              what it says below that
    {{plot NAME/DRAWING}}               a drawing of plot.py, as a picture
    {{picture NAME}}                    the pictures of an experiment that stand for themselves
    {{number NAME MEASURE KEY=VALUE …}} mean of a measure over the runs that fit
    {{deviation NAME MEASURE}}          the largest one over initialisations, of all cases
    {{share NAME}}                      of the study's samples
    {{runs NAME}}  {{batch_runs NAME}}  initialisations of an online, a batch algorithm

NAME is that of an experiment, or of a folder with an experiment made once more.
"""

import re

import reading
import style
import tables
import verdicts
from pages import about
from thinning import together

DIRECTIVE = re.compile(r"\{\{(\w+) ?(.*?)\}\}")
ABSENT = "*not measured*"


class Filler:
    def __init__(self, template, experiments, again, drawn, link):
        """again: those made once more, by folder; drawn(experiment): its drawings by name;
        link(kind, experiment, file): an address."""
        self.template = template
        self.experiments = {one.name: one for one in experiments}
        self.named = self.experiments | again
        self.claims = {claim["id"]: claim for one in experiments for claim in one.claims}
        self.drawn, self.link = drawn, link
        self.missing = []  # directives that the results have nothing for
        self.plots = []  # (experiment, drawing) that the text shows

    def text(self):
        return DIRECTIVE.sub(self.fill, self.template)

    def named_claims(self):
        """Claims that the template speaks of."""
        return [words for verb, words in DIRECTIVE.findall(self.template) if verb == "claim"]

    def fill(self, found):
        verb, words = found.groups()
        made = getattr(self, f"fill_{verb}")(words)
        if made is None:
            self.missing.append(found.group())
            return ABSENT
        return made

    def fill_counts(self, _):
        return verdicts.in_words(self.experiments.values()) or None

    def fill_machine(self, _):
        return about.provenance(next(iter(self.experiments.values())))

    def fill_notices(self, _):
        return "\n\n".join(f"**{text}**" for text in about.notices(self.experiments.values()))

    def fill_overview(self, _):
        rows = [[experiment.name, escaped(claim["claim"]),
                 f"{verdicts.mark(claim['verdict'])[0]} {claim['verdict']}", verdicts.share(claim)]
                for experiment in self.experiments.values() for claim in experiment.claims]
        return style.table.markdown(["experiment", "claim", "verdict", "holds in"], rows) \
            if rows else None

    def fill_claim(self, name):
        claim = self.claims.get(name)
        return claim and claim_text(claim)

    def fill_further(self, name):
        experiment = self.experiments.get(name)
        others = [claim for claim in experiment.claims if claim["id"] not in self.named_claims()] \
            if experiment else []
        return "\n\n".join(f"**{claim['claim']}**\n\n{claim_text(claim)}" for claim in others)

    def fill_table(self, words):
        table = self.table_of(words)
        if not table:
            return None
        columns, rows = tables.folded(table)
        return style.table.markdown(columns, [[escaped(cell) for cell in row] for row in rows])

    def fill_caption(self, words):
        table = self.table_of(words)
        return table and table["caption"]

    def table_of(self, words):
        name, _, wanted = words.partition("/")
        tables_of = self.named[name].tables if name in self.named else []
        return next((table for table in tables_of if table["name"] == wanted), None)

    def fill_plot(self, words):
        name, _, wanted = words.partition("/")
        experiment = self.experiments.get(name)
        drawing = experiment and self.drawn(experiment).get(wanted)
        if not drawing:
            return None
        self.plots.append((experiment, drawing))
        return f"![{drawing.title}]({self.link('plot', experiment, drawing.name)})"

    def fill_picture(self, name):
        experiment = self.experiments.get(name)
        shown = [f"![{entry['title']}]({self.link('picture', experiment, entry['file'])})"
                 for entry in (experiment.pictures if experiment else [])
                 if experiment.picture(entry["file"])]
        return "\n\n".join(shown) or None

    def fill_number(self, words):
        name, measure, *conditions = words.split()
        wanted = {key: typed(value) for key, value in (entry.split("=") for entry in conditions)}
        found = reading.mean(reading.matching(self.runs_of(name), **wanted), measure)
        return None if found is None else style.number(float(found))

    def fill_deviation(self, words):
        name, measure = words.split()
        found = [run["deviations"][measure] for run in together(self.runs_of(name))
                 if measure in run.get("deviations", {})]
        return style.number(float(max(found))) if found else None

    def fill_share(self, name):
        return f"{self.named[name].found['options']['scale']:.0%}" if name in self.named else None

    def fill_runs(self, name):
        return str(about.repetitions(self.named[name])[0]) if name in self.named else None

    def fill_batch_runs(self, name):
        return str(about.repetitions(self.named[name])[1]) if name in self.named else None

    def runs_of(self, name):
        return self.named[name].finished if name in self.named else []


def claim_text(claim):
    sign, _ = verdicts.mark(claim["verdict"])
    return (f"**{sign} {sentence(claim['verdict'])}** {sentence(verdicts.measured(claim))}\n\n"
            f"*The study: {claim.get('published') or '–'}.*")


def sentence(text):
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "…")) else f"{text}."


def escaped(text):
    return text.replace("|", "\\|")


def typed(text):
    """As a case has it: a number where it is one."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text
