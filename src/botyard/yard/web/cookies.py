"""The cookie that holds a session's secret."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import Response

from botyard.yard.config import YardConfig
from botyard.yard.data.times import SECOND
from botyard.yard.people.secrets import SECRET_LENGTH
from botyard.yard.people.sessions import LONGEST


def is_secure(config: YardConfig) -> bool:
    return config.public_url.startswith("https://")


def cookie_name(config: YardConfig) -> str:
    """Returns the name of the cookie.

    Under https no other host can set a cookie whose name begins with `__Host-`. Without it, all ports of a host share
    their cookies, so the name tells two yards on one machine apart.
    """
    return "__Host-botyard" if is_secure(config) else f"botyard-{config.port}"


def set_session(answer: Response, config: YardConfig, secret: str) -> None:
    """Has the browser carry a session from now on."""
    lasts = LONGEST // SECOND
    answer.set_cookie(
        cookie_name(config), secret, max_age=lasts, path="/", secure=is_secure(config), httponly=True, samesite="lax"
    )


def drop_session(answer: Response, config: YardConfig) -> None:
    answer.delete_cookie(cookie_name(config), path="/", secure=is_secure(config), httponly=True, samesite="lax")


def secret_in(headers: Headers, config: YardConfig) -> str:
    """Returns the secret that a browser sent, if there is one that could be ours."""
    wanted = cookie_name(config)
    for line in headers.getlist("cookie"):
        for part in line.split(";"):
            name, _, value = part.strip().partition("=")
            if name == wanted and len(value) == SECRET_LENGTH:
                return value
    return ""
