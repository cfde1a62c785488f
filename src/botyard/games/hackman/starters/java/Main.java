import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * A bot for Hack-man: fetches the nearest snippet or weapon, and keeps clear of bugs.
 *
 * <p>It reads lines from standard input and answers every {@code action move} with one word on standard output.
 * Whatever you want to print for yourself goes to {@code System.err}.
 */
public class Main {
    /** What {@code settings KEY VALUE} and {@code update WHO KEY VALUE} told, as "KEY" and "WHO KEY". */
    private final Map<String, String> told = new HashMap<>();

    public static void main(String[] arguments) throws IOException {
        Main bot = new Main();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "settings" -> bot.told.put(words[1], words[2]);
                case "update" -> bot.told.put(words[1] + " " + words[2], words[3]);
                case "action" -> System.out.println(bot.decide()); // println flushes
                default -> System.err.println("not understood: " + line);
            }
        }
    }

    /** This is the place to make the bot better. */
    private String decide() {
        Field field = new Field(told.get("game field"), Integer.parseInt(told.get("field_width")));
        String me = told.get("your_botid");
        String rival = me.equals("0") ? "1" : "0";
        int here = field.find(me).get(0);

        List<Integer> feared = new ArrayList<>();
        if (!armed(me)) feared.addAll(field.find("E"));
        if (armed(rival)) feared.addAll(field.find(rival));
        Set<Integer> danger = new HashSet<>(feared);
        for (int cell : feared) for (Step step : field.beside(cell)) danger.add(step.cell());

        List<Step> firsts = new ArrayList<>(field.beside(here));
        firsts.removeIf(step -> danger.contains(step.cell()));
        Set<Integer> goals = new HashSet<>(field.find("C"));
        goals.addAll(field.find("W"));
        Set<Integer> avoid = new HashSet<>(feared);
        avoid.add(here);

        String word = field.wayTo(firsts, goals, avoid);
        if (word != null) return word;
        return danger.contains(here) && !firsts.isEmpty() ? firsts.get(0).word() : "pass";
    }

    private boolean armed(String player) {
        return "true".equals(told.get("player" + player + " has_weapon"));
    }
}

/** A word and the cell it leads to. */
record Step(String word, int cell) {}

/** The cells, row by row, each a text of signs: x . C W 0 1 E, often several. */
class Field {
    private static final String[] WORDS = {"up", "down", "left", "right"};
    private static final int[][] STEPS = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};

    private final String[] cells;
    private final int width;

    Field(String text, int width) {
        this.cells = text.split(",");
        this.width = width;
    }

    List<Integer> find(String sign) {
        List<Integer> found = new ArrayList<>();
        for (int cell = 0; cell < cells.length; cell++) if (cells[cell].contains(sign)) found.add(cell);
        return found;
    }

    /** The open cells beside a cell. */
    List<Step> beside(int cell) {
        List<Step> found = new ArrayList<>();
        for (int at = 0; at < WORDS.length; at++) {
            int x = cell % width + STEPS[at][0];
            int there = (cell / width + STEPS[at][1]) * width + x;
            boolean inside = x >= 0 && x < width && there >= 0 && there < cells.length;
            if (inside && !cells[there].contains("x")) found.add(new Step(WORDS[at], there));
        }
        return found;
    }

    /** The first word of the shortest way to a goal, or null: a search that spreads from all first steps at once. */
    String wayTo(List<Step> firsts, Set<Integer> goals, Set<Integer> avoid) {
        Queue<Step> queue = new ArrayDeque<>(firsts);
        Set<Integer> seen = new HashSet<>(avoid);
        for (Step first : firsts) seen.add(first.cell());
        while (!queue.isEmpty()) {
            Step step = queue.remove();
            if (goals.contains(step.cell())) return step.word();
            for (Step next : beside(step.cell())) {
                if (seen.add(next.cell())) queue.add(new Step(step.word(), next.cell()));
            }
        }
        return null;
    }
}
