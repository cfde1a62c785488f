import client.*;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Says what the client library in Java makes of boards, as probe.py does in Python. */
class Probe {
    private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private static final Set<String> EVERYWHERE = Set.of("values", "valueOf", "equals", "hashCode", "toString");

    private static final List<Class<?>> KINDS =
            List.of(Direction.class, Point.class, Element.class, Group.class, Board.class, Snake.class, Ways.class);

    public static void main(String[] arguments) throws IOException {
        library();
        OUT.println();
        var boards = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = boards.readLine(); line != null; line = boards.readLine()) look(new Board(line));
        OUT.flush();
    }

    private static void say(String what, Collection<?> values) {
        List<String> words = new ArrayList<>(List.of(what));
        for (Object value : values) words.add(value.toString());
        OUT.println(String.join(" ", words));
    }

    private static String yes(boolean answer) {
        return answer ? "yes" : "no";
    }

    private static List<String> points(Collection<Point> found) {
        return found.stream().map(point -> point.x() + "," + point.y()).toList();
    }

    /** Prints the names that an author can use, and every element. */
    private static void library() {
        for (Class<?> kind : KINDS) {
            Set<String> names = new TreeSet<>();
            for (Method method : kind.getDeclaredMethods()) {
                boolean listed = Modifier.isPublic(method.getModifiers()) && !EVERYWHERE.contains(method.getName());
                if (listed) names.add(kind.getSimpleName() + "." + method.getName());
            }
            for (Field field : kind.getDeclaredFields()) {
                boolean listed = Modifier.isPublic(field.getModifiers()) && !field.isEnumConstant();
                if (listed) names.add(kind.getSimpleName() + "." + field.getName());
            }
            say("library", names);
        }
        say("elements", Arrays.stream(Element.values()).map(element -> element + "=" + (int) element.sign()).toList());
        List<String> turns = new ArrayList<>();
        for (Direction way : Direction.values()) {
            List<Direction> turned = List.of(way, way.inverted(), way.clockwise(), way.counterClockwise());
            turns.add(String.join("/", turned.stream().map(Direction::toString).toList()) + "/" + way.withAct());
        }
        say("directions", turns);
    }

    private static List<String> snake(Snake one) {
        List<String> words = new ArrayList<>(List.of(one.direction().toString()));
        if (one.isFurious()) words.add("furious");
        if (one.isFlying()) words.add("flying");
        if (one.isAsleep()) words.add("asleep");
        words.addAll(points(one.points()));
        return words;
    }

    private static void look(Board board) {
        say("size", List.of(board.size()));
        say("names", board.points().stream().map(board::at).toList());
        say("rows", board.toString().lines().map(String::length).toList());
        say("walls", points(board.walls()));
        say("barriers", points(board.barriers()));
        say("stones", points(board.stones()));
        say("apples", points(board.apples()));
        say("gold", points(board.gold()));
        say("fury-pills", points(board.furyPills()));
        say("flying-pills", points(board.flyingPills()));
        say("food", points(board.food()));
        say("foe-heads", points(board.foeHeads()));
        say("free", points(board.points().stream().filter(board::isFreeAt).toList()));
        say("over", List.of(yes(board.isGameOver())));
        for (Snake foe : board.foes()) say("foe", snake(foe));
        say("answers", List.of(new Example().get(board), new Solver().get(board)));
        Snake me = board.mySnake();
        if (me != null) {
            say("mine", snake(me));
            around(board, me.head());
            ways(board, me.head());
        }
        OUT.println();
    }

    private static void around(Board board, Point head) {
        say("beside", board.beside(head));
        say("near", board.near(head));
        say("barriers-near", List.of(board.countNear(head, Group.BARRIERS)));
        boolean near = board.isNear(head, Element.STONE);
        boolean beside = board.isBeside(head, Element.STONE);
        say("asked", List.of(yes(near), yes(beside), yes(board.isAt(head, Group.MY_HEADS))));
    }

    private static void ways(Board board, Point head) {
        Map<Element, Integer> stony = new EnumMap<>(Element.class);
        for (Element element : Group.FREE) stony.put(element, 1);
        Map<Element, Integer> backwards = new EnumMap<>(stony);
        for (Element element : Group.MY_TAILS) backwards.put(element, 1);
        stony.put(Element.STONE, 3);
        ToDoubleFunction<Point> wary =
                point -> board.isFreeAt(point) ? (board.isNear(point, Element.STONE) ? 9 : 1) : Ways.CLOSED;
        way(board, "way", new Ways(board, head));
        way(board, "stony", new Ways(board, head, stony));
        way(board, "wary", new Ways(board, head, wary));
        way(board, "backwards", new Ways(board, head, backwards));
    }

    private static void way(Board board, String what, Ways found) {
        List<Point> food = board.food();
        Point nearest = found.nearest(food);
        List<String> cost = new ArrayList<>();
        if (nearest != null) cost.add(String.valueOf((int) found.costTo(nearest)));
        if (nearest != null) cost.addAll(points(List.of(nearest)));
        say(what, found.wayToNearest(food));
        say(what + "-cost", cost);
        say(what + "-room", List.of(found.reached().size()));
    }
}
