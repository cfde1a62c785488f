"""The API offers everything that the pages do: each page has its operations, or a reason why it needs none.

Whoever adds a page adds a line. Operations are named without `/api/v1`; where a page shows what several of them tell,
all of them stand in its line.
"""

from __future__ import annotations

from botyard.yard.api.app import all_doors, all_operations
from botyard.yard.web.doors import all_pages, all_sockets

VIEWER = "a frame around the viewer, which shows what another line tells"
FORM = "an empty form, whose target has a line"
FILES = "a file of the pages themselves"
TABLE = f"""
GET / -> GET /matches/running, GET /ladders, GET /matches, GET /news
GET /admin -> GET /status, GET /admin/workers, GET /admin/faults, GET /admin/events
GET /admin/people -> GET /admin/people
GET /admin/tickets -> GET /admin/tickets
GET /admin/bots -> GET /admin/bots
GET /admin/notices -> GET /news
GET /admin/tasks -> GET /admin/tasks
GET /admin/workers -> GET /admin/workers, GET /admin/faults
GET /admin/faults/{{fault:int}}/replay -> GET /admin/faults/{{fault}}/replay
GET /admin/ladders -> GET /admin/ladders
GET /admin/events -> GET /admin/events
POST /admin/notices -> POST /admin/news
POST /admin/workers -> PUT /admin/workers/{{name}}/drained
POST /admin/notices/{{notice:int}}/hide -> DELETE /admin/news/{{notice}}
POST /admin/tasks/{{task:int}}/cancel -> POST /admin/tasks/{{task}}/cancel
POST /admin/tasks/{{task:int}}/again -> POST /admin/tasks/{{task}}/again
GET /admin/people/{{person:int}} -> GET /admin/people/{{person}}
POST /admin/people/{{person:int}}/name -> PUT /admin/people/{{person}}/name
POST /admin/people/{{person:int}}/ban -> POST /admin/people/{{person}}/ban
POST /admin/people/{{person:int}}/unban -> POST /admin/people/{{person}}/unban
POST /admin/people/{{person:int}}/role -> PUT /admin/people/{{person}}/role
POST /admin/people/{{person:int}}/delete -> DELETE /admin/people/{{person}}
POST /admin/people/{{person:int}}/password -> POST /admin/people/{{person}}/password-link
POST /admin/tickets/class -> POST /admin/tickets/class
POST /admin/tickets/link -> POST /admin/tickets
POST /admin/tickets/{{handle}}/end -> DELETE /admin/tickets/{{handle}}
GET /bots/{{bot:int}} -> GET /bots/{{bot}}, GET /bots/{{bot}}/matches, GET /bots/{{bot}}/rivals, \
    GET /bots/{{bot}}/lost-turns, GET /bots/{{bot}}/entries/{{entry}}/ratings
POST /bots/{{bot:int}}/settings -> PUT /bots/{{bot}}/name, PUT /bots/{{bot}}/logs-public
POST /bots/{{bot:int}}/delete -> DELETE /bots/{{bot}}
POST /bots/{{bot:int}}/entries/{{entry:int}}/revive -> POST /bots/{{bot}}/entries/{{entry}}/revive
GET /static/{{folder}}/{{file}} is {FILES}
GET /static/{{file}} is {FILES}
GET /show/web/{{file}} is {FILES}
GET /games -> GET /games
GET /games/{{game}} -> GET /games/{{game}}
GET /games/{{game}}/starters/{{language}}.zip -> GET /games/{{game}}/starters/{{language}}
GET /games/{{game}}/film/0 -> GET /games/{{game}}/film
GET /games/{{game}}/film/0/block/{{block:int}} -> GET /games/{{game}}/film/blocks/{{block}}
GET /languages -> GET /languages
GET /ladders -> GET /ladders
GET /ladders/{{slug}} -> GET /ladders/{{slug}}, GET /ladders/{{slug}}/table, GET /ladders/{{slug}}/seasons
GET /ladders/{{slug}}/matches -> GET /ladders/{{slug}}/matches
GET /ladders/{{slug}}/ask -> GET /ladders/{{slug}}/table, GET /play/{{game}}
POST /ladders/{{slug}}/ask -> POST /ladders/{{slug}}/challenges, POST /ladders/{{slug}}/test-games
GET /ladders/{{slug}}/queue -> GET /ladders/{{slug}}/queue
GET /matches -> GET /matches
GET /matches/{{number:int}} -> GET /matches/{{number}}, GET /queue
GET /matches/{{number:int}}/board -> GET /matches/{{number}}/board
GET /matches/{{number:int}}/replay -> GET /matches/{{number}}/replay
GET /matches/{{number:int}}/turns -> GET /matches/{{number}}/turn-log
GET /embed/{{number:int}} is {VIEWER}
GET /play/{{game}} -> GET /play/{{game}}
POST /play/{{game}} -> POST /play/{{game}}
POST /play/{{game}}/leave -> DELETE /play
GET /me -> GET /me, GET /me/bots, GET /me/rooms, GET /me/notices, GET /me/tokens, GET /me/sessions
POST /me/notices/seen -> POST /me/notices/seen
POST /me/tokens -> POST /me/tokens
POST /me/tokens/{{token:int}}/end -> DELETE /me/tokens/{{token}}
POST /me/sessions/others/end -> DELETE /me/sessions
POST /me/sessions/{{handle}}/end -> DELETE /me/sessions/{{handle}}
POST /me/name -> PUT /me/name
POST /me/password -> PUT /me/password
GET /me/delete is {FORM}
POST /me/delete -> POST /me/delete
GET /news -> GET /news
GET /news.atom -> GET /news
GET /news/{{notice:int}} -> GET /news/{{notice}}
GET /people/{{name}} -> GET /people/{{name}}
GET /register is {FORM}
POST /register -> POST /register
GET /login is {FORM}
POST /login -> POST /login
GET /logout is {FORM}
POST /logout -> DELETE /me/sessions/{{handle}}, DELETE /me/token
GET /ticket/{{secret}} -> POST /ticket/look
POST /ticket/{{secret}} -> POST /ticket/use
POST /ticket/{{secret}}/admin -> POST /ticket/admin
GET /show/film/{{number:int}} -> GET /matches/{{number}}/film
GET /show/film/{{number:int}}/block/{{block:int}} -> GET /matches/{{number}}/film/blocks/{{block}}
GET /show/turns/{{number:int}} -> GET /matches/{{number}}/turns
GET /status -> GET /status
GET /health -> GET /health
GET /bots/new is {FORM}
POST /bots -> POST /bots
POST /bots/{{bot:int}}/versions -> POST /bots/{{bot}}/versions
GET /bots/{{bot:int}}/versions/{{number:int}} -> GET /bots/{{bot}}/versions/{{number}}
GET /bots/{{bot:int}}/versions/{{number:int}}/progress -> GET /bots/{{bot}}/versions/{{number}}/progress
GET /bots/{{bot:int}}/versions/{{number:int}}/log -> GET /bots/{{bot}}/versions/{{number}}/log
GET /bots/{{bot:int}}/versions/{{number:int}}/source -> GET /bots/{{bot}}/versions/{{number}}/source
GET /bots/{{bot:int}}/versions/{{number:int}}/check/film/{{game:int}} -> \
    GET /bots/{{bot}}/versions/{{number}}/check/film
GET /bots/{{bot:int}}/versions/{{number:int}}/check/film/{{game:int}}/block/{{block:int}} -> \
    GET /bots/{{bot}}/versions/{{number}}/check/film/blocks/{{block}}
GET /bots/{{bot:int}}/versions/{{number:int}}/check/turns/{{game:int}} -> \
    GET /bots/{{bot}}/versions/{{number}}/check/turns
POST /bots/{{bot:int}}/versions/{{number:int}}/activate -> POST /bots/{{bot}}/versions/{{number}}/activate
POST /bots/{{bot:int}}/versions/{{number:int}}/withdraw -> POST /bots/{{bot}}/versions/{{number}}/withdraw
POST /bots/{{bot:int}}/versions/{{number:int}}/again -> POST /bots/{{bot}}/versions/{{number}}/again
POST /bots/{{bot:int}}/versions/{{number:int}}/want -> PUT /bots/{{bot}}/versions/{{number}}/wanted
GET /view is {FORM}
POST /view -> POST /view
GET /view/{{word}} is {VIEWER}
GET /view/{{word}}/film/{{game:int}} -> POST /view
GET /view/{{word}}/film/{{game:int}}/block/{{block:int}} -> POST /view
GET /admin/rooms -> GET /rooms
GET /admin/rooms/{{slug}} -> GET /rooms/{{slug}}, GET /admin/rooms/{{slug}}/members
POST /admin/rooms -> POST /admin/rooms
POST /admin/rooms/{{slug}}/settings -> PUT /admin/rooms/{{slug}}/settings
POST /admin/rooms/{{slug}}/look -> PUT /admin/rooms/{{slug}}/look
POST /admin/rooms/{{slug}}/reset -> POST /admin/rooms/{{slug}}/reset
POST /admin/rooms/{{slug}}/close -> POST /admin/rooms/{{slug}}/close
POST /admin/rooms/{{slug}}/open -> POST /admin/rooms/{{slug}}/open
POST /admin/rooms/{{slug}}/members/{{user}}/remove -> DELETE /admin/rooms/{{slug}}/members/{{user}}
GET /rooms -> GET /rooms
GET /rooms/{{slug}} -> GET /rooms/{{slug}}, GET /rooms/{{slug}}/fields, GET /rooms/{{slug}}/leaders
GET /rooms/{{slug}}/fields -> GET /rooms/{{slug}}/fields
GET /rooms/{{slug}}/boards -> GET /rooms/{{slug}}/boards
GET /rooms/{{slug}}/leaders -> GET /rooms/{{slug}}/leaders
GET /rooms/{{slug}}/settings -> GET /rooms/{{slug}}
GET /rooms/{{slug}}/mine -> GET /rooms/{{slug}}/membership
POST /rooms/{{slug}}/join -> POST /rooms/{{slug}}/membership
POST /rooms/{{slug}}/renew -> POST /rooms/{{slug}}/membership/renew
POST /rooms/{{slug}}/leave -> DELETE /rooms/{{slug}}/membership
GET /rooms/{{slug}}/rounds -> GET /rooms/{{slug}}/rounds
GET /rooms/{{slug}}/rounds/{{number:int}} -> GET /rooms/{{slug}}/rounds/{{number}}
GET /rooms/{{slug}}/rounds/{{number:int}}/board -> GET /rooms/{{slug}}/rounds/{{number}}/board
GET /rooms/{{slug}}/rounds/{{number:int}}/replay -> GET /rooms/{{slug}}/rounds/{{number}}/replay
GET /rooms/{{slug}}/film/{{number:int}} -> GET /rooms/{{slug}}/rounds/{{number}}/film
GET /rooms/{{slug}}/film/{{number:int}}/block/{{block:int}} -> \
    GET /rooms/{{slug}}/rounds/{{number}}/film/blocks/{{block}}
GET /contests -> GET /contests
GET /contests/new -> POST /contests/check
GET /contests/{{slug}} -> GET /contests/{{slug}}, GET /contests/{{slug}}/standings
GET /contests/{{slug}}/edit -> GET /contests/{{slug}}, POST /contests/check
GET /contests/{{slug}}/files/{{file}} -> GET /contests/{{slug}}/files/{{file}}
GET /contests/{{slug}}/games -> GET /contests/{{slug}}/games
POST /contests -> POST /contests
POST /contests/{{slug}}/do -> POST /contests/{{slug}}/deeds
POST /contests/{{slug}}/edit -> PUT /contests/{{slug}}
POST /contests/{{slug}}/enter -> POST /contests/{{slug}}/entrants
POST /contests/{{slug}}/games/{{number:int}}/again -> POST /contests/{{slug}}/games/{{number}}/again
POST /contests/{{slug}}/leave -> DELETE /contests/{{slug}}/entrants/{{key}}
POST /contests/{{slug}}/release -> PUT /contests/{{slug}}/release
POST /contests/{{slug}}/submissions -> POST /contests/{{slug}}/submissions
GET /tv is {VIEWER}
GET /tv/next -> GET /matches/running, GET /matches, GET /rooms/{{slug}}/fields
SOCKET /rooms/{{slug}}/live/{{number:int}} -> SOCKET /rooms/{{slug}}/fields/{{number:int}}/live
SOCKET /show/live/{{number:int}} -> SOCKET /live
SOCKET /show/seat/{{number:int}}/{{seat:int}} -> SOCKET /matches/{{number:int}}/seats/{{seat:int}}
"""
LINES = TABLE.strip().splitlines()


def told(line: str) -> tuple[str, list[str]]:
    """Returns the page of a line, and its operations."""
    if " -> " in line:
        page, operations = line.split(" -> ")
        return page, [operation.strip() for operation in operations.split(", ")]
    page, reason = line.split(" is ")
    assert len(reason.split()) > 2, f"{page} says why it needs no operation"
    return page, []


def test_every_page_has_a_line_and_every_line_a_page() -> None:
    pages = [f"{page.method} {page.path}" for page in all_pages()]
    sockets = [f"SOCKET {socket.path}" for socket in all_sockets()]
    assert sorted([*pages, *sockets]) == sorted(told(line)[0] for line in LINES)


def test_what_a_page_does_can_be_done_by_the_operations_of_its_line() -> None:
    operations = {f"{operation.method} {operation.path}" for operation in all_operations() if operation.listed}
    doors = {f"SOCKET {door.path}" for door in all_doors()}
    named = {operation for line in LINES for operation in told(line)[1]}
    assert named - operations - doors == set()
