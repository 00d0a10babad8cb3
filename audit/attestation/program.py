"""`verify_evidence.py`: one file of the standard library, made of the sources of the check.

From each module comes what `main` needs, by name, in its own words: definitions are followed from
one to the next, over modules. Left out are imports of ours, lists of public names, what is for
type checkers alone, and of each docstring all but its first paragraph. Of two definitions of one
name the later one gets the name of its module. Nothing is written for this file but the module
`dyadic`, which stands for the enclosures, and `check`, which reads the pack.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import final

from audit.results.versions import touchstone_version

__all__ = ["verifier"]

MODULES = (
    "mechanisms.errors",
    "audit.files.bounded_json",
    "audit.files.plain",
    "audit.certificate.fixed_point",
    "audit.attestation.dyadic",
    "proofs_check.exponential",
    "audit.certificate.certificate_form",
    "audit.certificate.restated_thresholds",
    "audit.certificate.inverse_sensitivity",
    "audit.certificate.rechecked_multisets",
    "audit.certificate.restated_queries",
    "audit.certificate.restated_weights",
    "audit.certificate.compositions",
    "audit.certificate.account_steps",
    "audit.certificate.accounts",
    "audit.certificate.certificate_check",
    "audit.attestation.predicate",
    "audit.attestation.check",
)
"""In the order of the file: what a module uses when it is loaded comes before."""

STANDS_FOR = {"proofs_check.enclosure": "audit.attestation.dyadic"}
"""Whose names are those of another module."""

QUOTIENTS = ("ExpRatio", "_is_ratio")
"""Of sums of exponentials: the check compares no quotients, so what speaks of them goes."""

HEAD = '''#!/usr/bin/env python3
"""Check an evidence pack: `python -I -S verify_evidence.py PACK [--sources FOLDER ...]`.

Made by touchstone {version} from the modules named below, of which it holds what it needs, in
their words; `audit/attestation/program.py` says how. Standard library only, Python 3.11 or later.
"""
'''

WORD = re.compile(r"\w+")

Place = tuple[str, str]
"""A module and a name in it."""


@final
@dataclass(frozen=True, slots=True)
class Source:
    """A module: its text, what each name stands for, and which names come from elsewhere."""

    name: str
    lines: tuple[str, ...]
    about: str
    definitions: dict[str, ast.stmt]
    elsewhere: dict[str, Place]
    standard: dict[str, Place]
    """Imports of the standard library, by the name that they bind; whole modules of ""."""


@cache
def verifier() -> str:
    """Write the program."""
    sources = {name: _source(name) for name in MODULES}
    needed = _needed(sources, ("audit.attestation.check", "main"))
    names = _final_names(sources, needed)
    parts: list[str] = []
    imports = {("", "sys")}
    for source in sources.values():
        kept = [name for name in source.definitions if (source.name, name) in needed]
        texts, seen = [], set[int]()
        for name in kept:
            node = source.definitions[name]
            if id(node) in seen:
                continue
            seen.add(id(node))
            text = _renamed(_text(source, node), _names_in(source, names))
            is_block = isinstance(node, ast.FunctionDef | ast.ClassDef)
            texts.append(f"\n{text}" if is_block else text)
            used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            imports |= {place for bound, place in source.standard.items() if bound in used}
        about = "\n".join(f"# {line}".rstrip() for line in source.about.splitlines())
        parts.append(f"# ---- {source.name}\n#\n{about}\n")
        parts += texts
    head = HEAD.format(version=touchstone_version())
    future = "from __future__ import annotations\n\n"
    run = "sys.exit(main(sys.argv[1:], Path(__file__).read_bytes()))"
    last = f'if __name__ == "__main__":\n    {run}\n'
    return f"{head}\n{future}{_listed(imports)}\n\n" + "\n".join([*parts, f"\n{last}"])


def _listed(imports: set[tuple[str, str]]) -> str:
    """Imports, one line a module."""
    whole = [f"import {name}" for module, name in sorted(imports) if not module]
    modules = sorted({module for module, _ in imports if module})
    return "\n".join(
        whole
        + [
            f"from {module} import {', '.join(sorted(n for m, n in imports if m == module))}"
            for module in modules
        ]
    )


def _source(name: str) -> Source:
    package, _, module = name.rpartition(".")
    text = (files(package) / f"{module}.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    definitions: dict[str, ast.stmt] = {}
    elsewhere: dict[str, Place] = {}
    standard: dict[str, Place] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                bound = alias.asname or alias.name
                if node.module.partition(".")[0] in ("audit", "mechanisms", "proofs_check"):
                    elsewhere[bound] = STANDS_FOR.get(node.module, node.module), alias.name
                elif node.module != "__future__":
                    standard[bound] = node.module, alias.name
        elif isinstance(node, ast.Import):
            standard |= {alias.name: ("", alias.name) for alias in node.names}
        else:
            definitions |= dict.fromkeys(_bound(node), node)
    definitions.pop("__all__", None)
    about = ast.get_docstring(tree) or ""
    return Source(name, tuple(text.splitlines()), about, definitions, elsewhere, standard)


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def _needed(sources: dict[str, Source], start: Place) -> set[Place]:
    found: set[Place] = set()
    waiting = [start]
    while waiting:
        place = waiting.pop()
        source = sources[place[0]]
        if place in found:
            continue
        if place[1] in source.elsewhere:
            waiting.append(source.elsewhere[place[1]])
            continue
        found.add(place)
        for used in _used(source.definitions[place[1]]):
            if used in source.definitions:
                waiting.append((source.name, used))
            elif used in source.elsewhere:
                waiting.append(source.elsewhere[used])
    return found


def _used(node: ast.AST) -> Iterator[str]:
    """Names in it, those of annotations too: readers ask what these are."""
    if isinstance(node, ast.Name):
        yield node.id
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_of_quotients(child):
                yield from _used(child)


def _is_of_quotients(node: ast.AST) -> bool:
    """Whether a part of a sum of exponentials is about quotients of two."""
    test = node.test if isinstance(node, ast.If) else node
    if isinstance(node, ast.FunctionDef):
        return node.name == "__truediv__" and any(
            isinstance(n, ast.Name) and n.id in QUOTIENTS for n in ast.walk(node)
        )
    if isinstance(node, ast.If):
        return any(isinstance(n, ast.Name) and n.id in QUOTIENTS for n in ast.walk(test))
    return False


def _final_names(sources: dict[str, Source], needed: set[Place]) -> dict[Place, str]:
    """A name for each definition; of two of one name the later one gets that of its module."""
    count: Counter[str] = Counter()
    names: dict[Place, str] = {}
    for module, source in sources.items():
        for name in source.definitions:
            if (module, name) in needed:
                last = module.rpartition(".")[2]
                names[module, name] = f"{name}_of_{last}" if count[name] else name
                count[name] += 1
    return names


def _names_in(source: Source, names: dict[Place, str]) -> dict[str, str]:
    """What a module's text calls otherwise than the file does."""
    own = {name: names.get((source.name, name), name) for name in source.definitions}
    others = {name: names.get(place, place[1]) for name, place in source.elsewhere.items()}
    return {name: new for name, new in (own | others).items() if new != name}


