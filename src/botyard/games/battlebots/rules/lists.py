"""The lists of shots and mines, in a state or a view.

They are ordered, have no gaps and are zero behind their end, so that they can be copied in words.
"""

from __future__ import annotations

from botyard.kernel.records import Record
from botyard.kernel.rule import rule


@rule
def keep_shot(holder: Record, kind: int, to: int, at: int) -> None:
    """Moves a shot forward in its list, to close the gap that removed shots have left."""
    if to != at:
        holder.shot_words[kind, to] = holder.shot_words[kind, at]


@rule
def cut_shots(holder: Record, kind: int, kept: int) -> None:
    for at in range(kept, holder.shot_count[kind]):
        holder.shot_words[kind, at] = 0
    holder.shot_count[kind] = kept


@rule
def cut_mines(holder: Record, kept: int) -> None:
    for at in range(kept, holder.mine_count):
        holder.mines[at, 0] = 0
        holder.mines[at, 1] = 0
    holder.mine_count = kept
