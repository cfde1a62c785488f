package client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A square of elements, made from a board line. It does not change; every turn has a new one.
 *
 * <p>What takes elements takes them one by one, or a {@link Group}.
 */
public final class Board {
    private final String line;
    private final int size;
    private final List<Point> points = new ArrayList<>();
    private final List<Element> elements = new ArrayList<>();

    public Board(String line) {
        this.line = line;
        this.size = (int) Math.sqrt(line.length());
        for (int at = 0; at < line.length(); at++) {
            points.add(new Point(at % size, size - 1 - at / size));
            elements.add(Element.of(line.charAt(at)));
        }
    }

    public String line() {
        return line;
    }

    public int size() {
        return size;
    }

    /** All points, in the order of the board line. */
    public List<Point> points() {
        return Collections.unmodifiableList(points);
    }

    /** What is at these points. */
    public List<Element> elements() {
        return Collections.unmodifiableList(elements);
    }

    /** Where a point of the board stands in its line, points and elements. */
    public int index(Point point) {
        return (size - 1 - point.y()) * size + point.x();
    }

    // Asking about a point

    /** The element there; outside the board everything is WALL. */
    public Element at(Point point) {
        return point.isOut(size) ? Element.WALL : elements.get(index(point));
    }

    /** Whether one of these elements is there. */
    public boolean isAt(Point point, Set<Element> wanted) {
        return wanted.contains(at(point));
    }

    public boolean isAt(Point point, Element... wanted) {
        return isAt(point, setOf(wanted));
    }

    /** Whether nothing is there, or something to eat. */
    public boolean isFreeAt(Point point) {
        return isAt(point, Group.FREE);
    }

    /** Whether something is there that no snake survives: a wall, a start cell, a sleeper. */
    public boolean isBarrierAt(Point point) {
        return isAt(point, Group.BARRIERS);
    }

    public boolean isStoneAt(Point point) {
        return at(point) == Element.STONE;
    }

    /** The elements of the eight cells around a point. */
    public List<Element> near(Point point) {
        return point.around().stream().map(this::at).toList();
    }

    /** How many of the eight cells around a point show one of these elements. */
    public int countNear(Point point, Set<Element> wanted) {
        return (int) near(point).stream().filter(wanted::contains).count();
    }

    public int countNear(Point point, Element... wanted) {
        return countNear(point, setOf(wanted));
    }

    public boolean isNear(Point point, Set<Element> wanted) {
        return countNear(point, wanted) > 0;
    }

    public boolean isNear(Point point, Element... wanted) {
        return isNear(point, setOf(wanted));
    }

    /** The elements of the four cells beside a point: left, right, up, down. */
    public List<Element> beside(Point point) {
        return point.beside().stream().map(this::at).toList();
    }

    public boolean isBeside(Point point, Set<Element> wanted) {
        return beside(point).stream().anyMatch(wanted::contains);
    }

    public boolean isBeside(Point point, Element... wanted) {
        return isBeside(point, setOf(wanted));
    }

    // Searching

    /** The points of these elements, top row first. */
    public List<Point> find(Set<Element> wanted) {
        return points.stream().filter(point -> isAt(point, wanted)).toList();
    }

    public List<Point> find(Element... wanted) {
        return find(setOf(wanted));
    }

    /** The first of these points, or null. */
    public Point first(Set<Element> wanted) {
        return find(wanted).stream().findFirst().orElse(null);
    }

    public Point first(Element... wanted) {
        return first(setOf(wanted));
    }

    public List<Point> walls() {
        return find(Element.WALL);
    }

    public List<Point> barriers() {
        return find(Group.BARRIERS);
    }

    public List<Point> stones() {
        return find(Element.STONE);
    }

    public List<Point> apples() {
        return find(Element.APPLE);
    }

    public List<Point> gold() {
        return find(Element.GOLD);
    }

    public List<Point> furyPills() {
        return find(Element.FURY_PILL);
    }

    public List<Point> flyingPills() {
        return find(Element.FLYING_PILL);
    }

    /** Apples, gold and pills. */
    public List<Point> food() {
        return find(Group.FOOD);
    }

    // Snakes

    /** The point of your living head, or null: then you are dead, or another snake lies over your head. */
    public Point me() {
        return first(Group.MY_HEADS);
    }

    public boolean isGameOver() {
        return me() == null;
    }

    /** Your snake, or null if its head is not to be seen. */
    public Snake mySnake() {
        Point head = me();
        return head == null ? null : new Snake(this, head);
    }

    /** The heads of the others that are alive and awake. */
    public List<Point> foeHeads() {
        return find(Group.ENEMY_HEADS).stream().filter(head -> at(head) != Element.ENEMY_HEAD_SLEEP).toList();
    }

    /** The snakes of the others that are alive and awake. */
    public List<Snake> foes() {
        return foeHeads().stream().map(head -> new Snake(this, head)).toList();
    }

    @Override
    public String toString() {
        List<String> rows = new ArrayList<>();
        for (int at = 0; at < line.length(); at += size) rows.add(line.substring(at, at + size));
        return String.join("\n", rows);
    }

    private static Set<Element> setOf(Element... elements) {
        Set<Element> set = EnumSet.noneOf(Element.class);
        set.addAll(Arrays.asList(elements));
        return set;
    }
}
