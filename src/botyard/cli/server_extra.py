"""What only a contest site needs is installed with the extra `server`; this module says so where it is missing."""

from __future__ import annotations

from importlib.util import find_spec

from botyard.kernel.errors import YardError

PACKAGES = {
    "alembic": "alembic",
    "argon2": "argon2-cffi",
    "fastapi": "fastapi",
    "jinja2": "jinja2",
    "python_multipart": "python-multipart",
}
"""Modules that `botyard serve` imports, and the packages that bring them."""


def need_server() -> None:
    """Refuses a command of the site where its packages are not installed."""
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        words = f"a contest site needs packages that are not installed: {', '.join(missing)}"
        raise YardError(words, hint="pip install 'botyard[server]'")
