"""Duellist: looks one round ahead, at every pair of orders that matter, and chooses among good orders at random.

The value of a round depends on both orders, which are given at the same time. So the bot fills a table with the value
of each of its own orders against each of the enemy's, lets two players learn to play that table against each other, and
draws its order by how often its own player chose each. That player starts with a belief: that the enemy acts like one
of the plain bots.

The values come from the rules themselves, played on a board made from the view. What the view hides the bot does not
know either. It assumes that bots can move, that there are no mines but those shown, and that it is bot 2, the one that
gives way.
"""

from __future__ import annotations

from botyard.games.battlebots.bots.sight import distance, on_board, order
from botyard.games.battlebots.bots.simple import gunner, sapper
from botyard.games.battlebots.layout import (
    BULLET,
    BULLETS,
    LIVE,
    MINE,
    MISSILE,
    MISSILES,
    MOVE,
    NOTHING,
    ORDERS,
)
from botyard.games.battlebots.rules import step
from botyard.kernel.chance import draw
from botyard.kernel.records import Record
from botyard.kernel.rule import rule

ENEMY, SELF = 0, 1  # seats on the imagined board

AS_GUNNER, AS_SAPPER, AS_NOP = 60, 20, 20  # the weight of each belief, in lessons
SUSPICION = AS_GUNNER + AS_SAPPER + AS_NOP  # the weight of all beliefs together
STANDS_STILL = 8  # in one round of this many the bot believes that the enemy does nothing, and nothing else
LESSONS = 200  # rounds of learning

# The values of things, compared with a hit point.
HIT_POINT = 100
CAUTION = 10  # added to a hit point of its own, so that an even exchange is not worth it
VICTORY = 5000
UNDER_FOOT = 30  # a mine under a bot, per hit point that it may take
FORESEEN = 12  # a shot that will hit a bot in the next round unless it moves
NEARNESS = 6  # a step nearer to the enemy
ROOM = 4  # a square beside the bot that it could go to


@rule
def duellist(arena: Record, view: Record, memory: Record) -> int:
    imagine(arena, view, memory.boards[0])
    list_orders(arena, memory, SELF)
    list_orders(arena, memory, ENEMY)
    foresee(arena, view, memory)
    for i in range(memory.option_count[SELF]):
        for j in range(memory.option_count[ENEMY]):
            memory.worth[i, j] = try_out(arena, memory, i, j)
    learn(memory)
    return choose(arena, memory)


# The imagined board


@rule
def imagine(arena: Record, view: Record, board: Record) -> None:
    """Makes a state that looks like the view, with the bot in seat 1."""
    board.rounds = 0
    board.over = 0
    board.paralysed = 0
    board.spent_count = 0
    board.hp[SELF], board.hp[ENEMY] = view.hp, view.enemy_hp
    board.bots[SELF, 0], board.bots[SELF, 1] = view.x, view.y
    board.bots[ENEMY, 0], board.bots[ENEMY, 1] = view.enemy_x, view.enemy_y
    copy_lists(view, board)
    for y in range(arena.height):
        for x in range(arena.width):
            board.mine_at[y, x] = 0
    for at in range(view.mine_count):
        board.mine_at[view.mines[at, 1], view.mines[at, 0]] = LIVE


# The orders that matter


@rule
def list_orders(arena: Record, memory: Record, seat: int) -> None:
    """Lists steps onto the board, weapons that may reach a square the other bot can be on, and doing nothing."""
    board = memory.boards[0]
    memory.option_count[seat] = 0
    add_option(memory, seat, NOTHING)
    for direction in range(8):
        x = board.bots[seat, 0] + arena.col_step[direction]
        y = board.bots[seat, 1] + arena.row_step[direction]
        if not on_board(arena, x, y):
            continue
        add_option(memory, seat, order(MOVE, direction))
        if comes_near(arena, board, seat, direction, arena.bullet_speed):
            add_option(memory, seat, order(BULLET, direction))
        if comes_near(arena, board, seat, direction, arena.missile_speed + 1):
            add_option(memory, seat, order(MISSILE, direction))
        if comes_near(arena, board, seat, direction, 1):
            add_option(memory, seat, order(MINE, direction))


@rule
def add_option(memory: Record, seat: int, number: int) -> None:
    memory.options[seat, memory.option_count[seat]] = number
    memory.option_count[seat] += 1


@rule
def comes_near(arena: Record, board: Record, seat: int, direction: int, reach: int) -> bool:
    """Tells whether a shot passes a square within one step of the other bot before it has flown too far."""
    x, y = board.bots[seat, 0], board.bots[seat, 1]
    for _ in range(reach):
        x, y = x + arena.col_step[direction], y + arena.row_step[direction]
        if distance(board.bots[1 - seat, 0] - x, board.bots[1 - seat, 1] - y) <= 1:
            return True
    return False


# What the enemy may do


