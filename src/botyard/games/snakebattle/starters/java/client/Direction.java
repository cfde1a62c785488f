package client;

import java.util.List;

/** A word of an answer: four directions, ACT to drop a stone, STOP to go straight on. */
public enum Direction {
    LEFT(-1, 0),
    RIGHT(1, 0),
    UP(0, 1),
    DOWN(0, -1),
    ACT(0, 0),
    STOP(0, 0);

    private static final List<Direction> MOVES = List.of(LEFT, RIGHT, UP, DOWN);

    private final int dx;
    private final int dy;

    Direction(int dx, int dy) {
        this.dx = dx;
        this.dy = dy;
    }

    public int dx() {
        return dx;
    }

    public int dy() {
        return dy;
    }

    /** The four directions, without ACT and STOP. */
    public static List<Direction> moves() {
        return MOVES;
    }

    /** The direction from a point to its neighbour; STOP if they are no neighbours. */
    public static Direction between(Point point, Point neighbour) {
        return MOVES.stream().filter(way -> way.apply(point).equals(neighbour)).findFirst().orElse(STOP);
    }

    /** The point one step further; y grows upwards. */
    public Point apply(Point point) {
        return new Point(point.x() + dx, point.y() + dy);
    }

    /** The opposite direction; ACT and STOP stay what they are. */
    public Direction inverted() {
        return switch (this) {
            case LEFT -> RIGHT;
            case RIGHT -> LEFT;
            case UP -> DOWN;
            case DOWN -> UP;
            default -> this;
        };
    }

    /** The direction after a quarter turn to the right. */
    public Direction clockwise() {
        return switch (this) {
            case LEFT -> UP;
            case UP -> RIGHT;
            case RIGHT -> DOWN;
            case DOWN -> LEFT;
            default -> this;
        };
    }

    /** The direction after a quarter turn to the left. */
    public Direction counterClockwise() {
        return clockwise().inverted();
    }

    /** An answer that also drops a stone, such as "LEFT,ACT". */
    public String withAct() {
        return this + ",ACT";
    }
}
