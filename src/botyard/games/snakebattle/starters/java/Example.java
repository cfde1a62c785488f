import client.Board;
import client.Direction;
import client.Element;
import client.Group;
import client.Point;
import client.Snake;
import client.Ways;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * An example of a bot that is written with the library: it eats what is nearest, and stays where there is room. It takes
 * the step that worries it least.
 */
class Example {
    private static final Map<Element, Integer> WORTH = // steps that it goes for them
            Map.of(Element.APPLE, 1, Element.GOLD, 3, Element.FURY_PILL, 1, Element.FLYING_PILL, 1);
    private static final Map<Element, Integer> COSTS = new EnumMap<>(Element.class);
    private static final int FAR = 1000;

    static {
        for (Element element : Group.MY_TAILS) COSTS.put(element, 1); // gone by the time the head is there
        for (Element element : Group.FREE) COSTS.put(element, 1);
        COSTS.keySet().removeAll(Group.BARRIERS);
    }

    Direction get(Board board) {
        Snake me = board.mySnake();
        if (me == null || me.isAsleep()) return Direction.STOP;
        List<Direction> free = ways(me, there -> COSTS.containsKey(board.at(there)));
        List<Direction> bites = ways(me, there -> board.isAt(there, Group.MY_BODY));
        List<Direction> stones = ways(me, board::isStoneAt);
        if (!free.isEmpty()) {
            return free.stream()
                    .min(Comparator.comparingDouble(way -> worry(board, me, way.apply(me.head()))))
                    .orElseThrow();
        }
        if (!bites.isEmpty()) return bites.get(0); // both hurt, but less than a wall
        return stones.isEmpty() ? Direction.STOP : stones.get(0);
    }

    /** The directions that a snake can take, as far as the next cell fits. */
    private List<Direction> ways(Snake me, Predicate<Point> fits) {
        Direction back = me.direction().inverted();
        return Direction.moves().stream().filter(way -> way != back && fits.test(way.apply(me.head()))).toList();
    }

    /** How bad a step is: a foe's head beside it, then too little room, then how far it is to food. */
    private double worry(Board board, Snake me, Point step) {
        Ways ways = new Ways(board, step, COSTS);
        boolean met = board.foes().stream().anyMatch(foe -> wins(foe, me) && foe.head().distance(step) == 1);
        boolean cramped = ways.reached().size() < me.length();
        double away = FAR;
        for (Point food : board.food()) away = Math.min(away, ways.costTo(food) / WORTH.get(board.at(food)));
        return (met ? 100 * FAR : 0) + (cramped ? 10 * FAR : 0) + away;
    }

    /** Whether a foe would kill this snake head on; whoever is longer by two cells lives. */
    private boolean wins(Snake foe, Snake me) {
        return foe.isFurious() || foe.length() + 2 > me.length();
    }
}
