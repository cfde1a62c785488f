"""The table of doors: who gets which answer at every address of the yard.

A line has a method, an address as its route has it, and the statuses of the visitors in the order of the heading; one
status alone is everybody's. Whoever adds a route adds a line, and thinks about every column.
"""

from __future__ import annotations

PAGE_VISITORS = "nobody", "rival", "owner", "organiser", "admin"
PAGES = """
GET    /admin                                                     303 403 403 403 200
GET    /admin/people                                              303 403 403 403 200
GET    /admin/tickets                                             303 403 403 403 200
GET    /admin/bots                                                303 403 403 403 200
GET    /admin/notices                                             303 403 403 403 200
GET    /admin/tasks                                               303 403 403 403 200
GET    /admin/workers                                             303 403 403 403 200
GET    /admin/faults/{fault:int}/replay                           303 403 403 403 404
GET    /admin/ladders                                             303 403 403 403 200
GET    /admin/rooms                                               303 403 403 403 200
GET    /admin/events                                              303 403 403 403 200
POST   /admin/rooms                                               401 403 403 403 303
GET    /admin/rooms/{slug}                                        303 403 403 403 200
POST   /admin/rooms/{slug}/settings                               401 403 403 403 303
POST   /admin/rooms/{slug}/look                                   401 403 403 403 303
POST   /admin/rooms/{slug}/reset                                  401 403 403 403 303
POST   /admin/rooms/{slug}/close                                  401 403 403 403 303
POST   /admin/rooms/{slug}/open                                   401 403 403 403 303
POST   /admin/rooms/{slug}/members/{user}/remove                  401 403 403 403 303
POST   /admin/notices                                             401 403 403 403 303
POST   /admin/workers                                             401 403 403 403 303
POST   /admin/notices/{notice:int}/hide                           401 403 403 403 303
POST   /admin/tasks/{task:int}/cancel                             401 403 403 403 303
POST   /admin/tasks/{task:int}/again                              401 403 403 403 303
GET    /admin/people/{person:int}                                 303 403 403 403 200
POST   /admin/people/{person:int}/name                            401 403 403 403 303
POST   /admin/people/{person:int}/ban                             401 403 403 403 303
POST   /admin/people/{person:int}/unban                           401 403 403 403 303
POST   /admin/people/{person:int}/role                            401 403 403 403 303
POST   /admin/people/{person:int}/delete                          401 403 403 403 303
POST   /admin/people/{person:int}/password                        401 403 403 403 200
POST   /admin/tickets/class                                       401 403 403 403 200
POST   /admin/tickets/link                                        401 403 403 403 200
POST   /admin/tickets/{handle}/end                                401 403 403 403 303
GET    /bots/{bot:int}                                            200
POST   /bots/{bot:int}/settings                                   401 403 303 403 303
POST   /bots/{bot:int}/delete                                     401 403 303 403 303
POST   /bots/{bot:int}/entries/{entry:int}/revive                 401 403 303 403 303
GET    /static/{folder}/{file}                                    200
GET    /static/{file}                                             200
GET    /show/web/{file}                                           200
GET    /                                                          200
GET    /games                                                     200
GET    /games/{game}                                              200
GET    /games/{game}/starters/{language}.zip                      200
GET    /games/{game}/film/0                                       200
GET    /games/{game}/film/0/block/{block:int}                     200
GET    /languages                                                 200
GET    /ladders                                                   200
GET    /ladders/{slug}                                            200
GET    /ladders/{slug}/matches                                    200
GET    /ladders/{slug}/queue                                      200
GET    /ladders/{slug}/ask                                        303 200 200 200 200
POST   /ladders/{slug}/ask                                        401 404 303 404 404
GET    /contests                                                  200
GET    /contests/new                                              303 403 403 200 200
POST   /contests                                                  401 403 403 303 303
GET    /contests/{slug}                                           200
GET    /contests/{slug}/games                                     200
GET    /contests/{slug}/files/{file}                              200
GET    /contests/{slug}/edit                                      303 403 403 200 200
POST   /contests/{slug}/edit                                      401 403 403 409 409
POST   /contests/{slug}/enter                                     401 404 303 404 404
POST   /contests/{slug}/leave                                     401 404 303 303 303
POST   /contests/{slug}/do                                        401 403 403 303 303
POST   /contests/{slug}/games/{number:int}/again                  401 403 403 409 409
POST   /contests/{slug}/release                                   401 403 403 303 303
POST   /contests/{slug}/submissions                               401 403 403 400 400
GET    /matches                                                   200
GET    /matches/{number:int}                                      200
GET    /matches/{number:int}/board                                200
GET    /matches/{number:int}/replay                               200
GET    /matches/{number:int}/turns                                403 200 200 403 200
GET    /embed/{number:int}                                        200
GET    /play/{game}                                               200
POST   /play/{game}                                               401 400 400 400 400
POST   /play/{game}/leave                                         401 303 303 303 303
GET    /rooms                                                     200
GET    /rooms/{slug}                                              200
GET    /rooms/{slug}/fields                                       200
GET    /rooms/{slug}/boards                                       200
GET    /rooms/{slug}/leaders                                      200
GET    /rooms/{slug}/settings                                     200
POST   /rooms/{slug}/join                                         401 303 409 303 303
GET    /rooms/{slug}/mine                                         303 404 200 404 404
POST   /rooms/{slug}/renew                                        401 404 303 404 404
POST   /rooms/{slug}/leave                                        401 404 303 404 404
GET    /rooms/{slug}/rounds                                       200
GET    /rooms/{slug}/rounds/{number:int}                          200
GET    /rooms/{slug}/rounds/{number:int}/board                    200
GET    /rooms/{slug}/rounds/{number:int}/replay                   200
GET    /rooms/{slug}/film/{number:int}                            200
GET    /rooms/{slug}/film/{number:int}/block/{block:int}          200
GET    /me                                                        303 200 200 200 200
POST   /me/notices/seen                                           401 303 303 303 303
POST   /me/tokens                                                 401 200 200 200 200
POST   /me/tokens/{token:int}/end                                 401 404 303 404 404
POST   /me/sessions/others/end                                    401 303 303 303 303
POST   /me/sessions/{handle}/end                                  401 404 303 404 404
POST   /me/name                                                   401 303 303 303 303
POST   /me/password                                               401 400 400 400 400
GET    /me/delete                                                 303 200 200 200 200
POST   /me/delete                                                 401 303 303 303 409
GET    /news                                                      200
GET    /news.atom                                                 200
GET    /news/{notice:int}                                         200
GET    /people/{name}                                             200
GET    /register                                                  200
POST   /register                                                  409
GET    /login                                                     200
POST   /login                                                     303
GET    /logout                                                    200
POST   /logout                                                    303
GET    /ticket/{secret}                                           200
POST   /ticket/{secret}                                           400
POST   /ticket/{secret}/admin                                     401 303 303 303 409
GET    /show/film/{number:int}                                    200
GET    /show/film/{number:int}/block/{block:int}                  200
GET    /show/turns/{number:int}                                   403 200 200 403 200
GET    /status                                                    200
GET    /health                                                    200
GET    /bots/new                                                  303 200 200 200 200
POST   /bots                                                      401 400 400 400 400
POST   /bots/{bot:int}/versions                                   401 403 400 403 403
GET    /bots/{bot:int}/versions/{number:int}                      200
GET    /bots/{bot:int}/versions/{number:int}/progress             403 403 200 403 200
GET    /bots/{bot:int}/versions/{number:int}/log                  403 403 200 403 200
GET    /bots/{bot:int}/versions/{number:int}/source               303 403 200 403 200
GET    /bots/{bot:int}/versions/{number:int}/check/film/{game:int} 403 403 200 403 200
GET    /bots/{bot:int}/versions/{number:int}/check/film/{game:int}/block/{block:int} 403 403 200 403 200
GET    /bots/{bot:int}/versions/{number:int}/check/turns/{game:int} 403 403 200 403 200
POST   /bots/{bot:int}/versions/{number:int}/activate             401 403 303 403 303
POST   /bots/{bot:int}/versions/{number:int}/withdraw             401 403 303 403 303
POST   /bots/{bot:int}/versions/{number:int}/again                401 403 429 403 303
POST   /bots/{bot:int}/versions/{number:int}/want                 401 403 303 403 303
GET    /tv                                                        200
GET    /tv/next                                                   200
GET    /view                                                      200
POST   /view                                                      400
GET    /view/{word}                                               404
GET    /view/{word}/film/{game:int}                               404
GET    /view/{word}/film/{game:int}/block/{block:int}             404
"""

