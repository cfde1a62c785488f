"""Records describe how a game lies in memory.

A game in progress is one NumPy record. Its layout has no padding and unused slots are zero, so equal games have equal
bytes; a copy is one memory copy and a batch is one array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Record: TypeAlias = Any
"""A NumPy record, a Numba record or `Fields`: rules see the same attributes on all three."""

Layout: TypeAlias = "np.dtype[np.void]"


class Layouts(NamedTuple):
    """The four record types of a game, for games up to some capacity."""

    arena: Layout  # what never changes during a game and is no secret
    state: Layout  # what changes
    view: Layout  # what one seat may know now
    memory: Layout  # what the house bots of one seat remember


FieldSpec: TypeAlias = tuple[str, Any] | tuple[str, Any, tuple[int, ...]]
WordSpec: TypeAlias = tuple[Sequence[str], Any, tuple[int, ...]]

# Names that no field may have, as np.record uses them: `state.round` would be its method, not the field.
TAKEN = frozenset(name for name in dir(np.record) if not name.startswith("_"))


def layout(fields: Sequence[FieldSpec], words: Mapping[str, WordSpec] | None = None) -> Layout:
    """Returns a record type from (name, type[, shape]) rows; it is aligned for the GPU and free of padding.

    Rows must go from wide to narrow types and end on a multiple of the widest; `spare` bytes may fill the record up,
    and stay zero. `words` gives neighbouring lists of small numbers a second form with fewer, wider numbers, so that
    rules can copy them faster: on a GPU each access to memory costs the same, however narrow. It maps the name of that
    form to (names of the lists, type, shape). NumPy hands such records to compiled rules in their array only.
    """
    made = np.dtype([_row(*row) for row in fields], align=True)
    wanted = sum(made[name].itemsize for name in made.names or ())
    if made.itemsize != wanted:
        raise ValueError(f"{made.itemsize - wanted} bytes of padding in {made.names}; reorder, or add a spare field")
    made = _with_words(made, words) if words else made
    for name in made.names or ():
        if name in TAKEN:
            raise ValueError(f"field {name!r} would hide an attribute of np.record; choose another name")
    return made


def _with_words(plain: Layout, words: Mapping[str, WordSpec]) -> Layout:
    kinds, offsets = _places(plain)
    for name, (lists, kind, shape) in words.items():
        kinds[name], offsets[name] = np.dtype((kind, shape)), offsets[lists[0]]
        seen = offsets[lists[-1]] + kinds[lists[-1]].itemsize - offsets[name]
        if kinds[name].itemsize != seen:
            raise ValueError(f"{name!r} and {', '.join(lists)} differ in size: {kinds[name].itemsize}, {seen}")
    rows: Any = {
        "names": list(kinds),
        "formats": list(kinds.values()),
        "offsets": list(offsets.values()),
        "itemsize": plain.itemsize,
    }
    made: Layout = np.dtype(rows, align=True)  # raises if words are not aligned
    return made


def _places(kind: Layout) -> tuple[dict[str, np.dtype[Any]], dict[str, int]]:
    """Returns the type and the offset of each field."""
    fields = dict(kind.fields or {})
    return {name: fields[name][0] for name in fields}, {name: fields[name][1] for name in fields}


def told_fields(kind: Layout) -> list[str]:
    """Returns the fields of a record without spare bytes and without words, which only repeat lists."""
    kinds, offsets = _places(kind)
    told, end = [], 0
    for name in kinds:
        if offsets[name] == end:
            told.append(name)
            end += kinds[name].itemsize
    return [name for name in told if name != "spare"]


def _row(name: str, kind: Any, shape: tuple[int, ...] = ()) -> tuple[str, Any, tuple[int, ...]]:
    return (name, kind, shape)


def spare_bytes(used: int, multiple: int) -> int:
    """Returns how many spare bytes fill a record up to the next multiple."""
    return -used % multiple


def record_of(records: NDArray[Any], index: int = 0) -> Record:
    """Returns a record of an array by reference, with its fields as attributes.

    Arrays themselves stay plain: Numba takes five times as long to recognise an np.recarray.
    """
    return records.view(record_kind(records.dtype))[index]


@cache
def record_kind(kind: Layout) -> Layout:
    """Returns the type whose records have fields as attributes; NumPy takes twice as long to find it by itself."""
    return np.dtype((np.record, kind))


class Fields:
    """A record for interpreted rules: every integer read is a Python integer.

    NumPy scalars keep their narrow type where Numba widens to 64 bits: with `u1` fields `y * w + x` for 20 * 30 would
    give 88 interpreted and 600 compiled. Writes out of a field's range raise, which compiled code cannot notice.
    """

    __slots__ = ("_record",)

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return _widened(self._record[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value

    def __getitem__(self, name: str) -> Any:
        return _widened(self._record[name])


class Cells:
    """An array field for interpreted rules: `Fields` for arrays."""

    __slots__ = ("_array",)

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        return _widened(self._array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value._record if isinstance(value, Fields) else value

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return (_widened(item) for item in self._array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._array.shape


def _widened(value: Any) -> Any:
    if isinstance(value, np.void):
        return Fields(value)
    if isinstance(value, np.ndarray):
        return Cells(value)
    return int(value)
