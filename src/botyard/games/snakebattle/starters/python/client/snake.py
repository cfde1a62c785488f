"""Snakes, put together from the signs of a board."""

from client.direction import Direction


class Snake:
    """A snake with a living head, as far as the board shows it: another snake may lie over it."""

    def __init__(self, board, head):
        self.head = head
        self.element = board.at(head)
        self.points = trace(board, head)

    @property
    def length(self):
        return len(self.points)

    @property
    def tail(self):
        return self.points[-1]

    @property
    def neck(self):
        """The cell behind the head, or None if it is hidden."""
        return self.points[1] if self.length > 1 else None

    @property
    def direction(self):
        """Where it went last; STOP if neither its head nor its neck tells."""
        looks = [way for way in Direction.moves() if self.element.name.endswith(f"HEAD_{way.name}")]
        return looks[0] if looks else Direction.between(self.neck, self.head) if self.neck else Direction.STOP

    def is_furious(self):
        return self.element.name.endswith("HEAD_EVIL")

    def is_flying(self):
        return self.element.name.endswith("HEAD_FLY")

    def is_asleep(self):
        return self.element.name.endswith("HEAD_SLEEP")


def trace(board, head):
    """Follows a snake from its head to its tail, by the sides at which its cells join each other."""
    mine = board.at(head).is_mine()
    points = [head]
    while True:
        steps = [(way, way.apply(points[-1])) for way in sides(board.at(points[-1]))]
        nexts = [there for way, there in steps if there not in points and leads(board.at(there), way, mine)]
        if not nexts:
            return points
        points.append(nexts[0])


def leads(element, way, mine):
    """Tells whether an element that is entered this way is the next cell of the snake."""
    same = element.is_mine() if mine else element.is_enemy()
    return same and "HEAD" not in element.name and way.inverted() in sides(element)


def sides(element):
    """Returns the sides at which a part of a snake joins its neighbours."""
    return SIDES.get(element.name.replace("ENEMY_", ""), Direction.moves())


LEFT, RIGHT, UP, DOWN = Direction.moves()
SIDES = {
    "HEAD_LEFT": [RIGHT],
    "HEAD_RIGHT": [LEFT],
    "HEAD_UP": [DOWN],
    "HEAD_DOWN": [UP],
    "BODY_HORIZONTAL": [LEFT, RIGHT],
    "BODY_VERTICAL": [UP, DOWN],
    "BODY_LEFT_DOWN": [LEFT, DOWN],
    "BODY_LEFT_UP": [LEFT, UP],
    "BODY_RIGHT_DOWN": [RIGHT, DOWN],
    "BODY_RIGHT_UP": [RIGHT, UP],
    "TAIL_END_LEFT": [RIGHT],
    "TAIL_END_RIGHT": [LEFT],
    "TAIL_END_UP": [DOWN],
    "TAIL_END_DOWN": [UP],
}  # a head that is furious, flies or sleeps, and the tail of a sleeper, may join at any side
