"""A ruleset from its text: YAML, shape, the files it extends, the variants laid on, settings, the typed document.

This is the order of things and nothing else; each step is a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulerun.document import take
from rulerun.document.build import PART_SECTIONS, Builder
from rulerun.document.cards import Rows
from rulerun.document.csvfile import read_csv
from rulerun.document.model import Entries, Ruleset, Scalar, VariantInfo, Word
from rulerun.document.overlay import (
    Layer,
    Working,
    among_files,
    extending_layer,
    find_layer,
    in_order,
    layers_of,
    said_after,
)
from rulerun.document.state_lines import separated
from rulerun.document.yaml import core_value, read_yaml
from rulerun.source.diagnostic import Diagnostics, UsageError
from rulerun.source.files import Folder
from rulerun.source.shipped import find_shipped, shipped_names
from rulerun.source.spell import nearest
from rulerun.source.text import Piece, Source, Span

MAX_EXTENDS = 8
EXTENDING_SECTIONS = ("extends", "after", "rulerun", "game", "about", *PART_SECTIONS, "variants")


@dataclass(frozen=True, slots=True)
class _File:
    source: Source
    folder: Folder
    root: Entries


@dataclass(frozen=True, slots=True)
class Files:
    """A ruleset and the files that it extends, read once. A document comes of it with any variants laid on."""

    source: Source
    """The outermost file, which extends the others."""
    read: tuple[_File, ...]
    """The base first."""
    extending: tuple[Layer, ...]
    layers: tuple[Layer, ...]
    """The variants of all files."""
    behind: Mapping[str, frozenset[str]]
    """By variant those that it says ``after:`` of."""
    offered: tuple[VariantInfo, ...]

    def ruleset(
        self, *, variants: Sequence[str] = (), settings: Mapping[str, str] | None = None, found: Diagnostics
    ) -> Ruleset | None:
        """The ruleset with `variants` laid on and options set to `settings` (as text). What is wrong goes to `found`;
        then, or if that holds an error already, the answer is None."""
        mine = Diagnostics(found.found.copy())
        ruleset = self._ruleset(variants, settings or {}, mine)
        found.found[:] = dict.fromkeys(mine)
        return ruleset

    def _ruleset(self, variants: Sequence[str], settings: Mapping[str, str], found: Diagnostics) -> Ruleset | None:
        folders = {file.source: file.folder for file in self.read}
        work = Working.of(self.read[0].root, found)
        order = in_order(_chosen(variants, self.layers, found), self.behind, found)
        laid = among_files(self.extending, order, self.layers, found)
        if found.has_errors:
            return None
        for layer in laid:
            work.lay(layer)
        for name, value in settings.items():
            told = Source("--set", f"{name}={value}")
            work.set_option(Word(name, Span(told, 0, len(name))), _setting(value))
        if found.has_errors:
            return None

        def csv(file: Word, sets: frozenset[str]) -> Rows:
            return _read_csv(file, folders[file.span.source], sets, found)

        builder = Builder(found, read_csv=csv, declared=work.declared, replaced=work.replaced)
        applied = tuple(layer.name for layer in order)
        try:
            ruleset = builder.ruleset(work.root(), self.offered, applied, tuple(settings.items()))
        except take.MisshapenError as error:
            help_ = "a variant or an extending file took away what is needed"
            found.error("RR0112", error.message, error.span, help=help_)
            return None
        return None if found.has_errors else replace(ruleset, outermost=self.source)


def read(
    source: Source,
    *,
    folder: Folder,
    variants: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    found: Diagnostics,
) -> Ruleset | None:
    """The ruleset in `source` with `variants` laid on and options set to `settings` (as text).

    `folder` holds its sibling files. Whatever is wrong goes to `found`; then the answer is None if no document could be
    made. Nothing is raised.
    """
    mine = Diagnostics()
    files = read_files(source, folder=folder, found=mine)
    ruleset = files.ruleset(variants=variants, settings=settings, found=mine) if files is not None else None
    found.found += dict.fromkeys(mine)
    return ruleset


def read_files(source: Source, *, folder: Folder, found: Diagnostics) -> Files | None:
    """The files of the ruleset in `source`, whose siblings `folder` holds. Whatever is wrong with them, or with what
    their variants say of each other, goes to `found`; the answer is None if one has not the shape of a ruleset."""
    files = _chain(source, folder, found)
    if found.has_errors:
        return None
    layers = layers_of(files[0].root.get("variants"), found)
    extending = tuple(extending_layer(file.root, number) for number, file in enumerate(files[1:], 1))
    for layer in extending:
        layers = layers_of(layer.entries.get("variants"), found, layers, layer.file)
    offered = tuple(VariantInfo(x.name, x.about, x.span) for x in layers)
    return Files(source, tuple(files), extending, tuple(layers), said_after(layers, found), offered)


def _setting(value: str) -> Scalar:
    told = Source("--set", value)
    piece = Piece.whole(told)
    return Scalar(core_value(value), piece, piece.span())


def _chosen(names: Sequence[str], layers: Sequence[Layer], found: Diagnostics) -> list[Layer]:
    chosen: list[Layer] = []
    for name in names:
        layer = find_layer(name, layers)
        if layer is None:
            told = Source("--with", name)
            offered = [x.name for x in layers]
            near = nearest(name, offered)
            help_ = f"did you mean `{near}`?" if near else None if offered else "this ruleset has no variants"
            message = f"there is no variant `{name}`"
            found.error("RR0123", message, Span(told, 0, len(name)), help=help_, expected=tuple(offered))
        elif layer not in chosen:
            chosen.append(layer)
    return chosen


def _chain(source: Source, folder: Folder, found: Diagnostics) -> list[_File]:
    """The file and those it extends, the base first. Stops at the first that cannot be read."""
    files: list[_File] = []
    while True:
        root = read_yaml(source, found)
        if root is None:
            return files
        root = separated(root, found)
        files.insert(0, _File(source, folder, root))
        extends = root.get("extends")
        if not _well_shaped(root, extending=extends is not None, found=found) or extends is None:
            return files
        name = take.word(extends)
        base = _base(name, folder, found)
        if base is None:
            return files
        source, folder = base
        if any(source.text == f.source.text for f in files):
            found.error(
                "RR0122", f"`{name.text}` in the end extends itself", name.span, help="take one `extends:` away"
            )
            return files
        if len(files) >= MAX_EXTENDS:
            message = f"more than {MAX_EXTENDS} files extend each other"
            found.error("RR0122", message, name.span, help="put some of them together")
            return files


def _base(name: Word, folder: Folder, found: Diagnostics) -> tuple[Source, Folder] | None:
    """The file that is extended: beside the ruleset, or one that is shipped."""
    reason = None
    if name.text.endswith((".yaml", ".yml")):
        try:
            return folder.read(name.text), folder.below(name.text)
        except UsageError as error:
            reason = str(error)
    shipped = find_shipped(name.text)
    if shipped is not None:
        return shipped
    near = nearest(name.text, [*folder.names(".yaml"), *shipped_names()])
    help_ = f"did you mean `{near}`?" if near else "name a YAML file in the same folder"
    if near is None and shipped_names():
        help_ = f"name a YAML file in the same folder, or a shipped ruleset: {', '.join(shipped_names())}"
    message = reason or f"there is no shipped ruleset `{name.text}`"
    found.error("RR0120", message, name.span, help=help_)
    return None


def _read_csv(file: Word, folder: Folder, sets: frozenset[str], found: Diagnostics) -> Rows:
    try:
        source = folder.read(file.text)
    except UsageError as error:
        near = nearest(file.text, folder.names(".csv"))
        found.error("RR0120", str(error), file.span, help=f"did you mean `{near}`?" if near else None)
        return ()
    return read_csv(source, sets, found)


def _well_shaped(root: Entries, *, extending: bool, found: Diagnostics) -> bool:
    """Whether `root` has the shape of a ruleset, variants included. The quick walk decides, the schema explains."""
    try:
        if extending:
            walker = Builder(found, partial=True)
            walker.part(root, EXTENDING_SECTIONS)
            walker.after(root)
        else:
            base = Entries(tuple((k, v) for k, v in root.entries if k.text != "variants"), root.span)
            Builder(found).ruleset(base)
            walker = Builder(found, partial=True)
        walker.variants(root.get("variants"))
    except take.MisshapenError as error:
        from rulerun.document.shape import explain_shape

        if not explain_shape(root, found):
            found.error("RR0112", error.message, error.span)
        return False
    return True
