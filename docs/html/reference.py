#!/usr/bin/env -S python3 -B
"""docs/html/reference.py FOLDER: writes the reference of the Lua API into it, as Markdown for docs/build.
docs/html/reference.py --check: only reads, and says what is wrong.

One page a module or object, from the annotations that editors, `perigee check` and the tests use (scripts/stubs),
with what the tables of docs/ say about each name.

Invariant: every class, function and field of the annotations stands on exactly one page, with an anchor; each
function has a description. A class without a page, an annotation that is not understood, and a function that neither
the annotations nor the guide describe are failures. Not here: the rest of the site (site.py).
"""
import html
import posixpath
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from annotations import Annotations, Mistake
from guide import Guide, sentence

ROOT = Path(__file__).resolve().parents[2]
# The pages that docs/lua-api.md lists.
LUA_PAGES = list(dict.fromkeys(re.findall(r"\]\((lua/[\w-]+\.md)\)", (ROOT / "docs/lua-api.md").read_text("utf-8"))))
LUA_TEXTS = {page: (ROOT / "docs" / page).read_text("utf-8") for page in LUA_PAGES}
GUIDE_PAGES = [*LUA_PAGES, "events.md", "data-files.md", "modding.md", "testing.md", "first-game.md", "concepts.md",
               "determinism.md", "profile.md", "security.md",
               *[f"tasks/{name}.md" for name in ("drawing", "text", "input", "sound", "spawning", "collisions", "menus", "worlds", "saving")]]
GUIDE_TABLES = {*LUA_PAGES, "events.md", "data-files.md", "testing.md"}


@dataclass
class Shown:
    """A class on a page. `prefix`: what names are written with. `homes`: sections of the guide that are about it."""
    name: str
    prefix: str = ""
    receivers: list[str] = field(default_factory=list)
    homes: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Page:
    file: str
    title: str
    shown: list[Shown]
    about: str = ""
    homes: list[tuple[str, str]] = field(default_factory=list)


def api(*titles):
    """The sections of these titles, with the pages that have them."""
    return [(page_of(title), title) for title in titles]


def page_of(title):
    pages = [page for page, text in LUA_TEXTS.items() if re.search(rf"^#+ {re.escape(title)}$", text, re.M)]
    if len(pages) != 1:
        raise Mistake(f"the heading '{title}' stands on {len(pages)} pages of docs/lua/")
    return pages[0]


def module(name, *options):
    return Page(f"{name}.md", name, [Shown(name, name, [name], api(name))] + [Shown(o) for o in options])


