"""A yard behind nginx with TLS, by the configuration that the documents offer: forms, cookies, uploads, sockets."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import socket
import sqlite3
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from botyard.games.starters import starter_for
from botyard.yard.config import CONFIG_FILE
from tests.waiting import PATIENCE_S, ending, wait_until
from tests.yard.handing_in import zipped
from tests.yard.test_serve import serving

EXAMPLE = Path(__file__).parents[2] / "examples" / "yard" / "nginx.conf"
GAME = "hackman"  # its games take a second or two
CLIENT = ("127.0.0.2", 0)  # where our requests come from; the proxy sits at 127.0.0.1
PASSWORD = "a long one for the test"

MAIN = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def site_conf(folder: Path, plain: int, secure: int, yard: int) -> str:
    """The example with other ports and a certificate of our own; nothing else is changed."""
    text = EXAMPLE.read_text()
    for before, after in {
        r"listen \[::\].*;\n": "",
        r"listen 80;": f"listen 127.0.0.1:{plain};",
        r"listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl;",
        r"server 127\.0\.0\.1:8000;": f"server 127.0.0.1:{yard};",
        r"server_name bots\.example\.org;": "server_name localhost;",
        r"/etc/letsencrypt/live/bots\.example\.org/fullchain\.pem": str(folder / "cert.pem"),
        r"/etc/letsencrypt/live/bots\.example\.org/privkey\.pem": str(folder / "key.pem"),
        r"https://\$host\$request_uri": f"https://localhost:{secure}$request_uri",
    }.items():
        text, count = re.subn(before, after, text)
        assert count, f"the example has no {before}"
    return text


def make_certificate(folder: Path) -> ssl.SSLContext:
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(["openssl", *words.split(), *files], check=True, capture_output=True, timeout=PATIENCE_S)
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))


@contextlib.contextmanager
def nginx(folder: Path, plain: int, secure: int, yard: int) -> Iterator[None]:
    (folder / "site.conf").write_text(site_conf(folder, plain, secure, yard))
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    with ending(subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")])) as running:
        wait_until(lambda: answers(secure), (folder / "errors").read_text)
        yield
        running.terminate()


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


class Browser:
    """Asks over TLS and carries the cookie that it was given."""

    def __init__(self, port: int, trust: ssl.SSLContext) -> None:
        self.port, self.trust, self.cookie = port, trust, ""
        self.origin = f"https://localhost:{port}"

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "", **headers: str) -> tuple[int, str, str]:
        """Returns the status, where it leads, and the text."""
        line = http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE_S, source_address=CLIENT, context=self.trust
        )
        given = {"Cookie": self.cookie, "Content-Type": kind, **headers}
        with contextlib.closing(line):
            line.request(method, path, body or None, {name: value for name, value in given.items() if value})
            answer = line.getresponse()
            told = answer.getheader("Set-Cookie", "")
            self.cookie = told.partition(";")[0] or self.cookie
            return answer.status, told or answer.getheader("Location", ""), answer.read().decode()

    def post(self, path: str, **fields: str) -> tuple[int, str, str]:
        form = "application/x-www-form-urlencoded"
        return self.ask("POST", path, urlencode(fields).encode(), form, Origin=self.origin)

    def upload(self, name: str, content: bytes) -> tuple[int, str, str]:
        parts = {"game": GAME, "name": name, "activate": "yes"}
        body = b"".join(
            f'--x\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in parts.items()
        )
        body += (
            b'--x\r\nContent-Disposition: form-data; name="files"; filename="bot.zip"\r\n\r\n'
            + content
            + b"\r\n--x--\r\n"
        )
        return self.ask("POST", "/bots", body, "multipart/form-data; boundary=x", Origin=self.origin)


@pytest.mark.long
def test_a_yard_behind_nginx_is_used_over_tls(tmp_path: Path) -> None:
    if shutil.which("nginx") is None and not os.environ.get("BOTYARD_NOTHING_MISSING"):
        pytest.skip("nginx is missing; install the package nginx-light")
    plain, secure, folder = free_port(), free_port(), tmp_path / "yard"
    folder.mkdir()
    public = f'public_url = "https://localhost:{secure}"\nproxies = ["127.0.0.1"]\n'
    (folder / CONFIG_FILE).write_text(f'{public}[[ladders]]\nslug = "spring"\ngame = "{GAME}"\n')
    browser = Browser(secure, make_certificate(tmp_path))
    with serving(folder) as (running, told), nginx(tmp_path, plain, secure, told["port"]):
        assert told["address"] == browser.origin
        check_pages(browser, plain)
        check_sign_in(browser, told["admin_link"].removeprefix(browser.origin))
        check_uploads(browser)
        check_sockets(browser, folder / "yard.db")
        running.terminate()
        assert running.wait(PATIENCE_S) == 0


def check_pages(browser: Browser, plain: int) -> None:
    assert browser.ask("GET", "/")[0] == 200
    line = http.client.HTTPConnection("127.0.0.1", plain, timeout=PATIENCE_S)
    with contextlib.closing(line):
        line.request("GET", "/ladders", headers={"Host": "localhost"})
        answer = line.getresponse()
        assert (answer.status, answer.getheader("Location")) == (301, f"{browser.origin}/ladders")


def check_sign_in(browser: Browser, link: str) -> None:
    form = {"name": "Ada", "password": PASSWORD, "password_again": PASSWORD}
    foreign = browser.ask(
        "POST", link, urlencode(form).encode(), "application/x-www-form-urlencoded", Origin="https://evil.test"
    )
    assert foreign[0] == 403
    status, cookie, text = browser.post(link, **form)
    assert status == 303, text
    assert re.match(r"__Host-[^;]+;.*Secure", cookie, re.IGNORECASE)
    status, _, text = browser.ask("GET", "/me")
    assert status == 200
    assert CLIENT[0] in text, "the session knows where the request came from, beyond the proxy"


def check_uploads(browser: Browser) -> None:
    status, _, text = browser.upload("Giant", b"x" * (9 << 20))
    assert (status, "larger than 8 MiB" in text) == (413, True)
    starter = starter_for(GAME, "python")
    status, to, text = browser.upload(
        "Ant", zipped({path: (starter.folder / path).read_bytes() for path in starter.files})
    )
    assert (status, to.startswith("/bots/")) == (303, True), text
    wait_until(lambda: "fit" in browser.ask("GET", to)[2], lambda: browser.ask("GET", to)[2][-3000:])


def check_sockets(browser: Browser, database: Path) -> None:
    """Watches a match while it is played."""
    heard: list[object] = []

    def watch() -> bool:
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as tables:
            playing = tables.execute("SELECT id FROM match WHERE state = 'leased'").fetchone()
        if playing is None:
            return False
        address = f"wss://localhost:{browser.port}/show/live/{playing[0]}"
        origin = Origin(browser.origin)
        with (
            contextlib.suppress(InvalidStatus),
            connect(address, ssl=browser.trust, origin=origin, proxy=None) as line,
        ):
            heard.append(line.recv(timeout=PATIENCE_S))
        return bool(heard)

    wait_until(watch, lambda: "no match could be watched")
