"""From a program to machine code in memory. The only module that uses llvmlite, and it imports it late."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from rulerun.ir.program import Program
from rulerun.native import MachineCodeError, UnsupportedError
from rulerun.native.cards import CardStore
from rulerun.native.expressions import ASKS_KNOWLEDGE, Shared
from rulerun.native.promotion import Promotion
from rulerun.native.size import size
from rulerun.native.text import Module

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
    """Code in memory: ``engine`` keeps it alive, ``entry`` is the address of its function."""

    engine: Any
    entry: int


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


def host_name() -> tuple[str, ...]:
    """What machine code depends on beside the program: LLVM, and the processor."""
    import llvmlite
    from llvmlite import binding

    name, features, _ = host()
    return llvmlite.__version__, repr(binding.llvm_version_info), binding.get_process_triple(), name, features


def refuse(program: Program) -> None:
    """UnsupportedError for a program that asks what seats know, or that would take too long to compile."""
    if program.uses_knowledge:
        raise UnsupportedError(ASKS_KNOWLEDGE)
    blocks = [*program.blocks, *(block for function in program.functions for block in function.blocks)]
    sizes = [size(block) for block in blocks]
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
    return Shared(program, module, cards, Promotion(program))


def compile_text(text: str, thorough: bool) -> bytes:
    """A module as object code. ``thorough``: with all passes of LLVM's level 1 (levels 2 and 3 gain nothing on such
    code); for a long module the short list takes half the time and gives code as fast. MachineCodeError if LLVM
    refuses."""
    try:
        return _compiled(text, thorough)
    except RuntimeError as error:
        raise refused(error) from error


def refused(error: RuntimeError) -> MachineCodeError:
    """What LLVM says, in its first line."""
    return MachineCodeError((str(error).splitlines() or [type(error).__name__])[0])


def _compiled(text: str, thorough: bool) -> bytes:
    from llvmlite import binding

    machine = target_machine()
    module = binding.parse_assembly(text)
    module.triple = machine.triple
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
    code: bytes = machine.emit_object(module)
    return code


def target_machine() -> Any:
    """LLVM's description of this processor, for code that runs in this process."""
    from llvmlite import binding

    name, features, _ = host()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(cpu=name, features=features, opt=1, jit=True)


def load_code(code: bytes, function: str) -> Code:
    """Brings object code into memory, ready to be called. MachineCodeError if LLVM refuses it."""
    from llvmlite import binding

    try:
        machine = target_machine()
        nothing = binding.parse_assembly("")
        nothing.triple = machine.triple
        engine = binding.create_mcjit_compiler(nothing, machine)
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return Code(engine, engine.get_function_address(function))
    except RuntimeError as error:
        raise refused(error) from error


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
