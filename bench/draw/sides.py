"""The two programs: the folders that they run, and what a run reports."""
import json
import os
import shutil
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from atlas import write_atlas

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
SCENES = FOLDER / "scenes"
PERIGEE = ROOT / "build/release/perigee"
SHIM = ROOT / "build/draw/null_gl.so"
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

WARM_UP = 90        # frames that are not counted: images are loaded, loops compiled
FILLING = 1.5e9     # ns, the same: until an emitter has all particles alive
LOW = 10            # the share of frames, in percent, that may be cheaper than the low figure of a run
PERIOD = 17_000_000  # ns from frame to frame: a step of 1/60 s in each of Perigee's, sometimes two


@dataclass(frozen=True)
class Run:
    """What one process reported. Times are in µs of CPU time of the process in a frame."""
    low: float          # one in ten frames is cheaper
    median: float
    draws: float        # draw calls in a frame
    primitives: float   # triangles, lines and points in a frame


class Missing(Exception):
    """The scene needs something that Perigee does not have yet."""


class Broken(Exception):
    """A process did not do what its scene says."""


def lua_table(values):
    def text(value):
        return json.dumps(str(value) if isinstance(value, Path) else value)
    return "-- Written for this run.\nreturn { " + ", ".join(f"{k} = {text(v)}" for k, v in values.items()) + " }\n"


class Sides:
    """Makes and starts programs. `period`: ns from frame to frame; `options`: further options of `perigee run`."""

    def __init__(self, work, display, period, options):
        self.work, self.period, self.options = work, period, options
        self.environment = dict(os.environ, DISPLAY=display, SDL_VIDEODRIVER="x11", SDL_AUDIODRIVER="dummy",
                                ALSOFT_DRIVERS="null", XDG_DATA_HOME=str(work / "data"), HOME=str(work),
                                SDL_OPENGL_LIBRARY=str(SHIM), SDL_VIDEO_EGL_DRIVER=str(SHIM))
        self.atlas = work / "atlas.png"
        write_atlas(self.atlas)

    def command(self, side, scene, parameters):
        """Makes the folder of a program and returns the command that runs it."""
        folder = self.work / "program"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SCENES / "common", folder)
        (folder / "assets").mkdir()
        if scene != "empty":  # as a new game is
            shutil.copy(self.atlas, folder / "assets")
        (folder / "parameters.lua").write_text(lua_table(parameters))
        if side == "perigee":
            for name in ("main.lua", "conf.lua", "love_sprites.lua"):
                (folder / name).unlink()
            (folder / "mod.json").write_text('{ "id": "bench-draw", "title": "bench", "version": "1.0.0" }\n')
            shutil.copy(SCENES / scene / "perigee.lua", folder / "main.lua")
            # As players run it, who have an archive: no steps are kept for F6, no files are watched.
            return [PERIGEE, "run", folder, "--seed", "1", "--rewind", "0", "--no-watch", "--save-dir",
                    self.work / "saves", *self.options]
        shutil.copy(SCENES / scene / f"{side}.lua", folder / "scene.lua")
        shutil.copy(FONT, folder / "assets")
        return ["love", folder]

    def start(self, command, frames, draws, period=0):
        report = self.work / "report"
        report.unlink(missing_ok=True)
        environment = dict(self.environment, NULL_GL_REPORT=str(report), NULL_GL_FRAMES=str(frames),
                           NULL_GL_DRAWS=str(int(draws)), NULL_GL_PERIOD=str(period))
        return report, subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        stdin=subprocess.DEVNULL, text=True)

    def run(self, side, scene, parameters, frames):
        """Runs a scene without pixels. Throws Missing, or Broken with the output when there is no report."""
        command = self.command(side, scene, parameters)
        warm_up = WARM_UP
        if scene == "particles" and 0 < self.period < PERIOD:
            warm_up = round(FILLING / self.period)
        report, process = self.start(command, warm_up + frames, False, self.period)
        output, _ = process.communicate()
        if "not there yet: " in output:
            raise Missing(output.split("not there yet: ")[1].split("\n")[0])
        if not report.exists():
            raise Broken(f"{side}, scene {scene}: did not show its frames\n{output}")
        lines = [line.split() for line in report.read_text().splitlines()[1 + warm_up:]]
        times = sorted(int(line[0]) / 1000 for line in lines)
        return Run(times[len(times) * LOW // 100], statistics.median(times),
                   statistics.median(int(line[1]) for line in lines), statistics.median(int(line[2]) for line in lines))

    def start_milliseconds(self, side):
        """From the start of the process until its first frame is on the display, with real drawing."""
        command = self.command(side, "empty", {"picture": False})
        begin = time.monotonic_ns()
        report, process = self.start(command, 3, True)
        output, _ = process.communicate()
        if not report.exists():
            raise Broken(f"{side}: the empty window showed no frame\n{output}")
        return (int(report.read_text().split()[1]) - begin) / 1e6

    def memory_megabytes(self, side):
        """Proportional memory of the process and its children two seconds after the start, with real drawing."""
        command = self.command(side, "empty", {"picture": False})
        _, process = self.start(command, 10000, True, PERIOD)
        time.sleep(2)
        total = sum(pss_kilobytes(pid) for pid in family(process.pid))
        process.kill()
        output, _ = process.communicate()
        if total == 0:
            raise Broken(f"{side}: the empty window did not stay open\n{output}")
        return total / 1024

    def picture(self, side, scene, parameters, file):
        """Draws a scene that stands still really, and writes its 30th frame as PNG."""
        command = self.command(side, scene, dict(parameters, speed=0, picture=file))
        if side == "perigee":
            command += ["--frames", "30", "--screenshot", file]
        _, process = self.start(command, 0, True)
        output, _ = process.communicate(timeout=120)
        if not file.exists():
            raise Broken(f"{side}, scene {scene}: no picture\n{output}")


def family(pid):
    """A process and its descendants."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found


def pss_kilobytes(pid):
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return int(text.split("\nPss:")[1].split()[0])