def _text(source: Source, node: ast.stmt) -> str:
    """The lines of a definition without what is for readers of the package, or about quotients."""
    first = _begin(node)
    lines = dict(enumerate(source.lines[first - 1 : _end(node)], start=first))
    for inner in ast.walk(node):
        if isinstance(inner, ast.stmt) and _is_of_quotients(inner):
            for number in range(_begin(inner), _end(inner) + 1):
                lines.pop(number, None)
        elif isinstance(inner, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(inner):
            shown = inner.body[0]
            for number in range(shown.lineno + 1, _end(shown) + 1):
                lines.pop(number, None)
            if shown.lineno in lines:
                lines[shown.lineno] = _first_paragraph(ast.get_docstring(inner), shown.col_offset)
    above: list[str] = []
    for line in reversed(source.lines[: first - 1]):
        if not line.startswith("#"):
            break
        above.insert(0, line)
    after = source.lines[_end(node) :]
    is_constant = isinstance(node, ast.Assign | ast.AnnAssign)
    below = _string_below(after) if is_constant and after and after[0].startswith('"""') else ()
    return _squeezed("\n".join([*above, *lines.values(), *below])) + "\n"


def _first_paragraph(docstring: str | None, indent: int) -> str:
    assert docstring is not None
    margin = " " * indent
    paragraph = docstring.partition("\n\n")[0].replace("\n", f"\n{margin}")
    return f'{margin}"""{paragraph}"""'


def _string_below(lines: tuple[str, ...]) -> Iterator[str]:
    """What is said of a constant below it."""
    for number, line in enumerate(lines):
        yield line
        if line.rstrip().endswith('"""') and (number or line.count('"""') == 2):
            return


def _begin(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _end(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno


def _squeezed(text: str) -> str:
    """No two empty lines, and none where a block begins."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.strip() and (not lines or not lines[-1].strip()):
            continue
        lines.append(line)
    return "\n".join(lines).rstrip()


def _renamed(text: str, names: dict[str, str]) -> str:
    """Replace names where they stand for themselves: not after a dot, nor as a keyword."""
    if not names:
        return text
    lines = [list(line) for line in text.splitlines(keepends=True)]
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for before, token in reversed(list(zip([tokens[-1], *tokens], tokens, strict=False))):
        if token.type == tokenize.STRING and "f" in token.string.partition(token.string[-1])[0]:
            # before Python 3.12 what an f-string computes is no token
            assert not set(WORD.findall(token.string)) & names.keys(), token.string
        if token.type == tokenize.NAME and token.string in names and before.string != ".":
            row, column = token.start
            lines[row - 1][column : column + len(token.string)] = names[token.string]
    return "".join("".join(line) for line in lines)