API_VISITORS = (
    "nobody", "rival", "owner", "organiser", "admin", "token:read", "token:upload", "token:play", "token:rival",
    "token:admin",
)  # fmt: skip
API = """
POST   /login                                                     200
POST   /register                                                  409
POST   /ticket/look                                               200
POST   /ticket/use                                                400
POST   /ticket/admin                                              401 204 204 204 409 403 403 403 403 403
GET    /me                                                        401 200 200 200 200 200 403 403 200 403
GET    /me/rooms                                                  401 200 200 200 200 200 403 403 200 403
GET    /me/bots                                                   401 200 200 200 200 200 403 403 200 403
GET    /me/notices                                                401 200 200 200 200 200 403 403 200 403
POST   /me/notices/seen                                           401 204 204 204 204 204 403 403 204 403
GET    /me/tokens                                                 401 200 200 200 200 403 403 403 403 403
POST   /me/tokens                                                 401 201 201 201 201 403 403 403 403 403
DELETE /me/token                                                  401 401 401 401 401 204 204 204 204 204
DELETE /me/tokens/{token}                                         401 404 204 404 404 403 403 403 403 403
GET    /me/sessions                                               401 200 200 200 200 403 403 403 403 403
DELETE /me/sessions                                               401 204 204 204 204 403 403 403 403 403
DELETE /me/sessions/{handle}                                      401 404 204 404 404 403 403 403 403 403
PUT    /me/name                                                   401 200 200 200 200 403 403 403 403 403
PUT    /me/password                                               401 400 400 400 400 403 403 403 403 403
POST   /me/delete                                                 401 204 204 204 409 403 403 403 403 403
POST   /bots                                                      401 400 400 400 400 403 400 403 400 403
GET    /bots                                                      200
GET    /bots/{bot}                                                200
POST   /bots/{bot}/versions                                       401 403 400 403 403 403 400 403 403 403
GET    /bots/{bot}/matches                                        200
GET    /bots/{bot}/rivals                                         200
GET    /bots/{bot}/lost-turns                                     200
GET    /bots/{bot}/entries/{entry}/ratings                        200
POST   /bots/{bot}/entries/{entry}/revive                         401 403 204 403 204 403 204 403 403 403
PUT    /bots/{bot}/name                                           401 403 200 403 200 403 200 403 403 403
PUT    /bots/{bot}/logs-public                                    401 403 204 403 204 403 204 403 403 403
DELETE /bots/{bot}                                                401 403 204 403 204 403 204 403 403 403
GET    /bots/{bot}/versions/{number}                              200
GET    /bots/{bot}/versions/{number}/log                          403 403 200 403 200 200 403 403 403 403
GET    /bots/{bot}/versions/{number}/progress                     403 403 200 403 200 200 403 403 403 403
GET    /bots/{bot}/versions/{number}/source                       401 403 200 403 200 200 403 403 403 403
GET    /bots/{bot}/versions/{number}/check/film                   403 403 200 403 200 200 403 403 403 403
GET    /bots/{bot}/versions/{number}/check/film/blocks/{block}    403 403 200 403 200 200 403 403 403 403
GET    /bots/{bot}/versions/{number}/check/turns                  403 403 200 403 200 200 403 403 403 403
POST   /bots/{bot}/versions/{number}/activate                     401 403 200 403 200 403 200 403 403 403
POST   /bots/{bot}/versions/{number}/withdraw                     401 403 200 403 200 403 200 403 403 403
POST   /bots/{bot}/versions/{number}/again                        401 403 429 403 200 403 429 403 403 403
PUT    /bots/{bot}/versions/{number}/wanted                       401 403 200 403 200 403 200 403 403 403
POST   /ladders/{slug}/challenges                                 401 404 202 404 404 403 403 202 404 403
POST   /ladders/{slug}/test-games                                 401 404 202 404 404 403 403 202 404 403
GET    /play/{game}                                               401 200 200 200 200 403 403 200 200 403
POST   /play/{game}                                               401 202 202 202 202 403 403 202 202 403
DELETE /play                                                      401 204 204 204 204 403 403 204 204 403
GET    /ladders                                                   200
GET    /ladders/{slug}                                            200
GET    /ladders/{slug}/table                                      200
GET    /ladders/{slug}/matches                                    200
GET    /ladders/{slug}/queue                                      200
GET    /ladders/{slug}/seasons                                    200
GET    /rooms                                                     200
GET    /rooms/{slug}                                              200
GET    /rooms/{slug}/fields                                       200
GET    /rooms/{slug}/boards                                       200
GET    /rooms/{slug}/leaders                                      200
GET    /rooms/{slug}/rounds                                       200
GET    /rooms/{slug}/rounds/{number}                              200
GET    /rooms/{slug}/rounds/{number}/board                        200
GET    /rooms/{slug}/rounds/{number}/replay                       200
GET    /rooms/{slug}/rounds/{number}/film                         200
GET    /rooms/{slug}/rounds/{number}/film/blocks/{block}          200
POST   /rooms/{slug}/membership                                   401 201 409 201 201 403 403 409 201 403
GET    /rooms/{slug}/membership                                   401 404 200 404 404 403 403 200 404 403
POST   /rooms/{slug}/membership/renew                             401 404 200 404 404 403 403 200 404 403
DELETE /rooms/{slug}/membership                                   401 404 204 404 404 403 403 204 404 403
GET    /contests                                                  200
POST   /contests                                                  401 403 403 201 201 403 403 403 403 403
POST   /contests/check                                            401 403 403 200 200 403 403 403 403 403
GET    /contests/{slug}                                           200
PUT    /contests/{slug}                                           401 403 403 409 409 403 403 403 403 403
GET    /contests/{slug}/standings                                 200
GET    /contests/{slug}/games                                     200
GET    /contests/{slug}/files/{file}                              200
POST   /contests/{slug}/deeds                                     401 403 403 202 202 403 403 403 403 403
POST   /contests/{slug}/games/{number}/again                      401 403 403 409 409 403 403 403 403 403
PUT    /contests/{slug}/release                                   401 403 403 200 200 403 403 403 403 403
POST   /contests/{slug}/entrants                                  401 404 201 404 404 403 403 201 404 403
DELETE /contests/{slug}/entrants/{key}                            401 404 204 204 204 403 403 204 404 403
POST   /contests/{slug}/submissions                               401 403 403 400 400 403 403 403 403 403
GET    /matches                                                   200
GET    /matches/running                                           200
GET    /matches/{number}                                          200
GET    /matches/{number}/board                                    200
GET    /matches/{number}/replay                                   200
GET    /matches/{number}/turns                                    403 200 200 403 200 200 403 403 200 403
GET    /matches/{number}/turn-log                                 403 200 200 403 200 200 403 403 200 403
GET    /matches/{number}/film                                     200
GET    /matches/{number}/film/blocks/{block}                      200
GET    /games                                                     200
GET    /games/{game}                                              200
GET    /games/{game}/starters/{language}                          200
GET    /games/{game}/film                                         200
GET    /games/{game}/film/blocks/{block}                          200
GET    /languages                                                 200
POST   /view                                                      400
GET    /people/{name}                                             200
GET    /news                                                      200
GET    /news/{notice}                                             200
GET    /queue                                                     200
GET    /status                                                    200
GET    /health                                                    200
GET    /events                                                    200
GET    /admin/people                                              401 403 403 403 200 403 403 403 403 200
GET    /admin/people/{person}                                     401 403 403 403 200 403 403 403 403 200
PUT    /admin/people/{person}/name                                401 403 403 403 200 403 403 403 403 200
PUT    /admin/people/{person}/role                                401 403 403 403 204 403 403 403 403 204
POST   /admin/people/{person}/ban                                 401 403 403 403 204 403 403 403 403 204
POST   /admin/people/{person}/unban                               401 403 403 403 204 403 403 403 403 204
POST   /admin/people/{person}/password-link                       401 403 403 403 201 403 403 403 403 201
DELETE /admin/people/{person}                                     401 403 403 403 204 403 403 403 403 204
GET    /admin/bots                                                401 403 403 403 200 403 403 403 403 200
GET    /admin/tickets                                             401 403 403 403 200 403 403 403 403 200
POST   /admin/tickets                                             401 403 403 403 201 403 403 403 403 201
POST   /admin/tickets/class                                       401 403 403 403 201 403 403 403 403 201
DELETE /admin/tickets/{handle}                                    401 403 403 403 204 403 403 403 403 204
POST   /admin/news                                                401 403 403 403 201 403 403 403 403 201
DELETE /admin/news/{notice}                                       401 403 403 403 204 403 403 403 403 204
GET    /admin/tasks                                               401 403 403 403 200 403 403 403 403 200
POST   /admin/tasks/{task}/cancel                                 401 403 403 403 204 403 403 403 403 204
POST   /admin/tasks/{task}/again                                  401 403 403 403 204 403 403 403 403 204
GET    /admin/workers                                             401 403 403 403 200 403 403 403 403 200
PUT    /admin/workers/{name}/drained                              401 403 403 403 204 403 403 403 403 204
GET    /admin/faults                                              401 403 403 403 200 403 403 403 403 200
GET    /admin/faults/{fault}/replay                               401 403 403 403 404 403 403 403 403 404
GET    /admin/ladders                                             401 403 403 403 200 403 403 403 403 200
GET    /admin/events                                              401 403 403 403 200 403 403 403 403 200
POST   /admin/rooms                                               401 403 403 403 201 403 403 403 403 201
PUT    /admin/rooms/{slug}/settings                               401 403 403 403 200 403 403 403 403 200
PUT    /admin/rooms/{slug}/look                                   401 403 403 403 200 403 403 403 403 200
POST   /admin/rooms/{slug}/reset                                  401 403 403 403 200 403 403 403 403 200
POST   /admin/rooms/{slug}/close                                  401 403 403 403 200 403 403 403 403 200
POST   /admin/rooms/{slug}/open                                   401 403 403 403 200 403 403 403 403 200
GET    /admin/rooms/{slug}/members                                401 403 403 403 200 403 403 403 403 200
DELETE /admin/rooms/{slug}/members/{user}                         401 403 403 403 204 403 403 403 403 204
GET    /                                                          200
GET    /openapi.json                                              200
GET    /docs                                                      200
GET    /docs/{section}                                            200
"""

SOCKETS = {
    "/show/seat/{number:int}/{seat:int}": "401",
    "/show/live/{number:int}": "404",  # nobody plays in this town, so there is nothing to watch
    "/rooms/{slug}/live/{number:int}": "accept",  # and closed at once: a field that is over is no refusal
    "/api/v1/live": "accept",
    "/api/v1/rooms/{slug}/fields/{number:int}/live": "accept",
    "/api/v1/matches/{number:int}/seats/{seat:int}": "401",
}
