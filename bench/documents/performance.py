"""docs/performance.md: a part per function; parts whose section is missing are left out."""

from documents import comparison, tuning
from documents.limits import limits
from documents.ranks import several
from harness import table
from harness.contenders import FAST
from harness.scenes import DIFFERENCE, OURS
from sections import kernels, peers, photos, scenes, targets

PHASES = ("read", "encode", "reduce", "update", "write")


def performance(results):
    sections = results["sections"]
    parts = [opening(results)]
    for needed, part in (("peers", beside_others), ("targets", target_table),
                         ("curve", tuning.defaults), ("peers", phases), ("kernels", kernel_rates),
                         ("scaling", tuning.growth), ("ranks", several),
                         ("photos", photographs), ("scenes", foreground)):
        if needed in sections:
            parts.append(part(sections))
    parts.append(method(results))
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def opening(results):
    machine = results["machine"]
    dates = sorted({section["date"] for section in results["sections"].values()})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    warning = "\n\n**Made with --quick: sizes are tiny and times mean nothing.**"
    return f"""# Performance

Measured by `make bench`, {when}, on {machine['cores']} cores of {machine['processor']} with
{machine['threads']} threads. `bench/report.py` wrote this page; every number in it is in
[performance.json](performance.json).{warning if machine['quick'] else ''}

![Speed and quality beside other systems, accuracy against time, scaling](images/performance.png)"""


def beside_others(sections):
    more = comparison.others(sections)
    return f"""## Beside others

Spoiled face images (CBCL ×50), one pass. \\* with fewer samples than the set has.

{comparison.faces(sections)}
""" + (f"""
Other shapes, samples/s and in brackets the PSNR in dB:

{more}""" if more else "")


def foreground(sections):
    header, rows = scenes.by_scene(sections["scenes"])
    return f"""## What moves

Foreground masks of videos in gray, F by the protocol of CDnet (labels counted over all frames together), one setting for all
([video.md](video.md)). *Cleaned up*: 5×5 median, 5×5 closing, small blobs out, small holes filled. The factorizations learn in one
pass, find their codes in a second one, and take what differs by more than {DIFFERENCE} gray levels.

{table.markdown(header, [bold(row) if row[0] == OURS else row for row in rows])}

![Masks of the street side by side](images/scenes.png)

The frame of the generated street with most to find. White is found, red wrongly found, blue missed."""


def bold(row):
    return [f"**{cell}**" for cell in row]


def target_table(sections):
    rows = sections["targets"]["rows"]
    judged = [row for row in rows if row["met"] is not None]
    missed = sum(not row["met"] for row in judged)
    return f"""## Targets

{len(judged) - missed} of {len(judged)} are met.

{table.markdown(targets.HEADER, [targets.cells(row) for row in rows])}"""


def phases(sections):
    rows = []
    for data in sections["peers"]["sets"]:
        row = peers.found(sections["peers"], data["name"], FAST)
        # Settings differ in how much is spoiled, not in how long it takes.
        if row and not data["name"].endswith(("-2", "-3")):
            shares = (row["phases"][phase] / row["phases"]["total"] for phase in PHASES)
            rows.append([data["title"], table.number(row["phases"]["total"]),
                         *(f"{share:.0%}" for share in shares)])
    return f"""## Where the time goes

Seconds of a fit, and the share of each phase.

{table.markdown(["", "seconds", *PHASES], rows)}"""


def kernel_rates(sections):
    section = sections["kernels"]
    if not section["rows"]:
        return f"""## Kernels

Not measured: {section['skipped']}."""
    return f"""## Kernels and the limit

{limits(sections)}

{table.markdown(kernels.HEADER, kernels.cells(section))}"""


def photographs(sections):
    section = sections["photos"]
    if not section["rows"]:
        return ""
    return f"""## Photographs

`tamis denoise` of pictures of scikit-image of which a share of the entries became anything from black to
white, beside median filters: PSNR, how much ours is above the better median, seconds of ours.

{table.markdown(photos.HEADER, photos.cells(section))}"""


def method(results):
    machine = results["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items()
                         if version)
    blas, unaided = machine["openblas"], machine["openblas_unaided"]
    samples, entries = (" / ".join(f"{shares[i]:.0%}" for shares in machine["settings"].values())
                        for i in (0, 1))
    faces = "the CBCL faces" if machine["faces"] == "CBCL" else "generated data of the faces' size"
    return f"""## How it was measured

- Each run is a process of its own; all read the same float32 file (of videos, tamis reads the
  same values in bytes), with {machine['threads']} threads and at most {machine['limit_gb']} GB.
- Time: of peers that of their fit alone, without imports and loading; of tamis the whole fit,
  with reading the file. Times in ratios are the least of {machine['repeats']} runs in turns; runs of more than a
  few seconds are not repeated, unless a target depends on them.
- Memory: the peak of the tamis process; of peers the peak while they fit, with the data they
  were given.
- Quality: PSNR against the clean data of the reconstruction by each system's own codes with its
  final model.
- Peers make one pass with mini-batches of the same size; batch NMF has its default number of
  iterations.
- Faces: {faces}, scaled to unit maximum, replicated, shuffled, then spoiled: in settings
  {" / ".join(machine["settings"])}, {samples} of the images have {entries} wrong pixels.
- OpenBLAS takes this processor for {unaided.get('architecture', 'an unknown one')}; tamis corrects that
  by itself, and for the peers it was corrected too ({blas.get('architecture', 'nothing to correct')}).
- tamis {machine['tamis']}, Python {machine['python']}, {packages},
  OpenBLAS {blas.get('version', 'of unknown version')}; {machine['system']}, {machine['memory_gb']:.0f} GB of memory."""
