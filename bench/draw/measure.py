#!/usr/bin/env -S python3 -B
"""Measures what drawing costs in Perigee and in LÖVE. Started by bench/draw/run, which builds what it needs.

Options after -- are passed to `perigee run`, for example to measure one of its back ends.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from rows import MEMORY_TARGET, ROWS, START_TARGET
from sides import FOLDER, PERIOD, Broken, Missing, Sides

STARTS = 7          # starts of an empty window, for each side
MOST_WITHOUT = 100  # primitives in a frame of a scene that does not draw: the background
ALIKE = 25          # levels by which the means of a block may differ in pictures that show the same


@contextmanager
def display():
    """A display that nothing else uses: its name."""
    answer, told = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(told), "-screen", "0", "1600x900x24", "-nolisten", "tcp",
                               "-noreset"], pass_fds=[told], stderr=subprocess.DEVNULL)
    os.close(told)
    try:
        yield ":" + os.read(answer, 20).decode().strip()
    finally:
        server.terminate()
        server.wait()


class Results:
    """The runs of each job, and why a job has none."""

    def __init__(self):
        self.runs, self.missing, self.broken = {}, {}, []

    def add(self, sides, job, frames):
        if job in self.missing:
            return
        try:
            run = sides.run(job.side, job.scene, dict(job.parameters), frames)
        except Missing as missing:
            self.missing[job] = str(missing)
            return
        except Broken as broken:
            self.broken.append(str(broken))
            return
        if run.primitives < 2 * job.items or (job.items == 0 and run.primitives > MOST_WITHOUT):
            wanted = f"at least {2 * job.items}" if job.items else f"at most {MOST_WITHOUT}"
            self.broken.append(f"{job}: {run.primitives:.0f} primitives in a frame, expected {wanted}")
        self.runs.setdefault(job, []).append(run)

    def low(self, job):
        return min(run.low for run in self.runs[job])

    def median(self, job):
        return statistics.median(run.median for run in self.runs[job])

    def of_row(self, row, job):
        """The low and the median µs of a row's side, or None without runs."""
        base = row.base(job)
        if job not in self.runs or (base and base not in self.runs):
            return None
        return tuple(max(0.0, of(job) - (of(base) if base else 0)) for of in (self.low, self.median))


def jobs_of(rows, has_love):
    """All jobs once, with both sides of a row next to each other."""
    jobs = {}
    for row in rows:
        for job in (row.perigee, row.love) if has_love else (row.perigee,):
            base = row.base(job)
            jobs.update(dict.fromkeys([job, base] if base else [job]))
    return list(jobs)


