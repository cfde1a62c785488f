"""Memory that is wanted soon: a processor waits for it less if it is told in time.

A loop goes from game to game, and in many games it reads a few bytes here and there, which no processor foresees. While
it plays one game it therefore names the records of the next one. Nothing depends on that but the time it takes.
"""

from __future__ import annotations

from typing import Any

from botyard.kernel.rule import INTERPRETED

LINE_BYTES = 64  # what a processor fetches at once, at least
LEAST_BYTES, MOST_BYTES = 1024, 4096  # smaller records are foreseen; of larger ones too little is read to be worth it

if INTERPRETED:

    def fetch_ahead(array: Any, at: int) -> None:
        """Does nothing: nothing is waited for where rules are interpreted."""
else:
    from llvmlite import ir as untyped_ir
    from numba.core import cgutils as untyped_cgutils
    from numba.core import types
    from numba.extending import intrinsic

    ir: Any = untyped_ir  # type checkers know too little of them
    cgutils: Any = untyped_cgutils

    def emit_fetches(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        """Writes the instructions: one for each line of the element."""
        kind, byte, flag = signature.args[0], ir.IntType(8).as_pointer(), ir.IntType(32)
        array = context.make_array(kind)(context, builder, given[0])
        size = cgutils.unpack_tuple(builder, array.strides)[0]
        at = context.cast(builder, given[1], signature.args[1], types.intp)
        first = builder.gep(builder.bitcast(array.data, byte), [builder.mul(at, size)])
        takes = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        fetch = cgutils.get_or_insert_function(builder.module, takes, "llvm.prefetch.p0i8")
        how = [ir.Constant(flag, 1), ir.Constant(flag, 3), ir.Constant(flag, 1)]  # to write to, to keep, as data
        numbers = (0, LINE_BYTES, LEAST_BYTES, MOST_BYTES)
        nothing, line, least, most = (ir.Constant(size.type, number) for number in numbers)
        fits = builder.and_(builder.icmp_signed(">=", size, least), builder.icmp_signed("<=", size, most))
        with (
            builder.if_then(fits),
            cgutils.for_range_slice(builder, nothing, size, line, size.type) as (offset, _),
        ):
            builder.call(fetch, [builder.gep(first, [offset]), *how])
        return context.get_dummy_value()

    @intrinsic
    def fetch_ahead(typing: Any, array: Any, at: Any) -> Any:  # noqa: ARG001 - Numba passes it
        """Has the processor fetch element `at` of an array, with all its dimensions, and does not wait for it."""
        return types.void(array, at), emit_fetches
