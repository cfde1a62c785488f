package client;

import java.util.ArrayList;
import java.util.List;

/** A cell of the board: x grows to the right, y grows upwards, and (0, 0) is at the bottom left. */
public record Point(int x, int y) {
    public Point left() {
        return new Point(x - 1, y);
    }

    public Point right() {
        return new Point(x + 1, y);
    }

    public Point up() {
        return new Point(x, y + 1);
    }

    public Point down() {
        return new Point(x, y - 1);
    }

    /** The four neighbours: left, right, up, down. */
    public List<Point> beside() {
        return List.of(left(), right(), up(), down());
    }

    /** The eight neighbours: first those beside, then the corners. */
    public List<Point> around() {
        List<Point> around = new ArrayList<>(beside());
        around.addAll(List.of(up().left(), up().right(), down().left(), down().right()));
        return around;
    }

    /** How many steps it is to another point if nothing stands in the way. */
    public int distance(Point other) {
        return Math.abs(x - other.x) + Math.abs(y - other.y);
    }

    /** Whether this is outside a board of that size. */
    public boolean isOut(int size) {
        return x < 0 || x >= size || y < 0 || y >= size;
    }

    @Override
    public String toString() {
        return "(" + x + ", " + y + ")";
    }
}
