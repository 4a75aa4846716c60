"""Reads the annotations of scripts/stubs (LuaCATS) into classes, functions, fields and aliases.

Invariant: every line is understood or refused, with its file and number; nothing is skipped. A type that is named
and not declared is refused too, and so is a parameter that the function does not have. Not here: pages
(reference.py).
"""
import re
from dataclasses import dataclass, field

BASIC_TYPES = {"any", "boolean", "false", "function", "integer", "nil", "number", "string", "table", "true"}
# Declared by `perigee stubs` for each game (engine/tools/lua_stubs.cpp).
GENERATED_TYPES = {"perigee.Components"}
TOKEN = re.compile(r'\s*("[^"]*"|\.\.\.|[A-Za-z_][\w.]*|.)')


class Mistake(Exception):
    """What the annotations hold and this does not understand."""


@dataclass
class Field:
    name: str
    type: str
    text: str
    is_optional: bool = False


@dataclass
class Return:
    type: str
    name: str
    text: str


@dataclass
class Function:
    name: str
    is_method: bool
    parameters: list[Field]
    returns: list[Return]
    text: str
    overloads: list[str] = field(default_factory=list)  # other parameters: "fun(points: number[])"


@dataclass
class Class:
    name: str
    text: str
    fields: list[Field] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)


@dataclass
class Alias:
    name: str
    type: str
    text: str


class TypeReader:
    """Finds where a type ends, and which names it uses."""

    def __init__(self, text, generics=()):
        self.text, self.at, self.generics, self.names = text, 0, set(generics), set()

    def peek(self):
        match = TOKEN.match(self.text, self.at)
        return match.group(1) if match else ""

    def take(self, wanted=None):
        match = TOKEN.match(self.text, self.at)
        if not match or wanted not in (None, match.group(1)):
            raise Mistake(f"'{wanted or 'a type'}' expected in '{self.text}' at '{self.text[self.at:]}'")
        self.at = match.end()
        return match.group(1)

    def union(self):
        self.one()
        while self.peek() == "|":
            self.take()
            self.one()

    def one(self):
        token = self.take()
        if token == "(":
            self.union()
            self.take(")")
        elif token == "{":
            self.members("}")
        elif token == "fun":
            self.take("(")
            self.members(")")
            if self.peek() == ":":
                self.take()
                self.several()
        elif token == "table" and self.peek() == "<":
            self.take()
            self.several()
            self.take(">")
        elif re.match(r'[A-Za-z_]', token):
            self.names.add(token)
        elif not token.startswith('"'):
            raise Mistake(f"'{token}' begins no type in '{self.text}'")
        # "?" and "[]" belong to the type only where they follow at once.
        while match := re.compile(r'\?|\[\]').match(self.text, self.at):
            self.at = match.end()

    def several(self):
        self.union()
        while self.peek() == ",":
            self.take()
            self.union()

    def members(self, end):
        while self.peek() != end:
            self.take()
            if self.peek() == "?":
                self.take()
            self.take(":")
            self.union()
            if self.peek() != end:
                self.take(",")
        self.take(end)

    def rest(self):
        return self.text[self.at:].strip()


def is_known_type(reader, known):
    return all(n in known or n in BASIC_TYPES or n in reader.generics for n in reader.names)


