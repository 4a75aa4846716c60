"""What is measured: one row of the table each, with its target (issue 18, section 4)."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """One program: the file of a scene's folder that it runs, and the scene's parameters."""
    side: str           # perigee, love or love_mesh
    scene: str
    parameters: tuple   # of pairs
    items: int          # what it draws in a frame; two triangles each at least

    def without_drawing(self):
        return Job(self.side, self.scene, tuple(dict(self.parameters, draws=False).items()), 0)

    def empty(self):
        return Job("perigee" if self.side == "perigee" else "love", "empty", (), 0)

    def __str__(self):
        words = [f"{key}={value}" for key, value in self.parameters if key not in ("draws", "speed") and value]
        return " ".join([self.side, self.scene, *words, "" if self.items else "(without drawing)"]).strip()


@dataclass(frozen=True)
class Row:
    name: str
    perigee: Job
    love: Job
    minus: str          # what is subtracted from a frame: "still" (the scene without drawing), "empty", "" (nothing)
    target: float       # the largest ratio, or with is_absolute the most µs of Perigee
    is_absolute: bool = False

    def base(self, job):
        if self.minus == "still":
            return job.without_drawing()
        return job.empty() if self.minus == "empty" else None


def job(side, scene, count, items=None, **parameters):
    values = dict(count=count, draws=True, speed=1, **parameters)
    return Job(side, scene, tuple(values.items()), count if items is None else items)


def sprites(side, count, sorts=False):
    return job(side, "sprites", count, sorts=sorts)


def calls(call):
    return job("perigee", "calls", 10000, call=call)


def both(scene, count, items=None, **parameters):
    return job("perigee", scene, count, items, **parameters), job("love", scene, count, items, **parameters)


def shapes(shape, mode):
    return both("shapes", 2000, shape=shape, mode=mode)


LINES, GLYPHS = 200, 200 * 32
ROWS = [
    Row("1k sprites, the whole frame / `draw`", sprites("perigee", 1000), sprites("love", 1000), "", 0.20),
    Row("10k sprites / `draw`", sprites("perigee", 10000), sprites("love", 10000), "still", 0.10),
    Row("10k sprites / Mesh + FFI", sprites("perigee", 10000), sprites("love_mesh", 10000), "still", 0.35),
    Row("50k sprites / `draw`", sprites("perigee", 50000), sprites("love", 50000), "still", 0.10),
    Row("50k sprites / Mesh + FFI", sprites("perigee", 50000), sprites("love_mesh", 50000), "still", 0.35),
    Row("10k `gfx.sprite` / `draw`", calls("sprite"), sprites("love", 10000), "still", 0.25),
    Row("10k `gfx.image`, a style / `draw`", calls("image_with_style"), sprites("love", 10000),
        "still", 0.25),
    Row("10k `gfx.image`, options in the call / `draw`", calls("image_with_new_options"), sprites("love", 10000),
        "still", 0.25),
    Row("10k sorted by y / `table.sort` + `draw`", sprites("perigee", 10000, True), sprites("love", 10000, True),
        "still", 0.04),
    Row("10k sorted by y / `draw` alone", sprites("perigee", 10000, True), sprites("love", 10000), "still", 0.20),
    Row("10k unchanged sprites / static SpriteBatch", *both("still", 10000), "empty", 3, True),
    Row("3,600 unchanged tiles / static SpriteBatch", *both("still", 3600, tiles=True), "empty", 3, True),
    Row("200 lines of text, the same / `print`", *both("text", LINES, GLYPHS, changes=False), "still", 0.20),
    Row("200 lines of text, changing / `print`", *both("text", LINES, GLYPHS, changes=True), "still", 0.20),
    Row("2k rectangles, filled", *shapes("rectangle", "fill"), "empty", 0.20),
    Row("2k rectangles, outlined", *shapes("rectangle", "line"), "empty", 0.20),
    Row("2k circles, filled", *shapes("circle", "fill"), "empty", 0.20),
    Row("2k circles, outlined", *shapes("circle", "line"), "empty", 0.20),
    Row("10k particles, update + draw / ParticleSystem", *both("particles", 10000, 9500), "empty", 0.10),
]
START_TARGET, MEMORY_TARGET = 0.60, 0.65
