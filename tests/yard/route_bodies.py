"""What is sent to every door that changes something, and how addresses are filled in."""

from __future__ import annotations

import re
from typing import Any

from botyard.games import load
from botyard.yard.rooms.rooms import room_games
from tests.yard.living import WORKER_NAME
from tests.yard.residents import PASSWORD
from tests.yard.town import CONTEST_FILE, GAME, JSON, MULTIPART, Town

# What stands for a part of an address, by the beginning of the address; the first that fits counts.
PARTS = [
    (r"/ticket/\{secret\}/admin", {"secret": "office"}),
    (r"/ticket/", {"secret": "guest"}),
    (r"/admin/people/\{person(:int)?\}/unban", {"person": "banned"}),
    (r"/admin/tasks/\{task(:int)?\}/again", {"task": "failed"}),
    (r"/admin/tickets/", {"handle": "ticket"}),
    (r"/admin/workers/", {"name": "worker"}),
    (r"/bots/\{bot(:int)?\}/entries/\{entry(:int)?\}/revive", {"bot": "benched_bot", "entry": "benched"}),
    (r"/admin/rooms/\{slug\}/open", {"slug": "closed_room"}),
    (r"/(admin/)?rooms/", {"slug": "room", "number": "round"}),
    (r"/me/sessions/", {"handle": "session"}),
    (r"/(matches|show|embed)/", {"number": "match"}),
    (r"/contests/", {"slug": "contest", "file": "report", "key": "entrant"}),
]
FIXED = {
    "block": "0", "number": "1", "language": "python", "file": "yard.css", "folder": "0", "word": "nothing",
    "name": "Olga", "game": "0", "fault": "1", "section": "matches",
}  # fmt: skip
NUMBERS = {"again": "2", "want": "3", "wanted": "3"}  # the version that something can be done with

