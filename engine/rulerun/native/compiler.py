"""From a program to machine code in memory. The only module that imports llvmlite, and it does so late."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from rulerun.ir.program import Program
from rulerun.ir.traverse import walk
from rulerun.native import MachineCodeError, UnsupportedError
from rulerun.native.cards import CardStore
from rulerun.native.expressions import ASKS_KNOWLEDGE, Shared
from rulerun.native.functions import know_values
from rulerun.native.places import Places
from rulerun.native.text import Module
from rulerun.run.expressions import Pool

SLOW_PDEP = ("bdver", "znver1", "znver2", "btver")
"""Processors on which the bit-deposit instruction is slower than arithmetic."""
SHORT_PASSES = (
    "always_inliner", "global_dead_code_eliminate", "sroa", "instruction_combine", "simplify_cfg",
    "sroa", "sccp", "instruction_combine", "simplify_cfg",
)  # fmt: skip
LONG_TEXT = 100_000
"""Characters of a long module."""
LONGEST_BLOCK = 1_200
"""Nodes of a block without a branch: LLVM takes minutes for one that is a few times as long."""
LARGEST = 20_000
"""Nodes of a program."""
_ready = False


@dataclass
class Code:
    """Compiled code: ``engine`` keeps it alive, ``entry`` is the address of its function."""

    engine: Any
    entry: int
    assembly: str


def host() -> tuple[str, str, bool]:
    """The processor's name, its features, and whether its bit-deposit instruction is worth using."""
    from llvmlite import binding

    global _ready
    if not _ready:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        _ready = True
    name = binding.get_host_cpu_name()
    features = binding.get_host_cpu_features()
    pdep = bool(features.get("bmi2")) and not name.startswith(SLOW_PDEP)
    return name, features.flatten(), pdep


def refuse(program: Program) -> None:
    """UnsupportedError for a program that asks what seats know, or that would take too long to compile."""
    if program.uses_knowledge:
        raise UnsupportedError(ASKS_KNOWLEDGE)
    blocks = [*program.blocks, *(block for function in program.functions for block in function.blocks)]
    sizes = [sum(1 for _ in walk(block)) for block in blocks]
    if max(sizes) > LONGEST_BLOCK:
        at = blocks[sizes.index(max(sizes))].at
        where = f" ({program.origins[at]})" if 0 <= at < len(program.origins) else ""
        raise UnsupportedError(f"a text without a branch is too long for machine code{where}")
    if sum(sizes) > LARGEST:
        raise UnsupportedError("the rules are too long for machine code")


def shared_parts(program: Program) -> Shared:
    """What the functions of one compilation share. UnsupportedError for a program that is not for machine code."""
    refuse(program)
    module = Module()
    cards = CardStore(program, module, host()[2])
    shared = Shared(program, module, cards, Places(program), Pool())
    know_values(shared)
    return shared


def compile_text(text: str, function: str, thorough: bool) -> Code:
    """Compiles a module. ``thorough``: with all passes of LLVM's level 1 (levels 2 and 3 gain nothing on such code);
    for a long module the short list takes half the time and gives code as fast. MachineCodeError if LLVM refuses."""
    try:
        return _compiled(text, function, thorough)
    except RuntimeError as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise MachineCodeError(first) from error


def _compiled(text: str, function: str, thorough: bool) -> Code:
    from llvmlite import binding

    name, features, _ = host()
    module = binding.parse_assembly(text)
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(cpu=name, features=features, opt=1, jit=True)
    module.triple = binding.get_process_triple()
    module.data_layout = str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=1)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = binding.create_pass_builder(machine, options)
    passes = None
    if not thorough or len(text) > LONG_TEXT:
        passes = short_passes()
    if passes is None:
        passes = builder.getModulePassManager()
    passes.run(module, builder)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return Code(engine, engine.get_function_address(function), text)


def short_passes() -> Any:
    """The passes that matter here; None where llvmlite does not offer one of them."""
    from llvmlite import binding

    passes = binding.create_new_module_pass_manager()
    for name in SHORT_PASSES:
        add = getattr(passes, f"add_{name}_pass", None)
        if add is None:
            return None
        add()
    return passes


def as_function(code: Code, count: int) -> Any:
    """A compiled function of ``count`` words (pointers as numbers) that gives a word; calling it frees the GIL."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * count))(code.entry)
