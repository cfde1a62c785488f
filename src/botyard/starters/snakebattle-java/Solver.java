import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** Eats what is nearest, and goes round everything deadly. A board is a square of signs, read row by row. */
class Solver {
    private static final String[] WORDS = {"LEFT", "RIGHT", "UP", "DOWN"};
    private static final String HEADS = "◄►▲▼"; // in the order of WORDS
    private static final String STRONG = "♥♠"; // furious, flying
    private static final String RIVALS = "<>˄˅♣♦";
    private static final String FOOD = "○$®©"; // apple, gold, fury pill, flying pill
    private static final String FREE = " " + FOOD;
    private static final String STONE = "●";

    private final String board;
    private final int[] steps;

    Solver(String board) {
        this.board = board;
        int side = (int) Math.round(Math.sqrt(board.length()));
        this.steps = new int[] {-1, 1, -side, side}; // the border is wall: no step leaves the board
    }

    /** This is the place to make the bot better. */
    String decide() {
        int head = find(HEADS + STRONG);
        if (head < 0) return ""; // asleep, dead, or hidden under another snake: straight on
        boolean strong = isAt(STRONG, head);
        String enterable = strong ? FREE + STONE : FREE;
        int looks = HEADS.indexOf(board.charAt(head));

        Map<Integer, String> ways = new LinkedHashMap<>();
        for (int at = 0; at < WORDS.length; at++) {
            boolean back = looks >= 0 && at == (looks ^ 1); // nobody turns on the spot
            if (!back && isAt(enterable, head + steps[at])) ways.put(head + steps[at], WORDS[at]);
        }
        Map<Integer, String> calm = new LinkedHashMap<>(ways);
        if (!strong) calm.keySet().removeIf(this::besideRival);

        String word = wayToFood(calm, enterable, head);
        if (word != null) return word;
        return (calm.isEmpty() ? ways : calm).values().stream().findFirst().orElse("");
    }

    /** The first word of the shortest way to something to eat, or null. */
    private String wayToFood(Map<Integer, String> firsts, String enterable, int head) {
        Map<Integer, String> came = new LinkedHashMap<>(firsts);
        Queue<Integer> queue = new ArrayDeque<>(firsts.keySet());
        Set<Integer> seen = new HashSet<>(firsts.keySet());
        seen.add(head);
        while (!queue.isEmpty()) {
            int cell = queue.remove();
            if (isAt(FOOD, cell)) return came.get(cell);
            for (int step : steps) {
                if (isAt(enterable, cell + step) && seen.add(cell + step)) {
                    came.put(cell + step, came.get(cell));
                    queue.add(cell + step);
                }
            }
        }
        return null;
    }

    private boolean besideRival(int cell) {
        for (int step : steps) if (isAt(RIVALS, cell + step)) return true;
        return false;
    }

    private boolean isAt(String signs, int cell) {
        return cell >= 0 && cell < board.length() && signs.indexOf(board.charAt(cell)) >= 0;
    }

    private int find(String signs) {
        for (int cell = 0; cell < board.length(); cell++) if (isAt(signs, cell)) return cell;
        return -1;
    }
}
