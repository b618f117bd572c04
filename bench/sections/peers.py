"""Everyone on the same data: time, memory and quality."""

from harness import table
from harness.contenders import CONTENDERS, FAST, Task
from harness.process import Failed

RANK = 49
LONG = 3  # seconds from which on a run is not repeated, unless it enters a target
ENTERS_TARGET = (FAST, "gensim Nmf")
# The tenfold sets are there for the targets of quality, in which these do not enter.
NOT_TENFOLD = ("tamis opgd", "tamis oadmm", "HyperSpy ORNMF")
SIZES = ((176, 144, 400), (640, 480, 64))  # of videos: 25,344 and 307,200 features


def tasks(bench):
    """Data sets with what is asked of them; each is made when its turn comes."""
    if bench.quick:
        yield from quick_tasks(bench)
        return
    for repeat, setting in ((r, s) for r in (5, 10, 50) for s in (1, 2, 3)):
        careful = (repeat, setting) == (50, 1)
        yield Task(
            f"cbcl-{repeat}-{setting}", f"CBCL ×{repeat}, setting {setting}",
            bench.data.cbcl(repeat, setting), RANK,
            allowance={5: 8, 10: 40, 50: 25 if careful else 8}[repeat],
            quality=2429 * min(repeat, 10),
            repeats=3 if careful else 1,
            without=NOT_TENFOLD if repeat == 10 else ())
    yield Task("synthetic", "synthetic, F = 400", bench.data.synthetic(100_000), RANK, allowance=8)
    for width, height, frames in SIZES:
        for rank in (5, 10, 49):
            yield video(bench, width, height, frames, rank)


def video(bench, width, height, frames, rank):
    return Task(f"video-{width * height}-{rank}", f"video {width}×{height}, K = {rank}",
                bench.data.video(width, height, frames), rank, batch=8, allowance=3, repeats=3)


def quick_tasks(bench):
    """Every contender once or twice."""
    faces = bench.data.cbcl(1, 1)
    seen_above = tuple(contender.name for contender in CONTENDERS if contender.needs == "sklearn")
    yield Task("cbcl-10-1", "faces", faces, RANK, without=NOT_TENFOLD)
    yield Task("cbcl-50-1", "faces", faces, RANK, allowance=0.3, without=seen_above)
    yield Task("video", "video", bench.data.video(24, 18, 20), 3, batch=8, repeats=2,
               without=tuple(contender.name for contender in CONTENDERS[1:]))


def measure(bench):
    return {"sets": [compared(bench, task) for task in tasks(bench)]}


def compared(bench, task):
    rows = {}
    for turn in range(task.repeats):
        for contender in CONTENDERS:
            name = contender.name
            if name not in task.without and wanted(name, rows.get(name), turn):
                again = attempt(bench, contender, task, judge=turn == 0)
                rows[name] = better(rows.get(name), again)
    relate(rows)
    samples, features = task.data.shape
    found = {"name": task.name, "title": task.title, "samples": samples, "features": features,
             "rank": task.rank, "batch": task.batch, "rows": list(rows.values())}
    print(f"\n{task.title}\n{show_set(found)}", flush=True)
    return found


def wanted(name, row, turn):
    """Repeated in turns, for the least time; long runs average out the noise by themselves."""
    if turn == 0:
        return True
    return "seconds" in row and (row["seconds"] < LONG or name in ENTERS_TARGET)


def attempt(bench, contender, task, judge):
    row = {"name": contender.name}
    if not contender.installed:
        return row | {"skipped": "not installed"}
    try:
        return row | contender.run(bench, task, contender.samples(task), judge)
    except Failed as failure:
        return row | {"failed": str(failure).replace(str(bench.folder), "")}


def better(before, row):
    """The faster run, with the quality that only the first one was asked for."""
    if before is None or "seconds" not in row:
        return before or row
    faster = min(before, row, key=lambda run: run["seconds"])
    return faster | ({"psnr": before["psnr"]} if "psnr" in before else {})


def relate(rows):
    for row in rows.values():
        if "seconds" in row:
            row["samples_per_second"] = row["samples"] / row["seconds"]
    fast = rows.get(FAST, {}).get("samples_per_second")
    for row in rows.values():
        if fast and "seconds" in row:
            row["times_slower"] = fast / row["samples_per_second"]


def found(section, set_name, contender):
    """A row that succeeded, or nothing."""
    for data in section["sets"]:
        for row in data["rows"]:
            if (data["name"], row["name"]) == (set_name, contender) and "seconds" in row:
                return row
    return None


HEADER = ["", "samples", "fit s", "process s", "samples/s", "peak MB", "PSNR dB", "× slower"]


def cells(data, row):
    if "seconds" not in row:
        return [row["name"], row.get("skipped") or row["failed"], *[""] * 6]
    part = "*" if row["samples"] < data["samples"] else ""
    return [row["name"], f"{row['samples']:,}{part}", table.number(row["seconds"]),
            table.number(row["wall"]), table.number(row["samples_per_second"]),
            f"{row['peak_mb']:,.0f}", table.decibel(row.get("psnr")),
            table.number(row.get("times_slower"))]


def show_set(data):
    return table.text(HEADER, [cells(data, row) for row in data["rows"]])


def show(section):
    """The tables were printed as they came."""
    return f"{len(section['sets'])} data sets above; * fewer samples than the set has"