RIVAL = f"house:{next(iter(load(GAME).bots.HOUSE_BOTS))}"
ROOM_GAME = room_games()[0].facts.name
OWN = {"bot": 1, "version": 1}
UPLOADED = [("activate", "no")]  # no file: who may pass the door is told so
BODIES: dict[str, Any] = {
    "POST /ladders/{slug}/ask": {"version": "1", "rival": RIVAL},
    "POST /admin/notices": {"title": "News", "body": "", "link": ""},
    "POST /admin/people/{person:int}/name": {"name": "Viola"},
    "POST /admin/people/{person:int}/ban": {"reason": "noise"},
    "POST /admin/people/{person:int}/role": {"role": "organiser"},
    "POST /admin/people/{person:int}/delete": {"sure": "Vera"},
    "POST /admin/tasks/{task:int}/cancel": {"reason": "noise"},
    "POST /admin/tickets/class": {"list": "Zed"},
    "POST /admin/tickets/link": {"purpose": "invitation"},
    "POST /admin/rooms": {"slug": "attic", "game": ROOM_GAME, "door": "anybody"},
    "POST /admin/rooms/{slug}/settings": {},
    "POST /admin/rooms/{slug}/look": {"title": "Den", "house": "", "door": "accounts"},
    "POST /admin/rooms/{slug}/reset": {"sure": "den"},
    "POST /rooms/{slug}/join": {"name": ""},
    "POST /admin/workers": {"worker": WORKER_NAME, "drained": "yes"},
    "POST /contests": {"file": CONTEST_FILE, "deed": "announce", "release": "all", "bots": "1"},
    "POST /contests/{slug}/edit": {"file": CONTEST_FILE, "deed": "announce", "release": "all", "bots": "1"},
    "POST /contests/{slug}/enter": {"bot": "1/1"},
    "POST /contests/{slug}/leave": {"key": "ant"},
    "POST /contests/{slug}/do": {"deed": "pause"},
    "POST /contests/{slug}/release": {"release": "own"},
    "POST /contests/{slug}/submissions": UPLOADED,
    "POST /bots": UPLOADED,
    "POST /bots/{bot:int}/versions": UPLOADED,
    "POST /bots/{bot:int}/versions/{number:int}/want": {"wanted": "yes"},
    "POST /bots/{bot:int}/settings": {"name": "Ant", "logs_public": "yes"},
    "POST /bots/{bot:int}/delete": {"name": "Ant"},
    "POST /me/tokens": {"token_name": "laptop", "scope": "read"},
    "POST /me/name": {"name": "Nora"},
    "POST /me/password": {"current_password": PASSWORD, "password": "short", "password_again": "short"},
    "POST /me/delete": {"current_password": PASSWORD},
    "POST /register": {"name": "Olga", "password": PASSWORD, "password_again": PASSWORD, "to": ""},
    "POST /login": {"name": "Olga", "password": PASSWORD, "to": ""},
    "POST /ticket/{secret}": {"name": "Zed", "password": "short", "password_again": "short"},
    "POST /view": UPLOADED,
    # The API
    "POST /api/v1/login": {"name": "Olga", "password": PASSWORD},
    "POST /api/v1/register": {"name": "Olga", "password": PASSWORD},
    "POST /api/v1/ticket/look": {"secret": "guest"},
    "POST /api/v1/ticket/use": {"secret": "guest", "name": "Zed", "password": "short"},
    "POST /api/v1/ticket/admin": {"secret": "office"},
    "POST /api/v1/me/tokens": {"name": "laptop", "scopes": ["read"]},
    "PUT /api/v1/me/name": {"name": "Nora"},
    "PUT /api/v1/me/password": {"current_password": PASSWORD, "password": "short"},
    "POST /api/v1/me/delete": {"current_password": PASSWORD},
    "POST /api/v1/contests": {"file": CONTEST_FILE},
    "POST /api/v1/contests/check": {"file": CONTEST_FILE},
    "PUT /api/v1/contests/{slug}": {"file": CONTEST_FILE},
    "POST /api/v1/contests/{slug}/deeds": {"deed": "pause"},
    "PUT /api/v1/contests/{slug}/release": {"release": "own"},
    "POST /api/v1/contests/{slug}/entrants": OWN,
    "POST /api/v1/contests/{slug}/submissions": UPLOADED,
    "POST /api/v1/bots": UPLOADED,
    "POST /api/v1/bots/{bot}/versions": UPLOADED,
    "POST /api/v1/view": UPLOADED,
    "PUT /api/v1/bots/{bot}/name": {"name": "Aunt"},
    "PUT /api/v1/bots/{bot}/logs-public": {"public": True},
    "PUT /api/v1/bots/{bot}/versions/{number}/wanted": {"wanted": True},
    "POST /api/v1/ladders/{slug}/challenges": {"own": OWN, "rivals": "rival_entry"},
    "POST /api/v1/ladders/{slug}/test-games": {"own": OWN, "rival": OWN},
    "POST /api/v1/play/{game}": {"rivals": [RIVAL]},
    "PUT /api/v1/admin/people/{person}/name": {"name": "Viola"},
    "PUT /api/v1/admin/people/{person}/role": {"role": "organiser"},
    "POST /api/v1/admin/people/{person}/ban": {"reason": "noise"},
    "POST /api/v1/admin/tasks/{task}/cancel": {"reason": "noise"},
    "POST /api/v1/admin/tickets": {"purpose": "invitation"},
    "POST /api/v1/admin/tickets/class": {"names": "Zed"},
    "POST /api/v1/admin/news": {"title": "News"},
    "PUT /api/v1/admin/workers/{name}/drained": {"drained": True},
    "POST /api/v1/rooms/{slug}/membership": {},
    "POST /api/v1/admin/rooms": {"slug": "attic", "game": ROOM_GAME},
    "PUT /api/v1/admin/rooms/{slug}/settings": {"settings": {}},
    "PUT /api/v1/admin/rooms/{slug}/look": {"title": "Den"},
}
QUERIES = {
    "DELETE /api/v1/admin/people/{person}": "?sure=Vera",
    "DELETE /api/v1/bots/{bot}": "?sure=Ant",
}


def body_of(method: str, template: str, town: Town) -> tuple[Any, str]:
    """Returns what is sent, and its kind."""
    body = BODIES.get(f"{method} {template}")
    if isinstance(body, dict) and body.get("secret") in town.places:
        body = {**body, "secret": town.places[body["secret"]]}
    if isinstance(body, dict) and isinstance(rival := body.get("rivals"), str):
        body = {**body, "rivals": [int(town.places[rival])]}
    if isinstance(body, list):
        return body, MULTIPART
    return body, JSON if template.startswith("/api/") else "application/x-www-form-urlencoded"


def address_of(method: str, template: str, town: Town) -> str:
    """Returns an address where something lies."""
    plain = template.removeprefix("/api/v1")
    chosen = next((parts for pattern, parts in PARTS if re.match(pattern, plain)), {})

    def part(found: re.Match[str]) -> str:
        name = found[1]
        if name in chosen:
            return town.places[chosen[name]]
        if name == "number":
            return NUMBERS.get(template.rpartition("/")[2], FIXED["number"])
        if name == "game" and found[2] == ":int":
            return FIXED["game"]
        return town.places.get(name, FIXED.get(name, ""))

    return re.sub(r"\{(\w+)(:\w+)?\}", part, template) + QUERIES.get(f"{method} {template}", "")
