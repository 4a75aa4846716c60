#!/usr/bin/env -S python3 -B
"""docs/html/site.py FOLDER: lays out in FOLDER what mkdocs makes HTML of: FOLDER/mkdocs.yml and FOLDER/pages/.

The pages lie as in the repository, so that links between them lead where they should: README.md, CHANGELOG.md, docs/,
bench/results/. Added are the reference of the Lua API (reference.py), a list of the public C++ headers, and a page for
each header and for each other source file that a page links to.

Invariant: a page of docs/ that docs/README.md does not list, and a header without an opening comment, are failures.
Code, links and lists are changed only in form: GitHub and Python-Markdown do not read all of them alike. Not here:
whether links lead somewhere (links.py).
"""
import json
import re
import shutil
import sys
from pathlib import Path

import reference

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ["ecs", "scripting", "engine"]
PRIVATE = {"engine/decoding"}
PICTURES = {".png"}
# Other files that a page links to are shown as text.
LANGUAGES = {".h": "cpp", ".cpp": "cpp", ".c": "c", ".lua": "lua", ".json": "json"}


class Mistake(Exception):
    pass


def title_of(path):
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("# "):
            return line[2:].replace("`", "")
    raise Mistake(f"{path.relative_to(ROOT)}: no title")


def public_headers():
    """Headers that are installed and may be included, as CMakeLists.txt chooses them: folders in the order of
    docs/architecture.md, what that says about them, and their headers."""
    rooms = re.findall(r"^\| \[`([\w/]+)/`\]\([^)]+\) \| (.+) \|$",
                       (ROOT / "docs/architecture.md").read_text("utf-8"), re.M)
    for folder, about in rooms:
        if folder.split("/")[0] not in LAYERS or folder in PRIVATE:
            continue
        headers = [path for path in sorted((ROOT / folder).glob("*.h")) if "<lua.hpp>" not in path.read_text("utf-8")]
        if headers:
            yield folder, about[0].upper() + about[1:], headers


def opening(path):
    """The first paragraph of the comment that a header opens with."""
    lines = []
    for line in path.read_text("utf-8").split("\n"):
        if not line.startswith("// "):
            break
        lines.append(line[3:])
    if not lines:
        raise Mistake(f"{path.relative_to(ROOT)}: no opening comment")
    return " ".join(lines)


