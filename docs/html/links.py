#!/usr/bin/env -S python3 -B
"""docs/html/links.py FOLDER: checks the HTML in FOLDER. Every link, picture, style and script is a file of the folder,
and every anchor exists. Addresses with a scheme are only allowed where a reader may click them.

Also refused: marks of Markdown that were left as text, which a page has when Python-Markdown does not read it as GitHub
does, and anchors that occur twice on a page.
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEFT_OVER = ("```", "](", "|---", "\n- ", "{:")


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors, self.twice, self.left_over = [], [], set(), [], []
        self.depth_of_code, self.is_script = 0, False
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            if values["id"] in self.anchors:
                self.twice.append(values["id"])
            self.anchors.add(values["id"])
        if tag == "a" and "name" in values:
            self.anchors.add(values["name"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("href"):
            self.loaded.append(values["href"])
        if tag in ("img", "script", "source", "iframe") and values.get("src"):
            self.loaded.append(values["src"])
        self.depth_of_code += tag in ("pre", "code")
        self.is_script = tag in ("script", "style")

    def handle_endtag(self, tag):
        self.depth_of_code -= tag in ("pre", "code")
        self.is_script = False

    def handle_data(self, text):
        if self.depth_of_code == 0 and not self.is_script:
            self.left_over += [f"'{mark.strip()}' in '{text.strip()[:60]}'" for mark in LEFT_OVER if mark in text]


def problems_of(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        # Not found is a page for servers, with addresses from the root.
        if path.name == "404.html":
            continue
        name = path.relative_to(folder)
        for mark in page.left_over:
            yield f"{name}: Markdown was left: {mark}"
        for twice in page.twice:
            yield f"{name}: the anchor '{twice}' occurs twice"
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    yield f"{name}: loads {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_relative_to(folder) or not target.is_file():
                yield f"{name}: the link {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: the link {link} has no such anchor"
    if not pages:
        yield f"{folder}: no pages"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems = list(problems_of(Path(arguments[0]).resolve()))
    for problem in problems[:40]:
        print(problem, file=sys.stderr)
    if problems[40:]:
        print(f"and {len(problems) - 40} more", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
