package client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A snake with a living head, as far as the board shows it: another snake may lie over it. */
public final class Snake {
    private final Element element;
    private final List<Point> points;

    public Snake(Board board, Point head) {
        this.element = board.at(head);
        this.points = trace(board, head);
    }

    public Point head() {
        return points.get(0);
    }

    /** The element of its head. */
    public Element element() {
        return element;
    }

    /** Its cells, from the head to the tail. */
    public List<Point> points() {
        return points;
    }

    public int length() {
        return points.size();
    }

    public Point tail() {
        return points.get(points.size() - 1);
    }

    /** The cell behind the head, or null if it is hidden. */
    public Point neck() {
        return points.size() > 1 ? points.get(1) : null;
    }

    /** Where it went last; STOP if neither its head nor its neck tells. */
    public Direction direction() {
        for (Direction way : Direction.moves()) if (element.name().endsWith("HEAD_" + way)) return way;
        return neck() == null ? Direction.STOP : Direction.between(neck(), head());
    }

    public boolean isFurious() {
        return element.name().endsWith("HEAD_EVIL");
    }

    public boolean isFlying() {
        return element.name().endsWith("HEAD_FLY");
    }

    public boolean isAsleep() {
        return element.name().endsWith("HEAD_SLEEP");
    }

    /** Follows a snake from its head to its tail, by the sides at which its cells join each other. */
    private static List<Point> trace(Board board, Point head) {
        boolean mine = board.at(head).isMine();
        Set<Point> points = new LinkedHashSet<>();
        Point last = head;
        while (last != null) {
            points.add(last);
            Point next = null;
            for (Direction way : sides(board.at(last))) {
                Point there = way.apply(last);
                boolean fits = !points.contains(there) && leads(board.at(there), way, mine);
                if (next == null && fits) next = there;
            }
            last = next;
        }
        return Collections.unmodifiableList(new ArrayList<>(points));
    }

    /** Whether an element that is entered this way is the next cell of the snake. */
    private static boolean leads(Element element, Direction way, boolean mine) {
        boolean same = mine ? element.isMine() : element.isEnemy();
        return same && !element.name().contains("HEAD") && sides(element).contains(way.inverted());
    }

    /** The sides at which a part of a snake joins its neighbours. */
    private static List<Direction> sides(Element element) {
        return switch (element.name().replace("ENEMY_", "")) {
            case "HEAD_LEFT", "TAIL_END_LEFT" -> List.of(Direction.RIGHT);
            case "HEAD_RIGHT", "TAIL_END_RIGHT" -> List.of(Direction.LEFT);
            case "HEAD_UP", "TAIL_END_UP" -> List.of(Direction.DOWN);
            case "HEAD_DOWN", "TAIL_END_DOWN" -> List.of(Direction.UP);
            case "BODY_HORIZONTAL" -> List.of(Direction.LEFT, Direction.RIGHT);
            case "BODY_VERTICAL" -> List.of(Direction.UP, Direction.DOWN);
            case "BODY_LEFT_DOWN" -> List.of(Direction.LEFT, Direction.DOWN);
            case "BODY_LEFT_UP" -> List.of(Direction.LEFT, Direction.UP);
            case "BODY_RIGHT_DOWN" -> List.of(Direction.RIGHT, Direction.DOWN);
            case "BODY_RIGHT_UP" -> List.of(Direction.RIGHT, Direction.UP);
            default -> Direction.moves(); // a head that is furious, flies or sleeps, and the tail of a sleeper
        };
    }
}