def number(value):
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def table_line(name, ours, theirs, target, is_absolute=False):
    """`ours` and `theirs`: (low, median) or None."""
    cells = [name, " / ".join(map(number, ours)), " / ".join(map(number, theirs)) if theirs else ""]
    ratios = [our / their if their else float("inf") for our, their in zip(ours, theirs)] if theirs else None
    cells.append(" / ".join(f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}" for ratio in ratios) if ratios else "")
    cells.append(f"≤ {target:g} µs" if is_absolute else f"≤ {target:.2f}")
    reached = ours[0] <= target if is_absolute else ratios and ratios[0] <= target
    cells.append("" if not (is_absolute or ratios) else "yes" if reached else "no")
    return "| " + " | ".join(cells) + " |"


def print_table(rows, results, starts, memory):
    print("Low / median. µs of CPU time in a frame, unless the row has another unit.\n")
    print("| row | Perigee | LÖVE | ratio | target | reached |\n|---|---|---|---|---|---|")
    for row in rows:
        ours, theirs = results.of_row(row, row.perigee), results.of_row(row, row.love)
        if ours:
            print(table_line(row.name, ours, theirs, row.target, row.is_absolute))
        else:
            reason = results.missing.get(row.perigee)
            verdict = f"not there yet (`{reason}`)" if reason else "broken, see the errors"
            print(f"| {row.name} | {verdict} | {' / '.join(map(number, theirs)) if theirs else ''} | "
                  f"| ≤ {row.target:g} | no |")
    for name, figures, target in (("empty window, ms to the first frame", starts, START_TARGET),
                                  ("empty window, MB (PSS)", memory, MEMORY_TARGET)):
        if figures:
            pairs = [(min(values), statistics.median(values)) for values in figures.values()]
            print(table_line(name, pairs[0], pairs[1] if len(pairs) > 1 else None, target))

    print("\nWhole frames, and what the shim counted in one:\n")
    print("| program | low / median µs | draw calls | primitives |\n|---|---|---|---|")
    for job, runs in results.runs.items():
        print(f"| {job} | {number(results.low(job))} / {number(results.median(job))} | {runs[-1].draws:.0f} "
              f"| {runs[-1].primitives:.0f} |")


def measure(sides, rows, options, has_love):
    results, jobs = Results(), jobs_of(rows, has_love)
    starts, memory = {}, {}
    for turn in range(options.rounds):
        print(f"round {turn + 1} of {options.rounds}: {len(jobs)} programs", file=sys.stderr, flush=True)
        for job in jobs if turn % 2 == 0 else reversed(jobs):
            results.add(sides, job, options.frames)
    if "empty window".find(options.filter) >= 0:
        names = ("perigee", "love") if has_love else ("perigee",)
        for name in names * STARTS:
            starts.setdefault(name, []).append(sides.start_milliseconds(name))
        for name in names * 3:
            memory.setdefault(name, []).append(sides.memory_megabytes(name))
    print_table(rows, results, starts, memory)
    return results.broken


def check(sides, rows, folder):
    """Draws each scene on both sides and puts the pictures into a folder, side by side."""
    folder.mkdir(parents=True, exist_ok=True)
    print("| scene | pixels that differ by more than 32 levels | largest difference of a block's mean, levels |")
    print("|---|---|---|")
    unlike = []
    for ours, theirs in dict.fromkeys((row.perigee, row.love) for row in rows):
        # Particles are random, and a row of the table compares sorted sprites with others.
        sorts = [dict(job.parameters).get("sorts", False) for job in (ours, theirs)]
        if ours.scene == "particles" or sorts[0] != sorts[1]:
            continue
        files = [sides.work / "perigee.png", sides.work / "love.png"]
        for job, file in zip((ours, theirs), files):
            file.unlink(missing_ok=True)
            sides.picture(job.side, job.scene, dict(job.parameters), file)
        name = f"{ours} and {theirs}"
        both = folder / (name.replace(" ", "_") + ".png")
        answer = subprocess.run(["love", FOLDER / "compare", *files, both], check=True, capture_output=True,
                                text=True)
        differing, worst = answer.stdout.split()
        print(f"| {name} | {differing} % | {worst} |", flush=True)
        if float(worst) > ALIKE:
            unlike.append(f"{name}: the pictures show different things, see {both}")
    return unlike


def main():
    parser = argparse.ArgumentParser(prog="bench/draw/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="all programs run once in a round (3)")
    parser.add_argument("--frames", type=int, default=150, help="frames of a run that count (150)")
    parser.add_argument("--period", type=float, default=PERIOD / 1e6, metavar="MS",
                        help="from the start of one frame to the next (17); 0: at once, caches stay warm and most frames "
                             "have no step")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only rows whose names contain this")
    parser.add_argument("--check", type=Path, metavar="FOLDER",
                        help="measure nothing: draw each scene really and write PNGs, Perigee left, LÖVE right")
    own = sys.argv[1:sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
    options = parser.parse_args(own)
    rows = [row for row in ROWS if options.filter in row.name]
    has_love = shutil.which("love") is not None
    if options.check and not has_love:
        parser.error("--check needs LÖVE")
    with tempfile.TemporaryDirectory() as work, display() as name:
        sides = Sides(Path(work), name, round(options.period * 1e6), sys.argv[len(own) + 2:])
        if options.check:
            broken = check(sides, rows, options.check)
        else:
            broken = measure(sides, rows, options, has_love)
    for problem in dict.fromkeys(broken):
        print(f"bench/draw: {problem}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