class Annotations:
    """`files`: a list of (name, text). Classes stand in the order of their declarations."""

    def __init__(self, files):
        self.classes, self.aliases, self.globals = {}, {}, {}
        self.known = set(GENERATED_TYPES)
        for _, text in files:
            self.known.update(re.findall(r"^---@(?:class|alias) (\S+)", text, re.M))
        for name, text in files:
            self.read(name, text)

    def read(self, file, text):
        self.variables, self.open_class = {}, None
        self.forget()
        for number, line in enumerate(text.split("\n"), 1):
            try:
                self.line(line)
            except Mistake as mistake:
                raise Mistake(f"{file}:{number}: {mistake}") from None
        if self.pending():
            raise Mistake(f"{file}: annotations at the end that belong to nothing")

    def forget(self):
        self.text, self.parameters, self.returns, self.generics, self.variable_type = [], [], [], [], None
        self.overloads = []

    def pending(self):
        return self.text or self.parameters or self.returns or self.generics or self.variable_type or self.overloads

    def type_and_text(self, text):
        reader = TypeReader(text, self.generics)
        reader.union()
        if not is_known_type(reader, self.known):
            raise Mistake(f"no type is called {sorted(reader.names - self.known - BASIC_TYPES)}")
        return text[:reader.at].strip(), reader.rest()

    def line(self, line):
        if not line:
            if self.pending():
                raise Mistake("annotations above an empty line belong to nothing")
            self.open_class = None
        elif match := re.fullmatch(r"---@(\w+)(?: (.*))?", line):
            self.annotation(match[1], match[2] or "")
        elif line.startswith("---"):
            self.open_class = None
            self.text.append(line[3:].strip())
        elif line.startswith("--"):
            if self.pending():
                raise Mistake("a plain comment among annotations")
        elif match := re.fullmatch(r"(?:local )?(\w+) = \{\}", line):
            self.variable(match[1])
        elif match := re.fullmatch(r"function (\w+)([.:])(\w+)\((.*)\) end", line):
            self.function(*match.groups())
        elif not re.fullmatch(r"return \w+", line):
            raise Mistake(f"'{line}' is not understood")

    def annotation(self, kind, text):
        if kind == "meta":
            return
        if kind == "class":
            name, _, about = text.partition(" ")
            if name in self.classes:
                raise Mistake(f"the class {name} is declared twice")
            self.open_class = self.classes[name] = Class(name, about)
        elif kind == "alias":
            name, _, about = text.partition(" ")
            self.aliases[name] = Alias(name, *self.type_and_text(about))
        elif kind == "field":
            if self.open_class is None:
                raise Mistake("a field outside of a class")
            self.open_class.fields.append(self.named(text))
        elif kind == "param":
            self.parameters.append(self.named(text))
        elif kind == "return":
            self.read_returns(text)
        elif kind == "overload":
            self.overloads.append(self.type_and_text(text)[0])
        elif kind == "generic":
            self.generics.append(text.strip())
        elif kind == "type":
            self.variable_type = self.type_and_text(text)[0]
        else:
            raise Mistake(f"@{kind} is not understood")

    def named(self, text):
        match = re.fullmatch(r"(\w+|\.\.\.)(\??) (.+)", text)
        if not match:
            raise Mistake(f"'{text}' is no name with a type")
        type, about = self.type_and_text(match[3])
        return Field(match[1], type, about, match[2] == "?")

    def read_returns(self, text):
        # "integer width, integer height": another one begins at a comma that a type follows.
        while True:
            type, about = self.type_and_text(text)
            for comma in re.finditer(r", ", about):
                try:
                    self.type_and_text(about[comma.end():])
                except Mistake:
                    continue
                text, about = about[comma.end():], about[:comma.start()]
                break
            else:
                text = ""
            # "row nil when it is dead": a name, then words; words alone follow a "#".
            match = re.fullmatch(r"(\w*) ?(?:# ?)?(.*)", about)
            if not match:
                raise Mistake(f"'{about}' is neither a name nor begins with '#'")
            self.returns.append(Return(type, match[1], match[2]))
            if not text:
                return

    def variable(self, name):
        if self.variable_type:
            self.globals[name] = Field(name, self.variable_type, " ".join(self.text))
        elif self.open_class is None:
            raise Mistake(f"'{name}' has neither @class nor @type")
        else:
            self.variables[name] = self.open_class
        self.open_class = None
        self.forget()

    def function(self, variable, mark, name, arguments):
        if variable not in self.variables:
            raise Mistake(f"'{variable}' is no class")
        wanted = [a.strip() for a in arguments.split(",") if a.strip()]
        annotated = {p.name: p for p in self.parameters}
        if [n for n in wanted if n in annotated] != [p.name for p in self.parameters]:
            raise Mistake(f"the parameters of '{name}' are {wanted}, annotated are {list(annotated)}")
        parameters = [annotated.get(n) or Field(n, "any", "") for n in wanted]
        owner = self.variables[variable]
        if any(f.name == name for f in owner.functions):
            raise Mistake(f"'{name}' is declared twice")
        owner.functions.append(Function(name, mark == ":", parameters, self.returns, " ".join(self.text),
                                        self.overloads))
        self.open_class = None
        self.forget()
