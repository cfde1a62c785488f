package client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The cheapest ways from one point to all others, found by Dijkstra's algorithm.
 *
 * <p>What it costs to enter a cell is said by a function of a point, or by a map of costs by element. Costs are not
 * negative. A cell whose cost is CLOSED, or whose element is not in the map, is never entered. Without costs, free cells
 * cost 1 and all others are closed. From your own head no way begins backwards, because no snake can turn on the spot.
 */
public final class Ways {
    public static final double CLOSED = Double.POSITIVE_INFINITY;

    private static final Map<Element, Integer> FREE =
            Group.FREE.stream().collect(Collectors.toMap(Function.identity(), element -> 1));

    private final Board board;
    private final Map<Point, Point> came = new HashMap<>(); // the point before, by point
    private final Map<Point, Double> costs = new HashMap<>();
    private final Set<Point> reached = new LinkedHashSet<>();

    /** A point on the way: the cheapest comes first, of equal ones the one that was found first. */
    private record Found(Point point, double cost, int turn) {}

    public Ways(Board board, Point start) {
        this(board, start, FREE);
    }

    public Ways(Board board, Point start, Map<Element, ? extends Number> costs) {
        this(board, start, point -> {
            Number cost = costs.get(board.at(point));
            return cost == null ? CLOSED : cost.doubleValue();
        });
    }

    public Ways(Board board, Point start, ToDoubleFunction<Point> cost) {
        this.board = board;
        Point behind = start.equals(board.me()) ? board.mySnake().neck() : null;
        if (!start.isOut(board.size())) search(start, cost, behind);
    }

    /** Settles points in the order of their costs. */
    private void search(Point start, ToDoubleFunction<Point> cost, Point behind) {
        Queue<Found> queue =
                new PriorityQueue<>(Comparator.comparingDouble(Found::cost).thenComparingInt(Found::turn));
        int turn = 0;
        costs.put(start, 0.0);
        queue.add(new Found(start, 0, turn));
        while (!queue.isEmpty()) {
            Point point = queue.remove().point();
            if (!reached.add(point)) continue;
            for (Point there : point.beside()) {
                boolean back = point.equals(start) && there.equals(behind);
                if (there.isOut(board.size()) || reached.contains(there) || back) continue;
                double total = costs.get(point) + cost.applyAsDouble(there);
                if (!(total < costTo(there))) continue;
                costs.put(there, total);
                came.put(there, point);
                queue.add(new Found(there, total, ++turn));
            }
        }
    }

    /** What the way to a point costs; CLOSED if there is none. */
    public double costTo(Point point) {
        return costs.getOrDefault(point, CLOSED);
    }

    /** All points that can be reached, nearest first; the start is the first. */
    public List<Point> reached() {
        return new ArrayList<>(reached);
    }

    /** The point with the cheapest way, or null if none can be reached. */
    public Point nearest(Collection<Point> points) {
        return points.stream().filter(costs::containsKey).min(Comparator.comparingDouble(this::costTo)).orElse(null);
    }

    /** The directions to go, one per step; none if there is no way. */
    public List<Direction> wayTo(Point point) {
        List<Direction> way = new ArrayList<>();
        for (Point here = point; came.containsKey(here); here = came.get(here)) {
            way.add(Direction.between(came.get(here), here));
        }
        Collections.reverse(way);
        return way;
    }

    /** The directions to the nearest of these points; none if none can be reached. */
    public List<Direction> wayToNearest(Collection<Point> points) {
        return wayTo(nearest(points));
    }
}