PAGES = [
    Page("ecs.md", "ecs", [Shown("perigee.ecs", "ecs", ["ecs"], api("Schemas", "Systems", "Reactions", "Mods"))],
         "Loaded with `local ecs = require \"ecs\"`."),
    Page("world.md", "ecs.world",
         [Shown("perigee.World", "ecs.world", ["ecs.world", "world"], api("Outside of systems"))]),
    Page("side-world.md", "side world",
         [Shown("perigee.SideWorld", "side world", ["world", "preview"], api("Side worlds")),
          Shown("perigee.Outside", "ecs.outside", ["ecs.outside"], api("Side worlds"))]),
    Page("chunk.md", "chunk", [Shown("perigee.Chunk", "chunk", ["chunk"], api("Systems", "Kinds of components")),
                               Shown("perigee.Batch", "batch", ["batch", "events"], api("Reactions"))]),
    Page("ctx.md", "ctx", [Shown("perigee.Context", "ctx", ["ctx"], api("Systems", "Buffers", "Objects")),
                           Shown("perigee.NamedQuery", "query", ["towers", "enemies"], api("Systems")),
                           Shown("perigee.Job", "job", ["job", "smooth"], api("Jobs")),
                           Shown("perigee.Random", "ctx.random", ["ctx.random", ""], api("Systems"))]),
    Page("commands.md", "ctx.commands", [Shown("perigee.Commands", "ctx.commands", ["ctx.commands", "commands"],
                                               api("Commands", "Buffers", "Objects"))]),
    Page("buffer.md", "buffer", [Shown("perigee.Buffer", "buffer", ["p", "buffer"], api("Buffers"))],
         "A list per entity: `chunk.Path[i]`, `ctx:buffer(entity, C.Path)`."),
    module("gfx", "perigee.PrintOptions", "perigee.FontOptions", "perigee.IconOptions",
           "perigee.ImageOptions", "perigee.Border", "perigee.SurfaceOptions", "perigee.CanvasOptions",
           "perigee.MeshOptions", "perigee.LayerOptions", "perigee.ParticleOptions", "perigee.ParticleArea",
           "perigee.ParticleCollisions"),
    Page("pixels.md", "pixels", [Shown("perigee.Pixels", "pixels", ["pixels", "plasma"], api("Pixels")),
                                 Shown("perigee.Canvas", "canvas", ["canvas", "map"], api("Canvases")),
                                 Shown("perigee.Mesh", "mesh", ["mesh", "coin"], api("Meshes")),
                                 Shown("perigee.Shader", "shader", ["shader", "crt"], api("Shaders"))],
         "Images that a game makes itself: `gfx.pixels(width, height)`, `gfx.canvas(width, height)`."),
    module("input", "perigee.Controls", "perigee.InputEvent"),
    module("audio", "perigee.PlayOptions", "perigee.MusicOptions"),
    module("app"),
    module("save"),
    Page("state.md", "state", [], homes=api("A sketch", "save")),
    Page("test.md", "test", [
        Shown("perigee.Test", "t", ["t"], [("testing.md", "perigee test")]),
        Shown("perigee.TestGame", "game", ["game"], [("testing.md", "perigee test")]),
        Shown("perigee.Picture")], "Loaded in files of `tests/` with `local t = require \"test\"`."),
    Page("declarations.md", "Declarations", [Shown(f"perigee.{name}", homes=api(home)) for name, home in (
        ("SchemaOptions", "Schemas"), ("Query", "Systems"), ("System", "Systems"), ("AccessLists", "Systems"),
        ("GroupOptions", "Systems"), ("ReactionOptions", "Reactions"))],
         "The tables that declare components, queries, systems and reactions: their keys."),
    Page("types.md", "Types", [Shown(f"perigee.{name}", homes=api(home)) for name, home in (
        ("Component", "Schemas"), ("Value", "Schemas"), ("Prefab", "Commands"), ("PreparedQuery", "Commands"),
        ("Blob", "Schemas"), ("Imported", "Mods"))],
         "What functions take and give, under the names that editors show."),
]


def anchor(name):
    return re.sub(r"\W+", "-", name).strip("-")


