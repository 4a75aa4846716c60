#!/usr/bin/env -S python3 -B
"""docs/html/search_index.py FOLDER: reads the HTML pages of FOLDER and writes FOLDER/search/index.js, which search.js
reads without a server.

One entry a heading, and one a field in the reference: its title, the title of its page, its text and its address. The
text is what a reader sees, so code is found as it is written. Source files are found by their names only, and the list
of all names not at all. It replaces the index of mkdocs, which has a space between all words and signs of coloured
code.
"""
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

SOURCE = re.compile(r"\.\w+\.html$")
NOT_SEARCHED = {"404.html", "search.html", "reference/index.html"}
VOID = {"area", "br", "hr", "img", "input", "link", "meta", "source", "wbr"}
# Between these, words do not touch.
BLOCKS = {"br", "dd", "div", "dt", "h1", "h2", "h3", "h4", "li", "p", "pre", "table", "td", "th", "tr", "ul", "ol"}


class Sections(HTMLParser):
    """Headings and the text below them, inside the article of a page. A row of a table whose first cell has an anchor,
    as the fields in the reference, is an entry too."""

    def __init__(self, text):
        super().__init__()
        self.sections, self.rows, self.depth, self.in_title, self.in_mark, self.row = [], [], 0, False, False, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if self.depth == 0:
            self.depth = int(values.get("itemprop") == "articleBody")
            return
        self.depth += tag not in VOID
        if tag in ("h1", "h2", "h3") and "id" in values:
            self.sections.append({"title": "", "text": "", "place": values["id"]})
            self.in_title = True
        if tag == "code" and "id" in values:
            self.row = {"title": "", "text": "", "place": values["id"], "page": self.sections[-1]["title"]}
            self.rows.append(self.row)
            self.in_title = True
        self.in_mark = tag == "a" and values.get("class") == "headerlink"
        self.add(" " if tag in BLOCKS else "")

    def handle_endtag(self, tag):
        if self.depth:
            self.depth -= tag not in VOID
            self.add(" " if tag in BLOCKS else "")
            self.in_mark = False
            self.in_title = self.in_title and tag not in ("h1", "h2", "h3", "code")
            if tag == "tr":
                self.row = None

    def handle_data(self, text):
        self.add(text)

    def add(self, text):
        if not self.depth or not self.sections or self.in_mark:
            return
        self.sections[-1]["title" if self.in_title and not self.row else "text"] += text
        if self.row:
            self.row["title" if self.in_title else "text"] += text


def entries_of(folder):
    for path in sorted(folder.rglob("*.html")):
        address = path.relative_to(folder).as_posix()
        if address in NOT_SEARCHED:
            continue
        page = Sections(path.read_text("utf-8"))
        for entry in page.sections + page.rows:
            text = "" if SOURCE.search(address) else " ".join(entry["text"].split())
            yield {"title": " ".join(entry["title"].split()).removesuffix("?"), "text": text,
                   "page": entry.get("page", page.sections[0]["title"]).strip(),
                   "location": f"{address}#{entry['place']}"}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    entries = list(entries_of(folder))
    if not entries:
        print(f"{folder}: no pages to search", file=sys.stderr)
        return 1
    written = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    (folder / "search/index.js").write_text(f"var perigeeSearchIndex = {written};\n", "utf-8")
    (folder / "search/search_index.json").unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
