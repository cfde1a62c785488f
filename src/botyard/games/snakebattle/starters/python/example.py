"""An example of a bot that is written with the library: it eats what is nearest, and stays where there is room."""

from client import Direction, Element, Group, Ways

WORTH = {Element.APPLE: 1, Element.GOLD: 3, Element.FURY_PILL: 1, Element.FLYING_PILL: 1}  # steps that it goes for them
TAILS = Group.MY_TAILS - Group.BARRIERS  # the own tail is gone by the time the head is there
COSTS = dict.fromkeys(Group.FREE | TAILS, 1)
FAR = 1000


class Example:
    """Takes the step that worries it least."""

    def get(self, board):
        me = board.my_snake()
        if me is None or me.is_asleep():
            return Direction.STOP
        ways = [way for way in Direction.moves() if way != me.direction.inverted()]
        free = [way for way in ways if board.at(way.apply(me.head)) in COSTS]
        bites = [way for way in ways if board.is_at(way.apply(me.head), *Group.MY_BODY)]
        stones = [way for way in ways if board.is_stone_at(way.apply(me.head))]
        if free:
            return min(free, key=lambda way: self.worry(board, me, way.apply(me.head)))
        return [*bites, *stones, Direction.STOP][0]  # both hurt, but less than a wall

    def worry(self, board, me, step):
        """Says how bad a step is: a foe's head beside it, then too little room, then how far it is to food."""
        ways = Ways(board, step, COSTS)
        met = any(foe.head.distance(step) == 1 for foe in board.foes() if self.wins(foe, me))
        cramped = len(ways.reached()) < me.length
        away = min((ways.cost_to(food) / WORTH[board.at(food)] for food in board.food()), default=FAR)
        return 100 * FAR * met + 10 * FAR * cramped + min(away, FAR)

    def wins(self, foe, me):
        """Tells whether a foe would kill this snake head on; whoever is longer by two cells lives."""
        return foe.is_furious() or foe.length + 2 > me.length