@rule
def foresee(arena: Record, view: Record, memory: Record) -> None:
    """Fills in the beliefs: the enemy does what one of the plain bots would do in its place.

    If a gunner would move there, the bot sometimes believes that the enemy stands still. If it always expected a step
    into line, it would always shoot there and never hit an enemy that stays where it is.
    """
    mirror = memory.mirror
    reflect(view, mirror)
    for at in range(ORDERS):
        memory.belief[at] = 0
    guess = gunner(arena, mirror, memory)
    if guess >> 3 == MOVE and draw(arena, memory, STANDS_STILL) == 0:
        expect(memory, NOTHING, SUSPICION)
        return
    expect(memory, guess, AS_GUNNER)
    expect(memory, sapper(arena, mirror, memory), AS_SAPPER)
    expect(memory, NOTHING, AS_NOP)


@rule
def reflect(view: Record, mirror: Record) -> None:
    """Fills in what the enemy sees, as far as the plain bots look at it."""
    mirror.x, mirror.y = view.enemy_x, view.enemy_y
    mirror.enemy_x, mirror.enemy_y = view.x, view.y
    copy_lists(view, mirror)


@rule
def copy_lists(source: Record, holder: Record) -> None:
    for word in range(source.list_words.shape[0]):
        holder.list_words[word] = source.list_words[word]
    holder.mine_count = source.mine_count
    for kind in range(2):
        holder.shot_count[kind] = source.shot_count[kind]


@rule
def expect(memory: Record, number: int, weight: int) -> None:
    """Adds weight to an order of the enemy. Plain bots only give orders that matter, so it is among the options."""
    for at in range(memory.option_count[ENEMY]):
        if memory.options[ENEMY, at] == number:
            memory.belief[at] += weight


# What a pair of orders is worth


@rule
def try_out(arena: Record, memory: Record, mine: int, theirs: int) -> int:
    memory.orders[SELF] = memory.options[SELF, mine]
    memory.orders[ENEMY] = memory.options[ENEMY, theirs]
    memory.boards[1] = memory.boards[0]
    step(arena, memory.boards[1], memory.orders)
    return worth(arena, memory.boards[1])


@rule
def worth(arena: Record, board: Record) -> int:
    """Returns the value of a position to the bot: hit points first, then what will cost some soon."""
    lead = board.hp[SELF] - board.hp[ENEMY]
    value = HIT_POINT * lead + CAUTION * board.hp[SELF]
    if board.hp[SELF] < 1 or board.hp[ENEMY] < 1:
        return value + (VICTORY if lead > 0 else 0) - (VICTORY if lead < 0 else 0)
    value += trouble(arena, board, ENEMY) - trouble(arena, board, SELF)
    away = distance(board.bots[0, 0] - board.bots[1, 0], board.bots[0, 1] - board.bots[1, 1])
    return value - NEARNESS * away


@rule
def trouble(arena: Record, board: Record, seat: int) -> int:
    """Returns how much damage a bot must expect where it stands."""
    x, y = board.bots[seat, 0], board.bots[seat, 1]
    fear = 0
    if board.mine_at[y, x] != 0:
        fear += UNDER_FOOT * arena.mine_damage
    fear += FORESEEN * arena.bullet_damage * coming(arena, board, BULLETS, arena.bullet_speed, x, y)
    fear += FORESEEN * arena.missile_damage * coming(arena, board, MISSILES, arena.missile_speed, x, y)
    for direction in range(8):
        to_x, to_y = x + arena.col_step[direction], y + arena.row_step[direction]
        if not on_board(arena, to_x, to_y) or board.mine_at[to_y, to_x] != 0:
            fear += ROOM
    return fear


@rule
def coming(arena: Record, board: Record, kind: int, speed: int, x: int, y: int) -> int:
    """Counts how many shots of a kind will pass a square in the next round."""
    count = 0
    for at in range(board.shot_count[kind]):
        dx, dy = x - board.shots[kind, at, 0], y - board.shots[kind, at, 1]
        flown = distance(dx, dy)
        direction = board.shots[kind, at, 2]
        if flown <= speed and dx == flown * arena.col_step[direction] and dy == flown * arena.row_step[direction]:
            count += 1
    return count


# Learning to play the table


@rule
def learn(memory: Record) -> None:
    """Lets both sides answer in turn what the other did so far; the plan is how often the bot chose each option."""
    mine, theirs = memory.option_count[SELF], memory.option_count[ENEMY]
    for i in range(mine):
        memory.plan[i] = 0
        memory.sums[SELF, i] = 0
        for j in range(theirs):
            memory.sums[SELF, i] += memory.belief[j] * memory.worth[i, j]
    for j in range(theirs):
        memory.sums[ENEMY, j] = 0
    for _ in range(LESSONS):
        i = greatest(memory, SELF)
        memory.plan[i] += 1
        for j in range(theirs):
            memory.sums[ENEMY, j] -= memory.worth[i, j]
        j = greatest(memory, ENEMY)
        for i in range(mine):
            memory.sums[SELF, i] += memory.worth[i, j]


@rule
def greatest(memory: Record, seat: int) -> int:
    best = 0
    for at in range(1, memory.option_count[seat]):
        if memory.sums[seat, at] > memory.sums[seat, best]:
            best = at
    return best


@rule
def choose(arena: Record, memory: Record) -> int:
    """Draws an order, each as likely as the plan says."""
    left = draw(arena, memory, LESSONS)
    at = 0
    while left >= memory.plan[at]:
        left -= memory.plan[at]
        at += 1
    return memory.options[SELF, at]
