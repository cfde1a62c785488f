"""The kinds of values that requests carry, and the frame of every list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from botyard.kernel.errors import quoted
from botyard.yard.refusals import Refusal
from botyard.yard.web.forms import readable
from botyard.yard.web.visit import LARGEST

LINE, TEXT = 1000, 20_000  # characters
MOST = 100  # items of a list

T = TypeVar("T")


def one_line(value: str) -> str:
    """Refuses what no database keeps, and line breaks."""
    told = several_lines(value)
    if any(sign in told for sign in "\r\n\t"):
        raise ValueError("it must have one line")
    return told


def several_lines(value: str) -> str:
    try:
        return readable("", value, TEXT)
    except Refusal as error:
        raise ValueError(f"it cannot be kept; {error.hint}") from None


Number = Annotated[int, Path(ge=1, le=LARGEST, description="The number of it")]
Place = Annotated[int, Path(ge=0, le=LARGEST, description="Counted from 0")]
Word = Annotated[str, Path(min_length=1, max_length=100), AfterValidator(one_line)]
Line = Annotated[str, Field(max_length=LINE), AfterValidator(one_line)]
Text = Annotated[str, Field(max_length=TEXT), AfterValidator(several_lines)]
Asked = Annotated[str, Query(max_length=100), AfterValidator(one_line)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many items to return")]
Cursor = Annotated[
    str, Query(max_length=100, description="`next` of the part of the list before"), AfterValidator(one_line)
]


class Told(BaseModel):
    """What the API tells. Only fields that are named here leave the yard."""

    model_config = ConfigDict(from_attributes=True, frozen=True, use_attribute_docstrings=True)


class Wanted(BaseModel):
    """What somebody sends. Fields that are not known are refused: a misspelt one must not be overlooked."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class ListPart(BaseModel, Generic[T]):
    """A part of a list."""

    items: list[T]
    next: str | None = None
    """What to send as `cursor` for the part after this one; null: this was the last."""


def part_of(found: Sequence[Any], limit: int, tell: Callable[[Any], T], cursor: Callable[[Any], object]) -> ListPart[T]:
    """Returns the part of a list of which one item more than wanted was looked for."""
    shown = found[:limit]
    return ListPart(items=[tell(item) for item in shown], next=str(cursor(shown[-1])) if len(found) > limit else None)


def number_in(cursor: str) -> int | None:
    """Returns the number that a cursor holds; None if there is no cursor."""
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit() and int(cursor) <= LARGEST):
        raise Refusal(f"cursor = {quoted(cursor)} is none of ours", hint="send `next` as it came, or nothing")
    return int(cursor)
