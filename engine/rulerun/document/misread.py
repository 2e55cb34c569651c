"""What YAML does not understand, said in our words: with the place where the reader can mend it and a way out.

Most of it is rule text or a sentence that begins with a sign of YAML's own, or holds ``": "``. The words of PyYAML
are only used to find the sort of fault, never shown, because they speak of tokens, contexts and block mappings.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from rulerun.source.diagnostic import Diagnostic, Note
from rulerun.source.text import Source, Span

_ENTRY = re.compile(
    r"(?P<lead>[ ]*(?:- +)*)(?P<key>[^\s:#{\[\"'][^:#{\[]*?|\"[^\"]*\"|'[^']*')[ ]*:[ \t]+(?P<rest>\S.*)$"
)
_LONGEST_LINE = 2_000
"""Characters of a line that are looked at: a file of one line must not take for ever."""

_PLAIN_TEXTS = ("game", "about", "name", "sources", "default", "range", "type", "start", "csv", "extends", "copies")
"""Keys whose text is not of rules, and seldom long."""

_QUOTED_IN_BRACES = re.compile(r"""\{[^{}\n]*["'][^{}\n]*\}""")

_SIGNS = {
    "@": "YAML keeps `@` for itself",
    "`": "YAML keeps the sign ` for itself",
    "%": "YAML keeps `%` for itself",
    "&": "a text that begins with `&` is an anchor for YAML",
    "*": "a text that begins with `*` is an alias for YAML",
    "!": "a text that begins with `!` is a tag for YAML",
    ">": "a text that begins with `>` is a folded block for YAML",
    "|": "after `|` the text begins on the next line",
    "{": "a text that begins with `{` is a mapping for YAML",
    "[": "a text that begins with `[` is a list for YAML",
    '"': "a text that begins with a quote ends for YAML at the closing quote",
    "'": "a text that begins with a quote ends for YAML at the closing quote",
    "-": "a text that begins with `- ` is a list for YAML",
    "?": "a text that begins with `? ` is a key for YAML",
    ",": "a text cannot begin with `,` in YAML",
    "]": "a text cannot begin with `]` in YAML",
    "}": "a text cannot begin with `}` in YAML",
}


def block_help(key: str, text: str) -> str:
    """The way out for text that stands badly on one line: the same in a ``|`` block, or in quotes if it is no rule."""
    if key == "name" and _QUOTED_IN_BRACES.search(text):
        return (
            "within `{…}` stands a field, and no text in quotes: give the cards a field of a type of your own that "
            "says it, and show that"
        )
    if key in _PLAIN_TEXTS and "\n" not in text.strip():
        said = _shortened(text.strip().strip("\"'")).replace("'", "''")
        return f"put it in quotes: {key}: '{said}'"
    short = key if len(key) <= 40 else key[:39] + "…"
    body = "\n".join("  " + line for line in _shortened(text.strip()).split("\n"))
    return f"let it stand in a block, indented:\n{short}: |\n{body}"


def _shortened(text: str) -> str:
    lines = [line if len(line) <= 70 else line[:69] + "…" for line in text.split("\n")]
    return "\n".join([*lines[:3], "…"] if len(lines) > 3 else lines)


def explain(source: Source, index: int, problem: str, begun: int | None = None) -> Diagnostic:
    """The diagnostic for YAML's complaint `problem` at character `index` of `source`.

    `begun`: where the value begins that YAML was reading, if it says so.
    """
    told = _explain(source, min(index, len(source.text)), problem, begun)
    if told.span is None or told.span.end <= len(source.text):
        return told
    return replace(told, span=Span(source, min(told.span.start, len(source.text)), len(source.text)))


def _explain(source: Source, index: int, problem: str, begun: int | None) -> Diagnostic:
    number, column = source.position(index)
    line = source.line(number)
    if problem.startswith("found unexpected end of stream") or "while scanning a quoted" in problem:
        return _unclosed_quote(source, index, begun)
    if "nesting depth" in problem:
        return Diagnostic("RR0107", "values lie far too deep in each other here", Span(source, index, index + 1))
    tab = line.find("\t", 0, len(line) - len(line.lstrip(" \t")))
    if tab >= 0 or "tab character" in problem:
        at = source.line_starts[number - 1] + max(tab, 0)
        return Diagnostic(
            "RR0102",
            "this line is indented with a tab, and YAML counts spaces only",
            Span(source, at, at + 1),
            help="indent with spaces; most editors can turn tabs into spaces",
        )
    if re.search("unknown escape|escape code|hexdecimal|escape sequence", problem):
        return _escape(source, index)
    if "unexpected document indicator" in problem:
        return Diagnostic("RR0106", "a line `---` or `...` cannot stand inside a value", Span(source, index, index + 3))
    for candidate in dict.fromkeys((number, number - 1)):
        misread = _misread_line(source, candidate, index, problem)
        if misread:
            return misread
    bracket = _open_bracket(source, index)
    if bracket is not None and not source.text[index:].strip():
        sign = source.text[bracket]
        message = f"this `{sign}` is never closed"
        closing = {"{": "}", "[": "]"}[sign]
        return Diagnostic("RR0119", message, Span(source, bracket, bracket + 1), help=f"close it with `{closing}`")
    if bracket is not None and ("',' or" in problem or "node content" in problem or "expected key" in problem):
        sign = source.text[bracket]
        closing = {"{": "}", "[": "]"}[sign]
        return Diagnostic(
            "RR0119",
            f"the list that began with `{sign}` goes wrong here: a `,` or the closing `{closing}` is missing",
            Span(source, index, min(index + 1, len(source.text))),
            notes=(Note(f"the `{sign}` stands here", Span(source, bracket, bracket + 1)),),
            help="put a text that holds `,`, `:`, `{` or `[` in quotes",
        )
    if source.text[index : index + 1] in ("]", "}"):
        sign = source.text[index]
        return Diagnostic("RR0119", f"this `{sign}` closes nothing", Span(source, index, index + 1), help="delete it")
    return _indentation(source, number, column, problem)


def _misread_line(source: Source, number: int, index: int, problem: str) -> Diagnostic | None:
    """``key: text`` on line `number`, where YAML stumbled over the text."""
    line = source.line(number)[:_LONGEST_LINE]
    entry = _ENTRY.match(line)
    if entry is None:
        return None
    start = source.line_starts[number - 1] + entry.start("rest")
    rest, key = entry["rest"].rstrip(), entry["key"].strip()
    if index < start or (rest[0] in "|>" and re.fullmatch(r"[|>][-+0-9]*([ ]+#.*)?", rest)):
        return None
    colon = re.search(r":(?= |$)", rest)
    if "mapping values" in problem and colon and rest[0] not in "{[":
        at = start + colon.start()
        message = "YAML takes `: ` for the end of a key, so this text cannot stand here as it is"
        return Diagnostic("RR0108", message, Span(source, at, at + 1), help=block_help(key, rest))
    sign = rest[0]
    if sign in "{[":
        over = _one_too_many(rest)
        if over is not None:
            place = Span(source, start + over, start + over + 1)
            return Diagnostic("RR0119", f"this `{rest[over]}` closes nothing", place, help="delete it")
        if _balanced(rest):
            return None
    if sign in "-?" and rest[1:2] not in ("", " "):
        return None
    if sign not in _SIGNS or (sign in "{[" and index > start + len(rest)):
        return None
    if sign == "|":
        rest = rest[1:]
    return Diagnostic("RR0108", _SIGNS[sign], Span(source, start, start + 1), help=block_help(key, rest))


def _one_too_many(text: str) -> int | None:
    """Where a closed flow text is followed by nothing but a further closing bracket."""
    closed = re.fullmatch(r"(?P<flow>.*[\]}])[\]}]\s*(#.*)?", text)
    if closed is None or not _balanced(closed["flow"]) or closed["flow"].count("{") != closed["flow"].count("}"):
        return None
    return closed.end("flow")


def _balanced(text: str) -> bool:
    """Whether the brackets of a flow text close at its end only: then it was meant as one."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "{[") - (c in "}]")
        if depth == 0:
            tail = text[i + 1 :].strip()
            return tail == "" or tail.startswith("#")
    return True


def _open_bracket(source: Source, index: int) -> int | None:
    """The nearest bracket of a flow value before `index` that is still open, looked for on the lines just above."""
    depth = 0
    for at in range(index - 1, max(index - 4000, 0) - 1, -1):
        c = source.text[at]
        if c in "]}":
            depth += 1
        elif c in "[{":
            if depth == 0:
                return at
            depth -= 1
    return None


def _unclosed_quote(source: Source, index: int, begun: int | None) -> Diagnostic:
    """A quote that is never closed: told at the first that its own line does not close, not at the end of the file."""
    at = max(0, min(index, len(source.text)))
    opening = None
    for match in islice(re.finditer(r"(?:^|[:\[{,\-] {0,20})(?P<quote>[\"'])", source.text[:at], re.MULTILINE), 2_000):
        quote, start = match["quote"], match.start("quote")
        line_end = source.text.find("\n", start)
        line = source.text[start + 1 : line_end if line_end >= 0 else len(source.text)][:_LONGEST_LINE]
        if line.replace("\\" + quote, "").replace("''", "").count(quote) % 2 == 0:
            opening = start
            break
    place = opening if opening is not None else begun if begun is not None else at
    help_ = "close it on the same line, or put a text that holds quotes into a `|` block"
    return Diagnostic("RR0119", "a quote is opened but never closed", Span(source, place, place + 1), help=help_)


def _escape(source: Source, index: int) -> Diagnostic:
    at = source.text.rfind("\\", 0, index + 1)
    at = max(at, 0)
    sort = source.text[at + 1 : at + 2]
    digits = {"x": 2, "u": 4, "U": 8}.get(sort, 0)
    written = re.match("[0-9a-fA-F]*", source.text[at + 2 : at + 2 + digits])
    end = at + 2 + (len(written[0]) if written else 0)
    shown = source.text[at:end]
    message = f"`{shown}` means nothing between double quotes"
    if digits:
        message = f"`{shown}` stands for no character" if end == at + 2 + digits else f"`{shown}` lacks digits"
    help_ = "write `\\\\` for a backslash, or put the text between single quotes"
    return Diagnostic("RR0108", message, Span(source, at, end), help=help_)


def _indentation(source: Source, number: int, column: int, problem: str) -> Diagnostic:
    """What is left: a line that does not fit those above it."""
    line = source.line(number)
    while number > 1 and not line.strip():
        number -= 1
        line = source.line(number)
        column = len(line) + 1
    start = source.line_starts[number - 1] + len(line) - len(line.lstrip())
    end = source.line_starts[number - 1] + len(line.rstrip())
    if "could not find expected ':'" in problem or re.fullmatch(r"[^:]*", line):
        above = number
        while above > 1 and (":" in source.line(above) or not source.line(above).strip()):
            above -= 1
        if ":" not in source.line(above) and source.line(above).strip():
            number = above
            line = source.line(number)
            start = source.line_starts[number - 1] + len(line) - len(line.lstrip())
            end = source.line_starts[number - 1] + len(line.rstrip())
        help_ = "write `name: value`; the lines of rule text are indented below a line that ends in `: |`"
        return Diagnostic("RR0101", "a `name:` was expected on this line", Span(source, start, end), help=help_)
    del column
    if line.lstrip().startswith(":"):
        return Diagnostic("RR0117", "this entry has no key before its `:`", Span(source, start, start + 1))
    before = source.line(number - 1)
    if before.lstrip().startswith("- ") and len(before) - len(before.lstrip()) == len(line) - len(line.lstrip()):
        message = "this entry stands among the items of a list (`- …`)"
        help_ = "write `name: value` in every line, or `- ` before every item"
        return Diagnostic("RR0101", message, Span(source, start, end), help=help_)
    if "mapping values" in problem:
        message = "this line has a `:` where YAML expects none: the line above it may lack its own `:`"
        return Diagnostic(
            "RR0101", message, Span(source, start, end), help="look at the line above and its indentation"
        )
    if source.text[start : start + 2] == "- ":
        message = "this list stands among entries of the form `name: value`"
        return Diagnostic(
            "RR0101", message, Span(source, start, end), help="indent the list below the name that it is for"
        )
    message = "this line is indented so that it belongs neither to the entry above nor to what surrounds it"
    help_ = "indent it as its neighbours are; the lines of a `|` block are indented deeper than its key"
    return Diagnostic("RR0101", message, Span(source, start, end), help=help_)
