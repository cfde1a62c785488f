"""The adapters of `sim` need packages that the base install leaves out; this module says how to get them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from botyard.kernel.errors import YardError


@contextlib.contextmanager
def extra(name: str, adapter: str) -> Iterator[None]:
    """Imports inside this context belong to an extra; if one is missing, the error names the command that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise YardError(f"{adapter} needs the package {error.name}", hint=f"pip install 'botyard[{name}]'") from None