class Reference:
    def __init__(self):
        stubs = ROOT / "scripts/stubs"
        self.api = Annotations([(str(path.relative_to(ROOT)), path.read_text("utf-8"))
                                for path in sorted(stubs.glob("*.lua"))])
        self.guide = Guide([(page, (ROOT / "docs" / page).read_text("utf-8")) for page in GUIDE_PAGES],
                           GUIDE_TABLES)
        # The page of each type, and of every name what it belongs to, its page and its anchor.
        self.page_of = {"perigee.Components": "ecs.md"} | {name: "types.md" for name in self.api.aliases}
        self.names, self.mistakes = [], []
        for page in PAGES:
            for shown in page.shown:
                if shown.name not in self.api.classes:
                    raise Mistake(f"{page.file}: there is no class {shown.name}")
                self.page_of[shown.name] = page.file
        for name in [*self.api.classes, *self.api.globals]:
            if name not in self.page_of and name not in [page.title for page in PAGES]:
                raise Mistake(f"{name} stands on no page: add it to PAGES in docs/html/reference.py")

    def pages(self):
        """Files by their names."""
        made = {page.file: self.page(page) for page in PAGES}
        made["index.md"] = self.index()
        return made

    # ---- types ----

    def type_anchor(self, name):
        return "ecs-components" if name == "perigee.Components" else anchor("type " + name.removeprefix("perigee."))

    def type_html(self, text):
        """A type with links to those that have a place; without the prefix that all of them share."""
        def linked(match):
            name = match[0]
            if name not in self.page_of:
                return html.escape(name)
            target = self.page_of[name].replace(".md", ".html") + "#" + self.type_anchor(name)
            return f'<a href="{target}">{name.removeprefix("perigee.")}</a>'
        parts = re.split(r'("[^"]*")', text)
        # Quoted words are texts; bars would end a cell of a table.
        out = "".join(html.escape(part, quote=False) if part.startswith('"') else
                      re.sub(r"perigee\.\w+|[<>&]|\w+", linked, part) for part in parts)
        return out.replace("|", " &#124; ")

    # ---- functions ----

    def signature(self, written, function):
        """The call with its types, in one line where it fits."""
        def typed(name, type, mark=""):
            return (f"<b>{name}</b>{mark}: " if name else "") + self.type_html(type)
        def width(text):
            return len(html.unescape(re.sub(r"</?[ab][^>]*>", "", text)))
        parts = [typed(p.name, p.type, "?" if p.is_optional else "") for p in function.parameters]
        returned = ", ".join(typed(r.name, r.type) for r in function.returns)
        call, result = f"{written}({', '.join(parts)})", f" → {returned}" if returned else ""
        if width(call) > 90:
            call = f"{written}(\n    " + ",\n    ".join(parts) + "\n)"
        elif width(call + result) > 96:
            result = "\n   " + result
        return f'<pre class="signature">{call}{result}</pre>'

    def guide_text(self, text, page):
        """Links of a page of docs/, as they are written from the folder of the reference."""
        def moved(match):
            target = match[1]
            if "://" in target:
                return match[0]
            where = f"docs/{page}{target}" if target.startswith("#") else \
                posixpath.normpath(f"docs/{posixpath.dirname(page)}/{target}")
            return f"](../{where})"
        return re.sub(r"\]\(([^)]+)\)", moved, text)

    def entry(self, page, shown, function):
        mark = ":" if function.is_method else "."
        written = f"{shown.prefix}{mark}{function.name}"
        out = [f"### {written} {{#{anchor(written)}}}", "", self.signature(written, function), ""]
        for overload in function.overloads:
            call = self.type_html(overload.removeprefix("fun"))
            out += [f'<pre class="signature">{written}{call}</pre>', ""]
        summary = sentence(function.text)
        if summary:
            out += [summary, ""]
        for section, _, row in self.guide.rows_about(function.name, shown.receivers, shown.homes):
            if row.text:
                summary = summary or row.text
                out += [self.guide_text(row.text, section.page), ""]
            # Forms that say more than the signature.
            if len(row.forms) > 1 or re.search(r"[{\"…]", row.forms[0]):
                out += [" · ".join(f"`{form}`" for form in row.forms) + "\n{: .usage }", ""]
        said = [f"- `{p.name}`: {sentence(p.text)}" for p in function.parameters if p.text]
        said += [f"- Returns{f' `{r.name}`' if r.name else ''}: {sentence(r.text)}" for r in function.returns if r.text]
        out += said + [""] if said else []
        sections = self.guide.sections_about(function.name, shown.receivers, shown.homes)
        if sections:
            out += [self.more(sections), ""]
        if not summary:
            self.mistakes.append(f"{written}: neither its annotations nor a table of the guide say what it does")
        self.names.append((function.name, shown.prefix, page.file, anchor(written)))
        return out

    @staticmethod
    def link(section):
        title = section.title if section.title == section.page_title else f"{section.page_title}: {section.title}"
        return f"[{title}](../docs/{section.page}#{section.anchor})"

    @staticmethod
    def more(sections):
        links = list(dict.fromkeys(Reference.link(section) for section in sections[:4]))
        return "Guide: " + " · ".join(links) + "\n{: .guide }"

    # ---- classes ----

    def fields(self, page, shown, entry):
        rows = []
        for each in entry.fields:
            written = f"{shown.prefix}.{each.name}" if shown.prefix else each.name
            place = anchor(written if shown.prefix else f"{shown.name.removeprefix('perigee.')} {each.name}")
            text = sentence(each.text) or self.field_text(shown, each, written)
            mark = "?" if each.is_optional else ""
            rows.append((f'<code id="{place}">{written}{mark}</code>', f"<code>{self.type_html(each.type)}</code>",
                         text.replace("|", "\\|")))
            owner = shown.prefix or shown.name.removeprefix("perigee.")
            self.names.append((each.name, owner, page.file, place))
        # Without texts, without their column.
        width = 3 if any(row[2] for row in rows) else 2
        lines = [("field", "type", "meaning"), ("---", "---", "---"), *rows]
        return ["| " + " | ".join(line[:width]) + " |" for line in lines] + [""]

    def field_text(self, shown, each, written):
        """What the guide says about a field that the annotations do not describe."""
        for section in self.guide.sections:
            if section.title == written:
                return self.link(section) + "."
        if not shown.prefix:
            return ""
        for section, _, row in self.guide.rows_about(each.name, shown.receivers, shown.homes):
            if len(row.forms) == 1:
                return self.guide_text(row.text, section.page)
        return ""

    def shown(self, page, shown, is_only):
        entry = self.api.classes[shown.name]
        out, place = [], self.type_anchor(shown.name)
        if is_only:
            out += [f'<a id="{place}"></a>', ""]
        else:
            out += [f"## {shown.prefix or shown.name} {{#{place}}}", ""]
        if entry.text:
            out += [sentence(entry.text), ""]
        if shown.prefix and shown.prefix != shown.name:
            out += [f"In annotations: `{shown.name}`.", ""]
        sections = [s for s in self.guide.sections if (s.page, s.title) in shown.homes]
        if sections:
            out += [self.more(sections), ""]
        if entry.fields:
            out += self.fields(page, shown, entry)
        for function in entry.functions:
            out += self.entry(page, shown, function)
        return out

    def page(self, page):
        out = [f"# {page.title}", ""]
        if page.about:
            out += [page.about, ""]
        for number, shown in enumerate(page.shown):
            out += self.shown(page, shown, number == 0 and bool(shown.prefix))
        if page.file == "types.md":
            for alias in self.api.aliases.values():
                out += [f"## {alias.name} {{#{self.type_anchor(alias.name)}}}", "",
                        f'<pre class="signature">{self.type_html(alias.type)}</pre>', "", sentence(alias.text), ""]
        if page.title in self.api.globals:
            each = self.api.globals[page.title]
            place = anchor("global " + each.name)
            self.names.append((each.name, "global", page.file, place))
            out += [f'<pre class="signature" id="{place}">{each.name}: {self.type_html(each.type)}</pre>', "",
                    sentence(each.text), ""]
            out += [self.more([s for s in self.guide.sections if (s.page, s.title) in page.homes]), ""]
        return "\n".join(out)

    def index(self):
        """The list of all names; to be called after the pages."""
        out = ["# All names of the Lua API", "",
               "Every function, method and field, from A to Z. The search at the left finds them too. "
               "The [guide](../docs/lua-api.md) explains them in context.", ""]
        places = {}
        for name, owner, file, place in self.names:
            places.setdefault(name, []).append(f"[{owner}]({file}#{place})")
        letter = ""
        for name in sorted(places, key=lambda n: (n.lower(), n)):
            if name[0].upper() != letter:
                letter = name[0].upper()
                out += ["", f"## {letter}", ""]
            out.append(f"- `{name}` " + " · ".join(sorted(places[name])))
        return "\n".join(out) + "\n"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        reference = Reference()
        pages = reference.pages()
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return 1
    for mistake in reference.mistakes:
        print(mistake, file=sys.stderr)
    if reference.mistakes:
        return 1
    if arguments[0] == "--check":
        print(f"{len(reference.names)} names on {len(pages)} pages")
        return 0
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (folder / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