class Site:
    def __init__(self, folder):
        self.pages = folder / "pages"
        shutil.rmtree(self.pages, ignore_errors=True)
        self.guide = self.guide_groups()
        self.decisions = sorted((ROOT / "docs/decisions").glob("0*.md"))
        self.headers = {str(h.relative_to(ROOT)): h for _, _, headers in public_headers() for h in headers}
        markdown = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "docs/README.md",
                    ROOT / "docs/decisions/README.md", *self.decisions,
                    *[path for group in self.guide.values() for path in group],
                    *sorted((ROOT / "bench/results").glob("*.md"))]
        self.markdown = {str(path.relative_to(ROOT)): path for path in markdown}
        self.sources = dict(self.headers)

    def guide_groups(self):
        """The pages under the bold titles of docs/README.md, which lists them all, in its order."""
        groups, listed = {}, []
        title = "Guide"
        for line in (ROOT / "docs/README.md").read_text("utf-8").split("\n"):
            if match := re.fullmatch(r"\*\*(.+)\*\*", line):
                title = match[1]
            elif match := re.match(r"\d+\. \[[^]]+\]\(((?:tasks/|lua/)?[\w-]+\.md)\)", line):
                groups.setdefault(title, []).append(ROOT / "docs" / match[1])
                listed.append(match[1])
        docs = ROOT / "docs"
        for path in sorted([*docs.glob("*.md"), *docs.glob("tasks/*.md"), *docs.glob("lua/*.md")]):
            inside = str(path.relative_to(docs))
            if inside != "README.md" and inside not in listed:
                raise Mistake(f"docs/{inside} is not in the list of docs/README.md")
        return groups

    # ---- the text of a page ----

    def target(self, page, link):
        """Where a link leads in the site; None when the repository has nothing there."""
        name, mark, place = link.partition("#")
        if not name or "://" in name:
            return link
        path = (page.parent / name).resolve()
        if path.is_dir():  # a folder is its README, and a game is its main file
            path = path / ("main.lua" if (path / "main.lua").exists() else "README.md")
        if not path.is_relative_to(ROOT):
            return None
        inside = str(path.relative_to(ROOT))
        if inside in self.markdown:
            return self.written(page, inside) + mark + place
        if not path.is_file():
            return None
        if path.suffix in PICTURES:
            return link
        self.sources[inside] = path
        return self.written(page, inside + ".md")

    @staticmethod
    def written(page, inside):
        ups = len(page.relative_to(ROOT).parts) - 1
        return "../" * ups + inside

    def code_link(self, page, name):
        """`docs/security.md` and `perigee/ecs/world/world.h` in a text become links."""
        if name in self.markdown and self.markdown[name] != page:
            return f"[`{name}`]({self.written(page, name)})"
        header = name.removeprefix("perigee/")
        if name != header and header in self.headers:
            return f"[`{name}`]({self.written(page, header + '.md')})"
        return f"`{name}`"

    def decision_link(self, page, number):
        written = f"docs/decisions/{number}"
        for path in self.decisions:
            if path.name.startswith(number + "-") and path != page:
                return f"[{written}]({self.written(page, str(path.relative_to(ROOT)))})"
        return written

    def prose(self, page, text):
        def piece(match):
            if match["code"]:
                return self.code_link(page, match["code"])
            if match["decision"]:
                return self.decision_link(page, match["decision"])
            target = self.target(page, match["to"])
            if target is None:
                raise Mistake(f"{page.relative_to(ROOT)}: nothing is at '{match['to']}'")
            return f"{match['open']}]({target})"
        return re.sub(r"(?P<open>!?\[(?:`[^`]*`|[^]`])*)\]\((?P<to>[^)]+)\)|`(?P<code>[^`]+)`"
                      r"|docs/decisions/(?P<decision>\d{4})\b(?!-)", piece, text)

    def text(self, page):
        """A page as Python-Markdown wants it."""
        out, block, is_code = [], [], False
        def flush():
            if block:
                out.append(self.prose(page, "\n".join(block)))
                block.clear()
        for line in page.read_text("utf-8").split("\n"):
            if match := re.fullmatch(r"```(\w*)(?: (.+))?", line):
                flush()
                is_code = not is_code
                if is_code and match[2]:
                    name = match[2].removesuffix(" +")
                    more = ", added at the end" if match[2].endswith(" +") else ""
                    out += [f'<div class="file">{name}{more}</div>', ""]
                out.append(f"```{match[1] or ('text' if is_code else '')}")
            elif is_code:
                out.append(line)
            else:
                # A list begins after an empty line.
                if re.match(r"([-*]|\d+\.) ", line) and block and block[-1].strip() and \
                        not re.match(r"\s|([-*]|\d+\.) ", block[-1]):
                    block.append("")
                block.append(line)
        flush()
        return "\n".join(out)

    # ---- pages that are made ----

    def write(self, name, text):
        path = self.pages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def headers_page(self):
        out = ["# C++ headers", "", "What a host or plugin includes, by folder. Each header is the manual page of its "
               "type; its name leads to all of it. [Embedding](../docs/embedding.md) says what to link.", ""]
        for folder, about, headers in public_headers():
            about = self.prose(ROOT / "docs/architecture.md", about)
            out += [f"## perigee/{folder} {{#{folder.replace('/', '-')}}}", "", about + ".", "",
                    "| include | what it is |", "|---|---|"]
            for path in headers:
                inside = str(path.relative_to(ROOT))
                text = opening(path).replace("|", "\\|").replace("<", "&lt;")
                out.append(f"| [`perigee/{inside}`](../{inside}.md) | {text} |")
            out.append("")
        return "\n".join(out)

    def source_page(self, inside, path):
        text = path.read_text("utf-8")
        head = f"    #include \"perigee/{inside}\"\n\n" if inside in self.headers else ""
        return f"# {inside}\n\n{head}```{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n```\n"

    def build(self):
        problem = reference.main([str(self.pages / "reference")])
        if problem:
            raise Mistake("the reference of the Lua API was not made")
        for inside, path in self.markdown.items():
            self.write(inside, self.text(path))
        self.write("reference/headers.md", self.headers_page())
        for inside, path in self.sources.items():
            self.write(inside + ".md", self.source_page(inside, path))
        shutil.copytree(ROOT / "docs/images", self.pages / "docs/images")
        for name in ("style.css", "search.js", "menu.js"):
            shutil.copy(ROOT / "docs/html" / name, self.pages / name)
        shutil.copytree(ROOT / "docs/html/theme", self.pages.parent / "theme", dirs_exist_ok=True)

    def navigation(self):
        def entries(paths):
            return [{title_of(path): str(path.relative_to(ROOT))} for path in paths]
        lua = [{"All names, A to Z": "reference/index.md"}]
        lua += [{page.title: f"reference/{page.file}"} for page in reference.PAGES]
        groups = {title: entries(paths) for title, paths in self.guide.items()}
        next(iter(groups.values())).insert(0, {"Overview": "docs/README.md"})
        groups["Reference"].append({"C++ headers": "reference/headers.md"})
        decisions = groups.pop("Decisions") + [{"All decisions": "docs/decisions/README.md"}]
        return [{"Perigee": "README.md"}, *[{title: pages} for title, pages in groups.items()], {"Lua reference": lua},
                {"Decisions": decisions},
                {"More": [{"Measurements": "bench/results/README.md"}, {"Changelog": "CHANGELOG.md"}]}]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]).resolve()
    try:
        site = Site(folder)
        site.build()
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return 1
    # JSON is YAML.
    settings = (ROOT / "docs/html/mkdocs.yml").read_text("utf-8")
    (folder / "mkdocs.yml").write_text(f"{settings}nav: {json.dumps(site.navigation())}\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
