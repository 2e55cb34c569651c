"""LLVM assembly as text: a module's constants and functions, and a writer of one function with structured control.

Values are the texts of operands: ``%t7``, or a decimal number for a constant; all are ``i64`` but truth values, which
are ``i1``. Variables are stack slots, which LLVM turns into registers. It knows nothing of the IR and imports nothing
of rulerun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

TRUE, FALSE = "true", "false"
MASK64 = 2**64 - 1

INTRINSICS = """\
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare <32 x i16> @llvm.ctpop.v32i16(<32 x i16>)
declare i16 @llvm.vector.reduce.smin.v32i16(<32 x i16>)
declare i16 @llvm.vector.reduce.smax.v32i16(<32 x i16>)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
"""
INVARIANT = "!invariant.load !1"
PURE = (
    "add ", "sub ", "mul ", "and ", "or ", "xor ", "shl ", "lshr ", "ashr ", "icmp ", "zext ", "sext ", "select ",
    "getelementptr ", "trunc ", "bitcast ", "insertelement ", "shufflevector ", "call i64 @llvm.",
    "call <32 x i16> @llvm.",
)  # fmt: skip
"""How the text of an instruction begins whose value depends on its operands alone."""
RARE = "!0"
"""Branch weights of what hardly ever happens (the first target)."""
METADATA = '!0 = !{!"branch_weights", i32 1, i32 2000000}\n!1 = !{}\n'


def is_number(text: str) -> bool:
    """Whether an operand is a constant."""
    return text[0] in "-0123456789"


def as_signed(value: int) -> int:
    """A number modulo 2**64 as a signed one."""
    value &= MASK64
    return value - 2**64 if value >> 63 else value


class Module:
    """Constants and functions of one compilation."""

    def __init__(self) -> None:
        self.tables: dict[tuple[int, ...], tuple[str, str]] = {}
        self.constants: list[str] = []
        self.functions: list[str] = []

    def table(self, values: Sequence[int]) -> tuple[str, str]:
        """A constant array of numbers: its name and element type, the smallest that holds them all."""
        key = tuple(values) or (0,)
        found = self.tables.get(key)
        if found is None:
            low, high = min(key), max(key)
            width = next(bits for bits in (8, 16, 32, 64) if -(1 << bits - 1) <= low and high < 1 << bits - 1)
            name = f"@T{len(self.tables)}"
            found = self.tables[key] = (name, f"i{width}")
            items = ", ".join(f"i{width} {value}" for value in key)
            self.constants.append(
                f"{name} = private unnamed_addr constant [{len(key)} x i{width}] [{items}], align 64"
            )
        return found

    def text(self) -> str:
        return "\n".join([INTRINSICS, *self.constants, *self.functions, METADATA])


class Choice:
    """The two sides of an `if`."""

    def __init__(self, w: Writer, other: str, end: str) -> None:
        self._w, self._other, self._end = w, other, end
        self.turned = False

    def otherwise(self) -> None:
        """What follows is done where the condition does not hold."""
        self._w.jump(self._end)
        self._w.label(self._other)
        self.turned = True


class Loop:
    """A loop being written."""

    def __init__(self, w: Writer, head: str, end: str) -> None:
        self._w, self.head, self.end = w, head, end

    def leave(self) -> None:
        self._w.jump(self.end)

    def leave_if(self, condition: str) -> None:
        """Goes on after the loop if the condition holds."""
        rest = self._w.new_label()
        self._w.branch(condition, self.end, rest)
        self._w.label(rest)

    def again(self) -> None:
        self._w.jump(self.head)


class Writer:
    """Writes the body of one function."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.count = 0
        self.labels = 0
        self.open = True
        """Whether the current block still wants its end."""
        self.known: dict[str, str] = {}
        """What instructions that depend on their operands alone gave in the current block."""

    # ------------------------------------------------------------------ basics

    def line(self, text: str) -> None:
        if self.open:
            self.lines.append("  " + text)

    def op(self, text: str) -> str:
        """An instruction that gives a value. The same one again in the same block gives it without being written: the
        short list of passes does not look for such."""
        pure = text.startswith(PURE) or text.endswith(INVARIANT)
        if pure and text in self.known:
            return self.known[text]
        self.count += 1
        name = f"%t{self.count}"
        self.line(f"{name} = {text}")
        if pure and self.open:
            self.known[text] = name
        return name

    def new_label(self, hint: str = "L") -> str:
        self.labels += 1
        return f"{hint}.{self.labels}"

    def label(self, name: str) -> None:
        """Begins a block; what came before goes on into it."""
        if self.open:
            self.jump(name)
        self.lines.append(f"{name}:")
        self.open = True
        self.known.clear()

    def jump(self, to: str) -> None:
        self.line(f"br label %{to}")
        self.open = False

    def branch(self, condition: str, then: str, otherwise: str, rare: bool = False) -> None:
        if condition in (TRUE, FALSE):
            self.jump(then if condition == TRUE else otherwise)
            return
        weights = f", !prof {RARE}" if rare else ""
        self.line(f"br i1 {condition}, label %{then}, label %{otherwise}{weights}")
        self.open = False

    def switch(self, value: str, targets: Sequence[tuple[int, str]], default: str) -> None:
        cases = " ".join(f"i64 {number}, label %{label}" for number, label in targets)
        self.line(f"switch i64 {value}, label %{default} [ {cases} ]")
        self.open = False

    def mark(self) -> tuple[int, bool]:
        """Where the text stands, for `back`."""
        return len(self.lines), self.open

    def back(self, mark: tuple[int, bool]) -> None:
        """Forgets what was written since."""
        length, self.open = mark
        del self.lines[length:]
        self.known.clear()

    # --------------------------------------------------------------- structure

    @contextmanager
    def when(self, condition: str, rare: bool = False) -> Iterator[Choice]:
        then, other, end = self.new_label("then"), self.new_label("else"), self.new_label("end")
        self.branch(condition, then, other, rare)
        self.label(then)
        choice = Choice(self, other, end)
        yield choice
        if self.open:
            self.jump(end)
        if not choice.turned:
            self.label(other)
            self.jump(end)
        self.label(end)

    @contextmanager
    def loop(self) -> Iterator[Loop]:
        """An endless loop; `Loop.leave` ends it."""
        head, end = self.new_label("loop"), self.new_label("done")
        self.label(head)
        yield Loop(self, head, end)
        if self.open:
            self.jump(head)
        self.label(end)

    @contextmanager
    def counting(self, start: str, stop: str) -> Iterator[str]:
        """A loop over ``start <= i < stop``."""
        i = self.slot(start)
        with self.loop() as loop:
            value = self.get(i)
            loop.leave_if(self.compare("sge", value, stop))
            self.put(i, self.add(value, "1"))
            yield value

    # ---------------------------------------------------------------- variables

    def slot(self, start: str | None = None, words: int = 1) -> str:
        """A variable of the function (or an array of words)."""
        self.count += 1
        name = f"%x{self.count}"
        self.slots.append(f"  {name} = alloca {'i64' if words == 1 else f'[{words} x i64]'}, align 16")
        if start is not None:
            self.put(name, start)
        return name

    def get(self, slot: str) -> str:
        return self.op(f"load i64, ptr {slot}")

    def put(self, slot: str, value: str) -> None:
        self.line(f"store i64 {value}, ptr {slot}")

    def at(self, base: str, index: str) -> str:
        """The address of word ``index`` after ``base``."""
        if index == "0":
            return base
        return self.op(f"getelementptr inbounds i64, ptr {base}, i64 {index}")

    def load(self, base: str, index: str) -> str:
        return self.get(self.at(base, index))

    def store(self, base: str, index: str, value: str) -> None:
        self.put(self.at(base, index), value)

    def look_up(self, values: Sequence[int], index: str) -> str:
        """An element of a constant table; the index must be within it (what was just found not to be is never read)."""
        if is_number(index):
            return str(values[int(index)]) if 0 <= int(index) < len(values) else "0"
        if len(set(values)) == 1:
            return str(values[0])
        name, width = self.module.table(values)
        where = self.op(f"getelementptr inbounds {width}, ptr {name}, i64 {index}")
        if width == "i64":
            return self.op(f"load i64, ptr {where}, {INVARIANT}")
        return self.op(f"sext {width} {self.op(f'load {width}, ptr {where}, !invariant.load !1')} to i64")

    def clear(self, base: str, index: str, words: int) -> None:
        """Zeroes words."""
        if words <= 4:
            for i in range(words):
                self.store(base, self.add(index, str(i)), "0")
        else:
            self.line(f"call void @llvm.memset.p0.i64(ptr {self.at(base, index)}, i8 0, i64 {8 * words}, i1 false)")

    # ------------------------------------------------------------------ numbers

    def _fold(self, op: str, a: str, b: str) -> str:
        """An operation on two operands; at once where both are constants."""
        if is_number(a) and is_number(b):
            x, y = int(a), int(b)
            results = {
                "add": x + y, "sub": x - y, "mul": x * y, "and": x & y, "or": x | y, "xor": x ^ y,
            }  # fmt: skip
            if op in results:
                return str(as_signed(results[op]))
            if op == "shl" and 0 <= y < 64:
                return str(as_signed(x << y))
            if op == "lshr" and 0 <= y < 64:
                return str(as_signed((x & MASK64) >> y))
        if b == "0" and op in ("add", "sub", "or", "xor", "shl", "lshr"):
            return a
        if a == "0" and op in ("add", "or", "xor"):
            return b
        if op in ("and", "mul") and "0" in (a, b):
            return "0"
        if op == "and" and "-1" in (a, b):
            return a if b == "-1" else b
        if op == "mul" and "1" in (a, b):
            return a if b == "1" else b
        return self.op(f"{op} i64 {a}, {b}")

    def add(self, a: str, b: str) -> str:
        return self._fold("add", a, b)

    def sub(self, a: str, b: str) -> str:
        return self._fold("sub", a, b)

    def mul(self, a: str, b: str) -> str:
        return self._fold("mul", a, b)

    def both(self, a: str, b: str) -> str:
        """Bitwise and."""
        return self._fold("and", a, b)

    def either(self, a: str, b: str) -> str:
        """Bitwise or."""
        return self._fold("or", a, b)

    def differ(self, a: str, b: str) -> str:
        """Bitwise exclusive or."""
        return self._fold("xor", a, b)

    def without(self, a: str, b: str) -> str:
        """``a`` and not ``b``."""
        return self.both(a, self.differ(b, "-1"))

    def up(self, a: str, by: str) -> str:
        return self._fold("shl", a, by)

    def down(self, a: str, by: str) -> str:
        return self._fold("lshr", a, by)

    def bit(self, index: str) -> str:
        """``1 << index``, whatever the index (modulo 64)."""
        return self.up("1", self.both(index, "63"))

    def has(self, of: str, index: str) -> str:
        """Whether bit ``index`` of a word is set."""
        return self.compare("ne", self.both(self.down(of, self.both(index, "63")), "1"), "0")

    def ones(self, a: str) -> str:
        if is_number(a):
            return str((int(a) & MASK64).bit_count())
        return self.op(f"call i64 @llvm.ctpop.i64(i64 {a})")

    def lowest(self, a: str) -> str:
        """The number of the lowest bit set; 64 for none."""
        return self.op(f"call i64 @llvm.cttz.i64(i64 {a}, i1 false)")

    def highest(self, a: str) -> str:
        """The number of the highest bit set; -1 for none."""
        return self.sub("63", self.op(f"call i64 @llvm.ctlz.i64(i64 {a}, i1 false)"))

    def least(self, a: str, b: str) -> str:
        if is_number(a) and is_number(b):
            return str(min(int(a), int(b)))
        return self.op(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})")

    def greatest(self, a: str, b: str) -> str:
        if is_number(a) and is_number(b):
            return str(max(int(a), int(b)))
        return self.op(f"call i64 @llvm.smax.i64(i64 {a}, i64 {b})")

    # -------------------------------------------------------------------- truth

    def compare(self, sign: str, a: str, b: str) -> str:
        if is_number(a) and is_number(b):
            x, y = int(a), int(b)
            results = {"eq": x == y, "ne": x != y, "slt": x < y, "sle": x <= y, "sgt": x > y, "sge": x >= y}
            if sign in results:
                return TRUE if results[sign] else FALSE
        return self.op(f"icmp {sign} i64 {a}, {b}")

    def pick(self, condition: str, a: str, b: str) -> str:
        if condition in (TRUE, FALSE):
            return a if condition == TRUE else b
        if a == b:
            return a
        return self.op(f"select i1 {condition}, i64 {a}, i64 {b}")

    def number(self, condition: str) -> str:
        if condition in (TRUE, FALSE):
            return "1" if condition == TRUE else "0"
        return self.op(f"zext i1 {condition} to i64")

    def no(self, condition: str) -> str:
        if condition in (TRUE, FALSE):
            return FALSE if condition == TRUE else TRUE
        return self.op(f"xor i1 {condition}, true")

    def all_of(self, a: str, b: str) -> str:
        if FALSE in (a, b):
            return FALSE
        if a == TRUE:
            return b
        return a if b == TRUE else self.op(f"and i1 {a}, {b}")

    def any_of(self, a: str, b: str) -> str:
        if TRUE in (a, b):
            return TRUE
        if a == FALSE:
            return b
        return a if b == FALSE else self.op(f"or i1 {a}, {b}")

    # ----------------------------------------------------------------- finishing

    def define(self, head: str, attributes: str = "nounwind") -> None:
        """Adds the function to the module. ``head``: result, name and parameters."""
        if self.open:
            self.line("unreachable")
        body = "\n".join(["entry:", *self.slots, *self.lines])
        self.module.functions.append(f"define {head} {attributes} {{\n{body}\n}}")
