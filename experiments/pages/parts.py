"""Pieces of the page. Everything that comes from results is escaped."""

import base64
from html import escape

import style
import tables
import verdicts
from drawing.drawn import inline

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
SHOWN_TABLES = 7
LONG = 60  # characters from which a cell may break into lines


def claim(found):
    sign, kind = verdicts.mark(found["verdict"])
    numbers = "".join(f"<div><dt>{escape(name.replace('_', ' '))}</dt>"
                      f"<dd>{escape(style.number(value))}</dd></div>"
                      for name, value in found.get("numbers", {}).items())
    details = f"<details><summary>numbers</summary><dl>{numbers}</dl></details>" if numbers else ""
    return f"""<article class="claim {kind}" id="claim-{escape(found['id'])}">
<p class="verdict"><span aria-hidden="true">{sign}</span> {escape(found['verdict'])}</p>
<h4>{escape(found['claim'])}</h4>
<p>{escape(verdicts.measured(found))}</p>
<p class="pale">Published: {escape(found.get('published') or '–')}</p>
{details}
</article>"""


def counts(experiments):
    items = []
    for verdict, count in verdicts.counts(experiments).items():
        sign, kind = verdicts.mark(verdict)
        items.append(f'<li class="{kind}"><b>{count}</b><span aria-hidden="true">{sign}</span> '
                     f"{escape(verdict)}</li>")
    return f'<ul class="counts">{"".join(items)}</ul>'


def scrolling(label, content, kind=""):
    """Wider than a phone: scrolled by itself, also with the keyboard."""
    return (f'<div class="scroll {kind}" role="region" tabindex="0" aria-label="{escape(label)}">'
            f"{content}</div>")


def table(found):
    names, rows = tables.folded(found)
    kinds = [column_class(name, [row[index] for row in rows]) for index, name in enumerate(names)]
    head = "".join(f'<th scope="col" class="{kind}">{escape(name)}</th>'
                   for name, kind in zip(names, kinds))
    body = "".join("<tr>" + "".join(td(text, kind) for text, kind in zip(row, kinds)) + "</tr>"
                   for row in rows)
    caption = f"<span>{escape(found['caption'])}</span>" if found.get("caption") else ""
    return scrolling(found["title"], f"<table><caption>{escape(found['title'])}{caption}</caption>"
                     f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", "table")


def tables_of(experiment):
    """Many are folded away: whoever looks for a number opens them."""
    content = "".join(map(table, experiment.tables))
    if len(experiment.tables) <= SHOWN_TABLES:
        return content
    return (f"<details><summary>{len(experiment.tables)} tables</summary>{content}</details>")


def column_class(name, cells):
    number = "number" if any(cells) and style.table.numeric([name, *cells]) else ""
    return f"{number} published".strip() if name.endswith("published") else number


def td(text, kind):
    kind = f"{kind} long".strip() if len(text) > LONG else kind
    return f'<td class="{kind}">{escape(text)}</td>' if kind else f"<td>{escape(text)}</td>"


def drawing(found, prefix):
    """As SVG in the page itself, in the page's colours; prefix makes its names unique."""
    svg = inline(found.svg(), f"{prefix}-{found.name}")
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(found.alt)}" '
                      f'style="--inches: {found.size[0]:g}" ', 1)
    return figure(found.title, found.caption, scrolling(found.title, svg))


def picture(path, title, caption):
    data = base64.b64encode(path.read_bytes()).decode()
    alt = f"{title}. {caption}" if caption else title
    return figure(title, caption, f'<img alt="{escape(alt)}" loading="lazy" '
                  f'src="data:{TYPES[path.suffix.lower()]};base64,{data}"/>')


def figure(title, caption, content):
    more = f"<span>{escape(caption)}</span>" if caption else ""
    return f"<figure><figcaption><b>{escape(title)}</b>{more}</figcaption>{content}</figure>"
