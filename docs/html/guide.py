"""What the pages of docs/ say about names: their tables and the sections that mention them in code.

Invariant: it quotes and links, and makes nothing up: the reference (reference.py) says what the guide says. Not here:
what annotations say (annotations.py).
"""
import re
import unicodedata
from dataclasses import dataclass, field

CODE = re.compile(r"`[^`]+`")


def slug(title):
    """The anchor of a heading, as the toc extension of Python-Markdown makes it."""
    ascii = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", ascii).strip().lower())


@dataclass
class Row:
    """A row of a table: `forms` is the code of its first cell, `text` what it says about them."""
    forms: list[str]
    text: str


@dataclass
class Section:
    page: str
    page_title: str
    title: str
    anchor: str
    lines: list[str] = field(default_factory=list)

    @property
    def code(self):
        """All code of the section, spans and blocks."""
        parts = CODE.findall("\n".join(self.prose()))
        return "\n".join(parts + [line for line, is_code in self.marked() if is_code])

    def marked(self):
        is_code = False
        for line in self.lines:
            if line.startswith("```"):
                is_code = not is_code
            else:
                yield line, is_code

    def prose(self):
        return [line for line, is_code in self.marked() if not is_code]

    def rows(self):
        header = None
        for line in self.prose():
            if not line.startswith("|"):
                header = None
                continue
            cells = cells_of(line)
            if header is None:
                header = cells
            elif not re.fullmatch(r"[|:\- ]+", line):
                yield row_of(header, cells)


def cells_of(line):
    """The cells of a table's line; a bar in code or behind a backslash separates nothing."""
    held = re.sub(r"`[^`]*`|\\\|", lambda m: m.group().replace("|", "\0"), line.strip().strip("|"))
    return [cell.replace("\0", "|").strip() for cell in held.split("|")]


def row_of(header, cells):
    first, rest = cells[0], " ".join(cells[1:])
    # "`gfx.set_layer(n)`: higher is nearer": what follows the code belongs to the text.
    match = re.match(r"((?:`[^`]+`(?:, | or | · )?)+):? ?(.*)", first)
    if not match:
        return Row([], rest)
    text = match[2]
    if header[-1] == "default":
        text = sentence(text) + " " + sentence("default: " + rest)
    elif rest:
        text = (text + " " + rest).strip()
    return Row([span.strip("`") for span in CODE.findall(match[1])], sentence(text))


def sentence(text):
    """With a full stop, and a capital unless it begins with code or with a letter that stands for something."""
    text = text.strip()
    if not text:
        return ""
    if text[0].islower() and not re.match(r"[b-z]\b", text):
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."


def sections_of(page, text):
    """Sections from headings of levels 1 to 3, without those in blocks of code."""
    title, sections, is_code = "", [], False
    for line in text.split("\n"):
        if line.startswith("```"):
            is_code = not is_code
        match = None if is_code else re.fullmatch(r"#{1,3} (.+)", line)
        if match:
            title = title or match[1]
            sections.append(Section(page, title, match[1], slug(match[1])))
        elif sections:
            sections[-1].lines.append(line)
    return sections


class Guide:
    """`pages`: a list of (file name in docs/, text), the most important first. `of_tables`: the pages whose tables
    describe names; those of others hold messages or figures."""

    def __init__(self, pages, of_tables):
        self.of_tables = of_tables
        self.sections = [s for page, text in pages for s in sections_of(page, text)]

    def rows_about(self, name, receivers, homes):
        """Rows of tables about a name: written with one of `receivers`, or bare in a section of `homes`."""
        found = []
        for section in self.sections:
            if section.page not in self.of_tables:
                continue
            is_home = (section.page, section.title) in homes
            for row in section.rows():
                for form in row.forms:
                    match = re.match(r"(?:([\w.]+)[.:])?(\w+)", form)
                    if match and match[2] == name and (
                            match[1] in receivers if match[1] else is_home and "(" in form):
                        found.append((section, form, row))
                        break
        return found

    def sections_about(self, name, receivers, homes):
        """Sections that have the name in their code, those of `homes` first."""
        called = re.compile(r"(?<![\w.:])(?:%s)[.:]%s\b" % ("|".join(map(re.escape, receivers)), name))
        bare = re.compile(r"(?<![\w.:])%s\b" % name)
        at_home, elsewhere = [], []
        for section in self.sections:
            if (section.page, section.title) in homes:
                if called.search(section.code) or bare.search(section.code):
                    at_home.append(section)
            elif called.search(section.code):
                elsewhere.append(section)
        return at_home + elsewhere
