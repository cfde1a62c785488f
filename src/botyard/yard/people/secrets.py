"""Secrets that people carry: cookies, tokens and links. The yard keeps hashes of them and nothing else."""

from __future__ import annotations

import hashlib
import secrets

SECRET_BYTES = 32
SECRET_LENGTH = 43  # of that many bytes as text
HANDLE = 16  # characters of a digest by which people name what they cannot see


def new_secret(mark: str = "") -> str:
    """Returns 256 random bits as text that fits into cookies and addresses, after a mark that says what it is."""
    return mark + secrets.token_urlsafe(SECRET_BYTES)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_handle(given: str) -> bool:
    """Whether this names something: a digest, or as much of its beginning as no two have in common."""
    return len(given) >= HANDLE and given.isascii() and given.isalnum()
