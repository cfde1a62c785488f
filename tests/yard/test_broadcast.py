"""The projector shows live matches, the highest rated first, and no match twice while there are others."""

from __future__ import annotations

import sqlalchemy as sa

from botyard.yard.data.tables import ENTRY
from botyard.yard.ladders.broadcast import lately, next_of, on_air
from botyard.yard.site import Yard
from tests.yard.living import LivingYard
from tests.yard.test_pages import TWO


def test_live_matches_come_in_the_order_of_ratings(yard: Yard) -> None:
    living = LivingYard(yard)
    living.open(TWO)
    names = ["Weak", "Weaker", "Strong", "Stronger"]
    bots = [living.bot(living.person(f"owner of {name}"), TWO, name) for name in names]
    with yard.database.writing() as connection:
        for bot, mu in zip(bots, (20.0, 18.0, 30.0, 32.0), strict=True):
            connection.execute(sa.update(ENTRY).where(ENTRY.c.bot == bot).values(mu=mu))
    weak, strong, unseen = (living.ask(TWO, *pair)[0] for pair in (names[:2], names[2:], names[1:3]))
    for match in (weak, strong, unseen):
        living.begin(match)
    with yard.database.reading() as connection:
        found = on_air(connection, {weak, strong})
        assert [(one.match.id, one.rating) for one in found] == [(strong, 31.0), (weak, 19.0)]
        assert next_of(found, [strong]) == found[1]
        assert next_of(found, [strong, weak]) is None
        assert lately(connection) == []
    living.end(strong)
    with yard.database.reading() as connection:
        assert [one.match.id for one in lately(connection)] == [strong]
